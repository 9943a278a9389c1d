package access

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// routesVerdict says whether the runtime's route may attach to a listener that
// serves its host.
func routesVerdict(cluster facts.Cluster, parent facts.Custom, listeners []gatewayListener, want Want) Verdict {
	verdict, found := skip("no listener of the Gateway serves the host"), false
	for _, l := range listeners {
		if !l.covers(want.Host) || l.judge(parent, want).Status == check.Fail {
			continue
		}
		if judged := l.routes(cluster, parent, want); !found || severity(judged) < severity(verdict) {
			verdict, found = judged, true
		}
	}
	return verdict
}

// routes says whether a listener takes the runtime's route. Without a word, it
// takes those of the Gateway's own namespace.
func (l gatewayListener) routes(cluster facts.Cluster, parent facts.Custom, want Want) Verdict {
	from := cmp.Or(digText(l.allowed, "namespaces", "from"), "Same")
	selector := dig[map[string]any](l.allowed, "namespaces", "selector")
	refused := fail("listener %s takes no routes of namespace %s", l.name, want.Namespace).why("Its allowedRoutes keep them out.").evidence("from %s", from)
	switch {
	case !l.takesHTTP():
		return fail("listener %s takes no HTTPRoutes", l.name).why("Its allowedRoutes list other kinds.").
			repaired(cluster.Owner(parent.Meta), Change{Repair: l.allowing(parent, "let listener "+l.name+" take HTTPRoutes", l.withHTTP())})
	case from == "All", from == "Same" && parent.Namespace == want.Namespace:
		return pass("listener %s takes routes of namespace %s", l.name, want.Namespace).evidence("from %s", from)
	case from == "Same":
		return refused.repaired(cluster.Owner(parent.Meta), l.opening(parent, want, parent.Namespace, want.Namespace))
	case from != "Selector":
		return refused.repaired(cluster.Owner(parent.Meta), l.opening(parent, want, want.Namespace))
	case want.NamespaceUnknown:
		return skip("not allowed to read the labels of namespace %s, which listener %s selects by", want.Namespace, l.name).evidence("%s", selectorWords(selector))
	case selectsNamespace(want, selector):
		return pass("listener %s selects namespace %s", l.name, want.Namespace).evidence("%s", selectorWords(selector))
	}
	refused = refused.evidence("selector %s", selectorWords(selector))
	if named := namespacesByName(selector); len(named) > 0 {
		return refused.repaired(cluster.Owner(parent.Meta), l.opening(parent, want, append(named, want.Namespace)...))
	}
	return refused.fix("%s", joinSelector(want, selector))
}

// takesHTTP reports whether HTTPRoutes are among the kinds. Without a list the
// protocol decides, and it is http or https here.
func (l gatewayListener) takesHTTP() bool {
	kinds := digList(l.allowed, "kinds")
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(kind map[string]any) bool {
		return digText(kind, "kind") == "HTTPRoute" && cmp.Or(digText(kind, "group"), gatewayGroup) == gatewayGroup
	})
}

func (l gatewayListener) withHTTP() map[string]any {
	allowed := maps.Clone(l.allowed)
	allowed["kinds"] = append(slices.Clone(dig[[]any](l.allowed, "kinds")), map[string]any{"group": gatewayGroup, "kind": "HTTPRoute"})
	return allowed
}

// namespacesByName are those that a selector names one by one, and by nothing
// else: such a list can be made longer.
func namespacesByName(selector map[string]any) []string {
	rules, labels := digList(selector, "matchExpressions"), digLabels(selector, "matchLabels")
	switch {
	case len(rules) == 0 && len(labels) == 1 && labels[namespaceNameLabel] != "":
		return []string{labels[namespaceNameLabel]}
	case len(rules) == 1 && len(labels) == 0 && digText(rules[0], "key") == namespaceNameLabel && digText(rules[0], "operator") == "In":
		return digTexts(rules[0], "values")
	}
	return nil
}

// opening lets the listener take routes of these namespaces and no others.
func (l gatewayListener) opening(parent facts.Custom, want Want, namespaces ...string) Change {
	values := make([]any, len(namespaces))
	for i, namespace := range namespaces {
		values[i] = namespace
	}
	allowed := map[string]any{}
	maps.Copy(allowed, l.allowed)
	allowed["namespaces"] = map[string]any{"from": "Selector", "selector": map[string]any{
		"matchExpressions": []any{map[string]any{"key": namespaceNameLabel, "operator": "In", "values": values}}}}
	return Change{Repair: l.allowing(parent, fmt.Sprintf("let listener %s take routes of namespace %s", l.name, want.Namespace), allowed)}
}

// allowing replaces the listener's allowedRoutes as a whole, so that its test
// refuses a Gateway that has changed meanwhile.
func (l gatewayListener) allowing(parent facts.Custom, title string, allowed map[string]any) check.Repair {
	at := fmt.Sprintf("/spec/listeners/%d", l.index)
	path := at + "/allowedRoutes"
	same, now := check.Operation{Op: "test", Path: at + "/name", Value: l.name}, check.Operation{Op: "test", Path: path, Value: allowed}
	repair := check.Repair{Title: title, Group: gatewayGroup, Version: parent.Version, Resource: "gateways", Namespace: parent.Namespace, Name: parent.Name.Name,
		Before: yamlOf(l.allowed), After: yamlOf(allowed)}
	if l.allowed == nil {
		repair.Patch = []check.Operation{same, {Op: "add", Path: path, Value: allowed}}
		repair.Undo = []check.Operation{same, now, {Op: "remove", Path: path}}
		return repair
	}
	repair.Patch = []check.Operation{same, {Op: "test", Path: path, Value: l.allowed}, {Op: "replace", Path: path, Value: allowed}}
	repair.Undo = []check.Operation{same, now, {Op: "replace", Path: path, Value: l.allowed}}
	return repair
}

// yamlOf are the lines that a person sees in the diff.
func yamlOf(object map[string]any) []string {
	written, err := yaml.Marshal(object)
	if err != nil || len(object) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(written)), "\n")
}
