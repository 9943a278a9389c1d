package access

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/cfwizard/cfwizard/installer/text"
)

func traefikWatches(s Site, c staticConfig) Verdict {
	namespaces := c.list(ingressProvider + ".namespaces")
	switch {
	case byNginx(s, c):
		return nginxWatches(s, c)
	case !c.has(ingressProvider):
		return skip("%s takes no Ingresses at all", s.At())
	case len(namespaces) > 0 && !slices.Contains(namespaces, s.Want.Namespace):
		return mendTraefik(s, c, fail("%s does not watch namespace %s", s.At(), s.Want.Namespace).
			why("It watches %s only.", strings.Join(namespaces, ", ")), watchAlso(c, s.Want.Namespace))
	}
	return labelled(s, c)
}

// watchAlso adds a namespace to those that are watched.
func watchAlso(c staticConfig, namespace string) traefikChange {
	all := append(c.list(ingressProvider+".namespaces"), namespace)
	return traefikChange{title: "let Traefik watch namespace " + namespace,
		static: []setting{{ingressProvider + ".namespaces", all}}, chart: []setting{{ingressProvider + ".namespaces", all}},
		also: "Its service account must be allowed to read that namespace."}
}

// labelled judges the selector for the labels of Ingresses.
func labelled(s Site, c staticConfig) Verdict {
	wanted := c.text(ingressProvider + ".labelSelector")
	selector, err := labels.Parse(wanted)
	switch {
	case err != nil:
		return fail("the labelSelector of %s cannot be read", s.At()).why("Its provider does not start with it: %s", text.Line(err.Error())).
			fix("Correct %s.labelSelector in its %s.", ingressProvider, c.source).evidence("%s; labelSelector %s", c, wanted)
	case selector.Matches(labels.Set(s.Want.IngressLabels())):
		return pass("%s sees the runtime's Ingress", s.At()).evidence("%s", c)
	}
	v := fail("the labelSelector of %s does not pick the runtime's Ingress", s.At()).why("It takes Ingresses with these labels only: %s", wanted).evidence("%s", c)
	missing, possible := labelsFor(s.Want, selector)
	if !possible {
		return v.fix("Let %s.labelSelector pick the runtime's Ingress, whose labels are: %s", ingressProvider, labels.Set(s.Want.IngressLabels()))
	}
	return v.fix("Give the Ingress these labels: --access.ingress.labels %s", text.Quote(pairs(s.Want.Labels, missing)))
}

// pairs writes labels as the answers' flag takes them.
func pairs(sets ...map[string]string) string {
	all := map[string]string{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	words := make([]string, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		words = append(words, key+"="+all[key])
	}
	return strings.Join(words, ",")
}

// labelsFor finds the labels that would satisfy a selector. Those that the
// chart sets itself cannot be changed, and none can be taken away.
func labelsFor(want Want, selector labels.Selector) (missing map[string]string, possible bool) {
	fixed := labels.Set(Want{RuntimeName: want.RuntimeName}.IngressLabels())
	requirements, _ := selector.Requirements()
	missing = map[string]string{}
	for _, r := range requirements {
		if r.Matches(labels.Set(want.IngressLabels())) {
			continue
		}
		if fixed.Has(r.Key()) {
			return nil, false
		}
		switch r.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			missing[r.Key()] = slices.Min(r.ValuesUnsorted())
		case selection.Exists:
			missing[r.Key()] = "true"
		default:
			return nil, false
		}
	}
	return missing, selector.Matches(labels.Merge(want.IngressLabels(), missing))
}
