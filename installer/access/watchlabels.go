package access

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/cfwizard/cfwizard/installer/text"
)

// watchesLabels judges a flag that picks the namespaces to watch by their
// labels. Without one, all are watched.
func watchesLabels(s Site, selector string) Verdict {
	if selector == "" {
		return pass("%s sees namespace %s", s.At(), s.Want.Namespace)
	}
	parsed, err := labels.Parse(selector)
	switch {
	case err != nil:
		return fail("%s watches namespaces by a selector that is none", s.At()).why("%s.", err).
			fix("Correct it: kubectl -n %s edit %s %s", s.Workload.Namespace, strings.ToLower(s.Workload.Kind), s.Workload.Meta.Name.Name).evidence("%s", selector)
	case s.Want.NamespaceUnknown:
		return skip("the labels of namespace %s could not be read", s.Want.Namespace).evidence("selector %s", selector)
	case parsed.Matches(labels.Set(labelsOfNamespace(s.Want))):
		return pass("%s sees namespace %s by its labels", s.At(), s.Want.Namespace).evidence("selector %s", selector)
	}
	return fail("namespace %s lacks the labels that %s looks for", s.Want.Namespace, s.At()).why("It ignores Ingresses in other namespaces without a word.").
		fix("%s (after kubectl create namespace, where it is not there yet)", labelCommand(s.Want, parsed)).evidence("selector %s", selector)
}

// labelCommand brings the runtime's namespace under a selector.
func labelCommand(want Want, selector labels.Selector) string {
	command := []string{"kubectl label --overwrite namespace", text.Quote(want.Namespace)}
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		if r.Matches(labels.Set(labelsOfNamespace(want))) {
			continue
		}
		switch r.Operator() {
		case selection.Exists:
			command = append(command, text.Quote(r.Key()+"=true"))
		case selection.Equals, selection.DoubleEquals, selection.In:
			command = append(command, text.Quote(r.Key()+"="+r.Values().List()[0]))
		case selection.DoesNotExist, selection.NotEquals, selection.NotIn:
			command = append(command, text.Quote(r.Key()+"-"))
		}
	}
	return strings.Join(command, " ")
}
