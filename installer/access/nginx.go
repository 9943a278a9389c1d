package access

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

const communityClass = "k8s.io/ingress-nginx"

var communityChart = Chart{Name: "ingress-nginx", Repository: "https://kubernetes.github.io/ingress-nginx"}

// nginxCommunity takes Ingresses by the spec.controller of their class, and
// reports one of three things as their address: one that it is given, that of a
// Service, or those of its nodes.
var nginxCommunity = Controller{
	ID: "nginx", Name: "NGINX Community",
	Classes: []string{communityClass + "*", "k8s.io/internal-ingress-nginx", "webapprouting.kubernetes.azure.com/nginx*"},
	Images: []*regexp.Regexp{
		regexp.MustCompile(`(^|/)ingress-nginx/controller(-chroot)?$`),
		regexp.MustCompile(`(^|/)nginx-ingress-controller(-amd64|-arm|-arm64)?$`),
	},
	Recognise:  func(w facts.Workload) bool { return slices.Contains(commandLine(w.Containers[0]), communityProgram) },
	Chart:      communityChart,
	Annotates:  "controller.service.annotations",
	ConfigMaps: namedConfigMap("configmap"),
	Bound:      communityBound,
	Watches:    communityWatches,
	Service:    namedService("publish-service"),
	Status:     communityStatus,
	Extra: []Rule{
		{ID: "ingress.retired", Title: "The controller is looked after", Judge: communityRetired},
		{ID: "ingress.default-certificate", Title: "The host gets a certificate", Judge: communityCertificate},
		{ID: "ingress.proxy-protocol", Title: "Load balancer and controller speak the same protocol", Judge: proxyProtocol},
	},
	Looks: []Look{
		{"ingress.bound", "`--controller-class` is the class's `spec.controller`, or `--ingress-class-by-name` finds it by its name", "another class, or one made for it"},
		{"ingress.watched", "`--watch-namespace` is empty or the runtime's namespace; `--watch-namespace-selector` picks its labels", "`controller.scope.enabled=false`, or `kubectl label namespace`"},
		{"ingress.status", "`--update-status` and the leader election are on, and what `--publish-service` or `--publish-status-address` names has an address", "the flag; `controller.publishService.enabled=true`"},
		{"ingress.retired", "never: the project ended in March 2026. Versions before 1.0 fail, they know no `networking.k8s.io/v1`", "its last release for the cluster's version, and a move to another controller or the Gateway API"},
		{"ingress.default-certificate", "the Ingress names a Secret, or `--default-ssl-certificate` does, or the load balancer ends TLS", "`--access.ingress.tlsSecret`"},
		{"ingress.proxy-protocol", "the load balancer sends the PROXY header if and only if `use-proxy-protocol` is set, and is known to the cluster by a name", "`use-proxy-protocol` in the ConfigMap; the cloud's hostname annotation on the Service"},
	},
}

const communityProgram = "/nginx-ingress-controller"

// commandLine is all that a container runs, in order.
func commandLine(c facts.Container) []string { return slices.Concat(c.Command, c.Args) }

// namedService prefers the Service that a flag names: it is the one whose
// address is reported.
func namedService(flag string) func(Site) (facts.Service, bool) {
	return func(s Site) (facts.Service, bool) {
		if value := s.Flags.Text(flag, ""); value != "" {
			if service, found := s.Cluster.Service(facts.ParseName(value, s.Workload.Namespace)); found {
				return service, true
			}
		}
		return ServiceOf(s.Cluster, s.Workload.Namespace, s.Workload.PodLabels)
	}
}

func communityBound(s Site) Verdict {
	takes := s.Flags.Text("controller-class", communityClass)
	class := s.Class.Meta.Name.Name
	if takes == s.Class.Controller {
		return pass("%s takes class %s", s.At(), class)
	}
	if s.Flags.On("ingress-class-by-name", false) && s.Flags.Text("ingress-class", "nginx") == class {
		return pass("%s takes class %s by its name", s.At(), class)
	}
	verdict := fail("%s does not take class %s", s.At(), class).why("It takes classes of %s and ignores the rest without a word.", takes).
		evidence("--controller-class %s, spec.controller %s", takes, s.Class.Controller)
	if others := classesOf(s.Cluster, takes); len(others) > 0 {
		return verdict.fix("Choose a class that it takes: --access.ingress.class %s", strings.Join(others, " or "))
	}
	return verdict.fix("Make a class for it: %s; then choose it: --access.ingress.class nginx-codefresh", makeClass("nginx-codefresh", takes))
}

// classesOf names the classes of a spec.controller.
func classesOf(cluster facts.Cluster, specController string) []string {
	var names []string
	for _, class := range cluster.IngressClasses {
		if class.Controller == specController {
			names = append(names, class.Meta.Name.Name)
		}
	}
	return names
}

// makeClass is the command that makes an ingress class.
func makeClass(name, specController string) string {
	manifest := `{"apiVersion":"networking.k8s.io/v1","kind":"IngressClass","metadata":{"name":"` + name + `"},"spec":{"controller":"` + specController + `"}}`
	return "echo " + text.Quote(manifest) + " | kubectl apply -f -"
}

func communityWatches(s Site) Verdict {
	only := s.Flags.Text("watch-namespace", "")
	switch {
	case variable.MatchString(only):
		return skip("which namespace %s watches is known only to its pods", s.At()).evidence("--watch-namespace %s", only)
	case only == "" || only == s.Want.Namespace:
		return watchesLabels(s, s.Flags.Text("watch-namespace-selector", ""))
	}
	change := Change{Chart: s.Controller.Chart, Values: map[string]string{"controller.scope.enabled": "false"}}
	change.Repair.Title = "let it watch all namespaces"
	return fail("%s watches only namespace %s", s.At(), only).why("It does not see Ingresses in namespace %s.", s.Want.Namespace).
		evidence("--watch-namespace %s", only).
		advised(s.Owner(), change, "Remove --watch-namespace from its arguments, or install another controller with a class of its own for the runtime.")
}
