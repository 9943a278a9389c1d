package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// ambassadorListener: since version 2 Ambassador listens only where a Listener
// says so. Before, there was no such kind.
func ambassadorListener(s Site) Verdict {
	if missing, all := s.Cluster.Could(facts.Groups, facts.CRDs, ambassadorListeners); !all {
		return unread(missing)
	}
	if !slices.ContainsFunc(s.Cluster.CRDs, func(m facts.Meta) bool { return m.Name.Name == ambassadorListeners }) {
		return skip("this Ambassador has no Listeners")
	}
	var closed []string
	for _, listener := range s.Cluster.Custom[ambassadorListeners] {
		ids := digTexts(listener.Spec, "ambassador_id")
		switch {
		case len(ids) > 0 && !slices.Contains(ids, ambassadorID(s)), len(ids) == 0 && ambassadorID(s) != "default":
		case listens(listener, s.Want):
			return pass("Listener %s takes hosts of namespace %s", listener.Name, s.Want.Namespace)
		default:
			closed = append(closed, listener.Name.String())
		}
	}
	return noListener(s, closed)
}

// listens reports whether a Listener takes hosts of the runtime's namespace.
func listens(listener facts.Custom, want Want) bool {
	binding := dig[map[string]any](listener.Spec, "hostBinding", "namespace")
	switch strings.ToUpper(digText(binding, "from")) {
	case "ALL":
		return true
	case "SELF":
		return listener.Namespace == want.Namespace
	case "":
		return len(dig[map[string]any](listener.Spec, "hostBinding", "selector")) > 0
	}
	return false
}

func noListener(s Site, closed []string) Verdict {
	verdict := fail("Ambassador listens nowhere").why("It opens ports only where a Listener says so, and there is none for it.")
	if len(closed) > 0 {
		verdict = fail("no Listener takes hosts of namespace %s", s.Want.Namespace).why("spec.hostBinding keeps them out.").
			evidence("Listeners %s", strings.Join(closed, ", "))
	}
	return verdict.advised(s.Owner(), ambassadorChange(s, "create a Listener", "createDefaultListeners", "true"), newListeners(s))
}

// newListeners are those that the chart would make.
func newListeners(s Site) string {
	manifest := "Create them:\nkubectl apply -f - <<'END'\n"
	for _, l := range []struct {
		name string
		port int
	}{{"http", 8080}, {"https", 8443}} {
		manifest += fmt.Sprintf("---\napiVersion: getambassador.io/v3alpha1\nkind: Listener\nmetadata: {name: codefresh-%s, namespace: %s}\nspec:\n"+
			"  port: %d\n  protocol: %s\n  securityModel: XFP\n  hostBinding: {namespace: {from: ALL}}\n", l.name, s.Workload.Namespace, l.port, strings.ToUpper(l.name))
		if id := ambassadorID(s); id != "default" {
			manifest += fmt.Sprintf("  ambassador_id: [%q]\n", id)
		}
	}
	return manifest + "END"
}

// ambassadorConversion: Kubernetes asks this server to read Ambassador's objects
// of several versions. Installs of one version have none.
func ambassadorConversion(s Site) Verdict {
	if missing, all := s.Cluster.Could(facts.Workloads); !all {
		return unread(missing)
	}
	missing, listed := s.Cluster.Could(ambassadorListeners)
	for _, w := range s.Cluster.Workloads {
		if !strings.HasSuffix(w.Meta.Name.Name, "-apiext") {
			continue
		}
		if w.Ready > 0 {
			return pass("%s %s is ready", w.Kind, w.Meta.Name)
		}
		return fail("%s %s has no ready pod", w.Kind, w.Meta.Name).why("Without it Kubernetes cannot read Ambassador's objects, and Ambassador waits for it.").
			evidence("%d of %d ready", w.Ready, w.Wanted).fix("See why: %s", kubectl("describe", w.Kind, w.Meta.Name))
	}
	if !listed && missing.Reason == facts.Failed {
		return warn("Kubernetes cannot read Ambassador's objects").why("The server that translates them, emissary-apiext, was not found.").
			fix("Install it with Ambassador's kinds: helm upgrade --install emissary-crds oci://ghcr.io/emissary-ingress/emissary-crds-chart").
			evidence("%s", missing.String())
	}
	return nothing
}
