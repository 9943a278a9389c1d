package access

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

const enterpriseClass = "nginx.org/ingress-controller"

// nginxEnterprise takes Ingresses by the name of their class, upgrades
// WebSockets only for Services that are named, and serves a host over https
// only with a Secret of its own. Its class has the same name by default as that
// of NGINX Community, which may have been there first: so it is looked for
// behind classes of that one too.
var nginxEnterprise = Controller{
	ID: "nginx-enterprise", Name: "NGINX Enterprise",
	Classes: []string{enterpriseClass, communityClass},
	Images: []*regexp.Regexp{
		regexp.MustCompile(`(^|/)nginx-ingress$`),
		regexp.MustCompile(`(^|/)nginx-plus-ingress$`),
	},
	Recognise: func(w facts.Workload) bool {
		return parseFlags(w.Containers[0], w.Namespace, false).Has("nginx-configmaps")
	},
	Chart:          Chart{Name: "oci://ghcr.io/nginx/charts/nginx-ingress"},
	Annotates:      "controller.service.annotations",
	NeedsTLSSecret: true,
	Annotations: func(string) map[string]string {
		return map[string]string{"nginx.org/websocket-services": "internal-router"}
	},
	ConfigMaps: namedConfigMap("nginx-configmaps"),
	Bound:      enterpriseBound,
	Watches:    enterpriseWatches,
	Service:    namedService("external-service"),
	Status:     enterpriseStatus,
	Extra: []Rule{
		{ID: "ingress.tls-block", Title: "The host has its certificate's Secret", Judge: enterpriseTLS},
		{ID: "ingress.host-taken", Title: "The host is free", Judge: enterpriseHost},
	},
	After: []string{"Renew the certificate in the Secret that the Ingress names, in the runtime's namespace: the controller takes it up by itself."},
	Looks: []Look{
		{"ingress.bound", "`-ingress-class` is the class's name, and its `spec.controller` is `nginx.org/ingress-controller`", "the class that it takes; `-ingress-class`; `controller.ingressClass.name`"},
		{"ingress.watched", "`-watch-namespace` has the runtime's namespace, `-watch-namespace-label` picks it, and `-watch-secret-namespace` has it too", "the flag; `controller.watchNamespace`; `kubectl label namespace`"},
		{"ingress.status", "`-report-ingress-status` is on, and `-external-service`, `-ingresslink` or `external-status-address` gives an address", "the flags; `controller.reportIngressStatus.*`; for a NodePort the key in the ConfigMap; for the operator its custom resource"},
		{"ingress.tls-block", "the Ingress names a Secret for the host, and it is there", "`--access.ingress.tlsSecret`, and a copy of the Secret"},
		{"ingress.host-taken", "no other Ingress of its class has the host: the oldest one gets all of it", "another host"},
	},
}

// enterpriseChange says a change of arguments in each owner's way.
func enterpriseChange(s Site, title string, args []string, values map[string]string) Change {
	return Change{Repair: setArgs(s.Workload, s.Container, title, args), Chart: s.Controller.Chart, Values: values, Custom: operatorCommand(s.Workload, values)}
}

func enterpriseBound(s Site) Verdict {
	takes, class := s.Flags.Text("ingress-class", "nginx"), s.Class.Meta.Name.Name
	own, there := s.Cluster.Class(takes)
	starts := there && own.Controller == enterpriseClass
	verdict := fail("%s does not take class %s", s.At(), class).evidence("-ingress-class %s, spec.controller %s", takes, s.Class.Controller)
	switch {
	case starts && takes == class:
		return pass("%s takes class %s", s.At(), class)
	case starts:
		return verdict.why("It takes class %s and ignores the rest.", takes).fix("Choose the class that it takes: --access.ingress.class %s", takes)
	case s.Class.Controller == enterpriseClass:
		return verdict.why("It takes class %s, which %s. So it does not even start.", takes, whoseClass(own, there)).
			repaired(s.Owner(), enterpriseChange(s, "take class "+class, withFlag(s.Program().Args, "-ingress-class="+class), map[string]string{"controller.ingressClass.name": class}))
	}
	values := map[string]string{"controller.ingressClass.name": "nginx-org", "controller.ingressClass.create": "true"}
	change := Change{Repair: check.Repair{Title: "take a class of its own, nginx-org"}, Chart: s.Controller.Chart, Values: values, Custom: operatorCommand(s.Workload, values)}
	return verdict.why("It takes class %s, which %s, and does not start. A class keeps its controller for ever.", takes, whoseClass(own, there)).
		advised(s.Owner(), change, "Give it a class of its own: "+makeClass("nginx-org", enterpriseClass)+"; then start it with -ingress-class=nginx-org, and choose that class.")
}

func whoseClass(class facts.IngressClass, there bool) string {
	if !there {
		return "is not there"
	}
	return "belongs to " + class.Controller
}

func enterpriseWatches(s Site) Verdict {
	namespace := s.Want.Namespace
	if only := s.Flags.List("watch-namespace"); len(only) > 0 && !slices.Contains(only, namespace) {
		return fail("%s does not watch namespace %s", s.At(), namespace).why("It sees Ingresses only in %s.", strings.Join(only, ", ")).
			repaired(s.Owner(), watching(s, "watch-namespace", "controller.watchNamespace", only))
	}
	verdict := watchesLabels(s, s.Flags.Text("watch-namespace-label", ""))
	only := s.Flags.List("watch-secret-namespace")
	if verdict.Status == check.Fail || s.Want.TLSSecret == "" || len(only) == 0 || slices.Contains(only, namespace) {
		return verdict
	}
	return fail("%s does not look for Secrets in namespace %s", s.At(), namespace).why("It serves the host without its certificate.").
		repaired(s.Owner(), watching(s, "watch-secret-namespace", "controller.watchSecretNamespace", only))
}

// watching is the change that adds the runtime's namespace to a list.
func watching(s Site, flag, value string, only []string) Change {
	all := strings.Join(append(slices.Clone(only), s.Want.Namespace), ",")
	return enterpriseChange(s, "watch namespace "+s.Want.Namespace+" too", withFlag(s.Program().Args, "-"+flag+"="+all), map[string]string{value: all})
}
