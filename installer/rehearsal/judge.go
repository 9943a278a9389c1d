package rehearsal

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// judge sums the tries up: what the server refuses, what is somebody else's.
func judge(script Script, tries []try) []check.Check {
	return append(refusals(script, tries), collisions(script, tries))
}

func refusals(script Script, tries []try) []check.Check {
	var checks []check.Check
	for reason, names := range byReason(tries, refused) {
		checks = append(checks, check.Check{ID: "rehearsal.refused", Scope: "rehearsal", Status: check.Fail, Title: "the API server would refuse " + some(names),
			Why: reason, Fix: "Mend what it says; the object as it is: cfwizard plan -o manifest"})
	}
	for reason, names := range byReason(tries, doubtful) {
		checks = append(checks, check.Check{ID: "rehearsal.refused", Scope: "rehearsal", Status: check.Warn, Title: "the API server refuses " + some(names) + " in namespace " + metav1.NamespaceDefault,
			Why: reason + ". It stands in for " + script.Namespace + ", which is yet to be created and may have other rules.",
			Fix: "Make the namespace as it shall be, and check again: kubectl create namespace " + text.Quote(script.Namespace)})
	}
	return append(checks, summary(script, tries))
}

// byReason are the objects of an outcome by the reason for it, in the order of
// the objects and not too many.
func byReason(tries []try, wanted outcome) iter.Seq2[string, []string] {
	reasons := map[string][]string{}
	var order []string
	for _, t := range tries {
		if t.outcome != wanted {
			continue
		}
		if _, known := reasons[t.reason]; !known {
			order = append(order, t.reason)
		}
		reasons[t.reason] = append(reasons[t.reason], t.name())
	}
	const most = 10
	return func(yield func(string, []string) bool) {
		for _, reason := range order[:min(most, len(order))] {
			if !yield(reason, reasons[reason]) {
				return
			}
		}
	}
}

// summary counts what was tried and what was not.
func summary(script Script, tries []try) check.Check {
	counts := map[outcome]int{}
	for _, t := range tries {
		counts[t.outcome]++
	}
	fine := counts[accepted] + counts[ours]
	c := check.Check{ID: "rehearsal.objects", Scope: "rehearsal", Status: check.Pass, Title: fmt.Sprintf("the API server accepts %d of %d objects in a dry run", fine, len(tries))}
	if !script.NamespaceExists {
		c.Evidence = "tried in namespace " + metav1.NamespaceDefault + ", because " + script.Namespace + " is yet to be created"
	}
	switch {
	case counts[refused] > 0:
		c.Status, c.Why, c.Fix = check.Fail, fmt.Sprintf("%d are refused.", counts[refused]), "See each reason above."
	case counts[silent] > 0:
		c.Status, c.Why, c.Fix = check.Fail, fmt.Sprintf("%d got no answer in time.", counts[silent]), "Try again; see how the API server is: kubectl get --raw /readyz?verbose"
	case counts[doubtful] > 0:
		c.Status, c.Why, c.Fix = check.Warn, fmt.Sprintf("%d are refused in the namespace that stands in.", counts[doubtful]), "See each reason above."
	case counts[untried] > 0:
		c.Status, c.Title = check.Skip, fmt.Sprintf("%d of %d objects could not be tried for lack of rights", counts[untried], len(tries))
	case counts[unknown]+counts[noDryRun] > 0:
		c.Why = fmt.Sprintf("%d are of kinds that the install itself brings, %d cannot be rehearsed.", counts[unknown], counts[noDryRun])
	}
	return c
}

// collisions are objects of these names that belong to somebody else.
func collisions(script Script, tries []try) check.Check {
	c := check.Check{ID: "rehearsal.collisions", Scope: "rehearsal", Status: check.Pass, Field: "runtime.release", Title: "no object of these names belongs to somebody else"}
	var taken []string
	release := ""
	for _, t := range tries {
		if t.outcome != foreign || slices.Contains(script.Spared, t.object.GetName()) {
			continue
		}
		taken = append(taken, t.name()+" ("+ownerWords(t.owner)+")")
		if t.owner.Kind == facts.HelmOwner {
			release = t.owner.Namespace + "/" + t.owner.Name
		}
	}
	if unseen := unseen(script, tries); len(taken) == 0 && unseen > 0 {
		c.Status, c.Title = check.Skip, fmt.Sprintf("of %d of %d objects it is not known whether somebody else has them", unseen, len(tries))
	}
	if len(taken) == 0 {
		return c
	}
	c.Status, c.Title, c.Evidence = check.Fail, fmt.Sprintf("%d objects exist and belong to somebody else", len(taken)), strings.Join(taken[:min(20, len(taken))], ", ")
	c.Why = "Helm refuses them: " + some(taken) + "."
	c.Fix = "Remove what is left of an older install, or choose another cluster."
	if release != "" {
		c.Fix = "They are of the Helm release " + release + ": upgrade or uninstall that one, or choose another cluster."
	}
	return c
}

// unseen counts the objects that the server did not look for: it says that
// something exists only where nothing else speaks against it.
func unseen(script Script, tries []try) int {
	count := 0
	for _, t := range tries {
		if slices.Contains([]outcome{untried, refused, silent, noDryRun}, t.outcome) && !script.standsIn(t.prop) {
			count++
		}
	}
	return count
}

func ownerWords(o facts.Owner) string {
	if o.Kind == "" {
		return "not of Helm"
	}
	return o.String()
}
