package access

import (
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// albParams are the IngressClassParams of a class: settings of the load
// balancer that win over the Ingress's annotations.
type albParams struct {
	name       string // empty: the class has none
	resource   string // as kubectl takes it
	understood bool   // of the kind that the controller reads
	found      bool
	unread     facts.Unread
	spec       map[string]any
}

// albParamsOf finds what the class names as kind.group/name.
func albParamsOf(s Site) albParams {
	kindGroup, name, _ := strings.Cut(s.Class.Parameters, "/")
	kind, group, _ := strings.Cut(kindGroup, ".")
	wanted := "elbv2.k8s.aws"
	if s.Class.Controller == autoModeController {
		wanted = "eks.amazonaws.com"
	}
	params := albParams{name: text.Line(name), resource: "ingressclassparams." + wanted, understood: kind == "IngressClassParams" && group == wanted}
	if name == "" || !params.understood {
		return params
	}
	params.unread, _ = s.Cluster.Could(facts.Groups, params.resource)
	for _, custom := range s.Cluster.Custom[params.resource] {
		if custom.Meta.Name.Name == name {
			params.found, params.spec = true, custom.Spec
		}
	}
	return params
}

// albSetting is a setting of the load balancer, and where it comes from. It is
// not known while the parameters are not.
func albSetting(s Site, annotation, field string) (value, from string, known bool) {
	params := albParamsOf(s)
	if set := digText(params.spec, field); set != "" {
		return set, "IngressClassParams " + params.name + ", spec." + field, true
	}
	return text.Line(albAnnotations(s)[albAnnotation+annotation]), "annotation " + albAnnotation + annotation, params.unread.What == ""
}

// albMend tells how to change a setting: parameters are shared by all Ingresses
// of the class, and changing them rebuilds their load balancers.
func albMend(s Site, annotation, field, value string) string {
	params := albParamsOf(s)
	if digText(params.spec, field) == "" {
		return "Leave the annotation to cfwizard, or set it: --access.ingress.annotations " + albAnnotation + annotation + "=" + value
	}
	return "Choose a class without that setting; or change it for all Ingresses of this class, whose load balancers are then built anew: kubectl patch " +
		params.resource + " " + text.Quote(params.name) + ` --type=merge -p '{"spec":{"` + field + `":"` + value + `"}}'`
}

func albWatches(s Site) Verdict {
	if only := s.Flags.Text("watch-namespace", ""); only != "" && only != s.Want.Namespace && s.Class.Controller != autoModeController {
		return albElsewhere(s, only)
	}
	params := albParamsOf(s)
	selector := dig[map[string]any](params.spec, "namespaceSelector")
	switch {
	case params.unread.What != "":
		return unread(params.unread)
	case len(selector) == 0:
		return pass("sees Ingresses of namespace %s", s.Want.Namespace)
	case s.Want.NamespaceUnknown:
		return skip("not allowed to read the labels of namespace %s, which the IngressClassParams select by", s.Want.Namespace)
	case selectsNamespace(s.Want, selector):
		return pass("IngressClassParams %s select namespace %s", params.name, s.Want.Namespace).evidence("namespaceSelector %s", selectorWords(selector))
	}
	return fail("IngressClassParams %s leave out namespace %s", params.name, s.Want.Namespace).why("The controller refuses Ingresses from there.").
		evidence("namespaceSelector %s", selectorWords(selector)).fix("%s", joinSelector(s.Want, selector))
}

// albElsewhere is about a controller that watches one other namespace.
func albElsewhere(s Site, only string) Verdict {
	verdict := fail("%s watches namespace %s only", s.At(), only).why("It does not see the runtime's Ingress in namespace %s.", s.Want.Namespace).
		evidence("--watch-namespace=%s", only)
	args := s.Program().Args
	change := Change{Chart: s.Controller.Chart, Values: map[string]string{"watchNamespace": ""},
		Repair: setArgs(s.Workload, s.Container, "let the controller watch all namespaces", withoutFlag(args, "watch-namespace"))}
	if len(change.Repair.After) < len(args) {
		return verdict.repaired(s.Owner(), change)
	}
	return verdict.advised(s.Owner(), change, "Take --watch-namespace out of its command: "+kubectl("edit", s.Workload.Kind, s.Workload.Meta.Name))
}
