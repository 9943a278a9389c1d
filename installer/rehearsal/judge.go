package rehearsal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// judge sums the tries up: what the server refuses, what is somebody else's.
func judge(script Script, tries []try) []check.Check {
	return append(refusals(script, tries), collisions(script, tries))
}

func refusals(script Script, tries []try) []check.Check {
	var checks []check.Check
	reasons := map[string][]string{}
	var order []string
	for _, t := range tries {
		if t.outcome != refused {
			continue
		}
		if _, known := reasons[t.reason]; !known {
			order = append(order, t.reason)
		}
		reasons[t.reason] = append(reasons[t.reason], t.name())
	}
	const most = 10
	for _, reason := range order[:min(most, len(order))] {
		checks = append(checks, check.Check{ID: "rehearsal.refused", Scope: "rehearsal", Status: check.Fail, Title: "the API server would refuse " + some(reasons[reason]),
			Why: reason, Fix: "Mend what it says; the object as it is: cfwizard plan -o manifest"})
	}
	return append(checks, summary(script, tries, len(order)))
}

// summary counts what was tried and what was not.
func summary(script Script, tries []try, refusedReasons int) check.Check {
	counts := map[outcome]int{}
	for _, t := range tries {
		counts[t.outcome]++
	}
	fine := counts[accepted] + counts[ours]
	c := check.Check{ID: "rehearsal.objects", Scope: "rehearsal", Status: check.Pass, Title: fmt.Sprintf("the API server accepts %d of %d objects in a dry run", fine, len(tries))}
	if !script.NamespaceExists {
		c.Evidence = "tried in namespace default, because " + script.Namespace + " is yet to be created"
	}
	switch {
	case refusedReasons > 0:
		c.Status, c.Why, c.Fix = check.Fail, fmt.Sprintf("%d are refused.", counts[refused]), "See each reason above."
	case counts[silent] > 0:
		c.Status, c.Why, c.Fix = check.Fail, fmt.Sprintf("%d got no answer in time.", counts[silent]), "Try again; see how the API server is: kubectl get --raw /readyz?verbose"
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

func ownerWords(o facts.Owner) string {
	if o.Kind == "" {
		return "not of Helm"
	}
	return o.String()
}
