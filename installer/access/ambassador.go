package access

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	ambassadorIDMark    = "getambassador.io/ambassador-id"
	ambassadorListeners = "listeners.getambassador.io"
)

// ambassador stands for Ambassador, Edge Stack and Emissary-ingress, which are
// one program under the names it has had.
var ambassador = Controller{
	ID: "ambassador", Name: "Ambassador", Classes: []string{"getambassador.io/ingress-controller"},
	Recognise: func(w facts.Workload) bool { return ambassadorContainer(w) >= 0 },
	Chart:     Chart{Name: "oci://ghcr.io/emissary-ingress/emissary-ingress"},
	Install: "helm upgrade --install emissary-crds oci://ghcr.io/emissary-ingress/emissary-crds-chart --wait && " +
		"helm upgrade --install emissary oci://ghcr.io/emissary-ingress/emissary-ingress --namespace emissary --create-namespace --set createDefaultListeners=true --wait",
	Bound:   ambassadorBound,
	Watches: ambassadorWatches,
	Service: ambassadorService,
	Status:  ambassadorStatus,
	Extra: []Rule{
		{ID: "ingress.listener", Judge: ambassadorListener},
		{ID: "ingress.apiext", Judge: ambassadorConversion},
	},
	Looks: []Look{
		{"ingress.bound", "with an `AMBASSADOR_ID`, the class and the Ingress have the annotation `getambassador.io/ambassador-id`", "the annotation on the class; `--access.ingress.annotations`"},
		{"ingress.watched", "`AMBASSADOR_SINGLE_NAMESPACE` is not set: it hides other namespaces, and all ingress classes", "the variable is taken away; `scope.singleNamespace=false`"},
		{"ingress.status", "its Service is in `AMBASSADOR_NAMESPACE`, of type LoadBalancer, and has the label `app.kubernetes.io/component: ambassador-service`", "the label"},
		{"ingress.listener", "a Listener takes hosts of the runtime's namespace: without one nothing listens, and the chart makes none by default", "the Listeners, as a command; `createDefaultListeners=true`"},
		{"ingress.apiext", "`emissary-apiext`, where it is installed, is ready: without it Kubernetes cannot read Ambassador's objects", "the command that shows why it is not"},
	},
}

var ambassadorImage = regexp.MustCompile(`(^|/)(emissary|emissary-ingress|ambassador|aes)$`)

// ambassadorContainer finds the program in a workload, or gives -1. Helpers of
// the same image are started by another name.
func ambassadorContainer(w facts.Workload) int {
	return slices.IndexFunc(w.Containers, func(c facts.Container) bool {
		line := commandLine(c)
		helper := len(line) > 0 && slices.Contains([]string{"apiext", "agent", "kubewatch"}, line[0])
		return !helper && ambassadorImage.MatchString(imageName(c.Image))
	})
}

// ambassadorVariable is a variable of the program.
func ambassadorVariable(s Site, name string) string {
	c := s.Workload.Containers[max(0, ambassadorContainer(s.Workload))]
	if _, set := c.Env[name]; !set {
		return ""
	}
	return text.Line(expand("$("+name+")", c, s.Workload.Namespace))
}

// ambassadorID is the name that tells Ambassadors of one cluster apart.
func ambassadorID(s Site) string { return cmp.Or(ambassadorVariable(s, "AMBASSADOR_ID"), "default") }

// ambassadorChange is a value of the chart that the release was made with: it
// has moved with version 4, and Edge Stack's holds it as a part.
func ambassadorChange(s Site, title, key, value string) Change {
	chart, label := s.Controller.Chart, s.Owner().Chart
	if version := chartVersion(label); version != "" && !strings.HasPrefix(version, "4.") {
		chart = Chart{Name: strings.TrimSuffix(label, "-"+version), Repository: "https://app.getambassador.io"}
	}
	if chart.Name == "edge-stack" {
		key = "emissary-ingress." + key
	}
	return Change{Chart: chart, Values: map[string]string{key: value}, Repair: check.Repair{Title: title}}
}

func ambassadorBound(s Site) Verdict {
	id, class := ambassadorID(s), s.Class.Meta.Name.Name
	onClass, onIngress := cmp.Or(s.Class.Annotations[ambassadorIDMark], "default"), cmp.Or(s.Want.Annotations[ambassadorIDMark], "default")
	evidence := "AMBASSADOR_ID=" + id
	switch {
	case onClass != id:
		repair := setEntry(s.Class.Meta, check.Repair{Title: "give class " + class + " to this Ambassador", Group: "networking.k8s.io", Version: "v1", Resource: "ingressclasses"},
			"/metadata/annotations", s.Class.Annotations, ambassadorIDMark, id)
		return fail("class %s is not of the Ambassador %s", class, id).why("Its annotation %s says %s.", ambassadorIDMark, onClass).
			repaired(s.Cluster.Owner(s.Class.Meta), Change{Repair: repair}).evidence("%s", evidence)
	case onIngress != id:
		return fail("the runtime's Ingress would not be of the Ambassador %s", id).why("It takes only Ingresses with its ID.").
			fix("Add the annotation: --access.ingress.annotations %s=%s", ambassadorIDMark, text.Quote(id)).evidence("%s", evidence)
	}
	return pass("takes Ingresses of class %s", class).evidence("%s", evidence)
}

// ambassadorWatches: any value of the variable means yes. Ambassador then reads
// no ingress classes, which belong to no namespace, so that an Ingress with a
// class is not taken even from its own.
func ambassadorWatches(s Site) Verdict {
	if ambassadorVariable(s, "AMBASSADOR_SINGLE_NAMESPACE") == "" {
		return pass("sees all namespaces")
	}
	change := ambassadorChange(s, "take the variable AMBASSADOR_SINGLE_NAMESPACE away", "scope.singleNamespace", "false")
	return fail("%s keeps to its own namespace", s.At()).why("It then reads no ingress classes, and takes no Ingress that names one, as the runtime's does.").
		evidence("AMBASSADOR_SINGLE_NAMESPACE is set").advised(s.Owner(), change, setVariable(s, "AMBASSADOR_SINGLE_NAMESPACE-"))
}

const ambassadorServiceMark = "app.kubernetes.io/component"

// ambassadorService prefers the Service whose status is copied.
func ambassadorService(s Site) (facts.Service, bool) {
	namespace := cmp.Or(ambassadorVariable(s, "AMBASSADOR_NAMESPACE"), s.Workload.Namespace)
	for _, service := range s.Cluster.Services {
		marked := strings.EqualFold(service.Labels[ambassadorServiceMark], "ambassador-service")
		if marked && service.Namespace == namespace && selects(service.Selector, s.Workload.PodLabels) {
			return service, true
		}
	}
	return ServiceOf(s.Cluster, s.Workload.Namespace, s.Workload.PodLabels)
}

// ambassadorStatus: Ambassador copies the status of the Service that it holds
// for its own, which only a load balancer fills.
func ambassadorStatus(s Site) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	namespace := cmp.Or(ambassadorVariable(s, "AMBASSADOR_NAMESPACE"), s.Workload.Namespace)
	unfinished := "Without an address on the Ingress, Argo CD holds it for unfinished."
	switch {
	case !s.HasService:
		return fail("%s has no Service whose address it could report", s.At()).why("%s", unfinished).
			fix("Create a Service of type LoadBalancer for it in namespace %s, with the label %s=ambassador-service.", namespace, ambassadorServiceMark)
	case s.Service.Namespace != namespace:
		return fail("Ambassador looks for its Service in namespace %s", namespace).why("It is in namespace %s. %s", s.Service.Namespace, unfinished).
			fix("%s", setVariable(s, "AMBASSADOR_NAMESPACE="+s.Service.Namespace)).evidence("AMBASSADOR_NAMESPACE=%s", namespace)
	case !strings.EqualFold(s.Service.Labels[ambassadorServiceMark], "ambassador-service"):
		repair := labelService(s.Service, "let Ambassador know its Service", ambassadorServiceMark, "ambassador-service")
		return fail("Ambassador does not know Service %s for its own", s.Service.Meta.Name).
			why("It reports the address of a Service with a certain label only. %s", unfinished).
			repaired(s.Cluster.Owner(s.Service.Meta), Change{Repair: repair})
	case s.Service.Type != "LoadBalancer":
		return fail("Ambassador reports no address: Service %s has none", s.Service.Meta.Name).why("It is of type %s. %s", s.Service.Type, unfinished).
			fix("Make it of type LoadBalancer: %s", kubectl("edit", "service", s.Service.Meta.Name))
	}
	return pass("Ambassador reports the address of Service %s", s.Service.Meta.Name)
}
