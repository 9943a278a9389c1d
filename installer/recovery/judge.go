package recovery

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/release"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/text"
)

// The actions, by the name that a repair carries. The first two only tidy up;
// the others change what runs, and are asked for one by one.
const (
	ActionTakeOver  = "take over"
	ActionClean     = "clean up"
	ActionRollBack  = "roll back"
	ActionUninstall = "uninstall"
)

// Checks say where the release stands and what is safe to do.
func (f Findings) Checks() []check.Check {
	checks := []check.Check{f.status()}
	if len(f.Leftovers) > 0 {
		checks = append(checks, f.leftover())
	}
	return checks
}

func (f Findings) status() check.Check {
	c := check.Check{ID: "release.status", Scope: "release", Status: check.Pass}
	if len(f.History) == 0 {
		c.Title = "Helm knows no release " + f.Release + " in namespace " + f.Namespace
		return c
	}
	last := f.History[0]
	c.Evidence = fmt.Sprintf("revision %d: %s", last.Version, text.Line(last.Info.Description))
	switch {
	case f.Holder != "":
		c.Status, c.Title = check.Warn, "release "+f.Release+" is being installed by "+f.Holder
		c.Why, c.Fix = "The lease in the namespace says so.", "Wait for it."
	case last.Info.Status.IsPending():
		c.Status, c.Title = check.Fail, fmt.Sprintf("release %s is %s, and nobody works on it", f.Release, last.Info.Status)
		c.Why = "A run was killed. Helm itself would refuse for ever: another operation is in progress."
		c.Fix = "Mark the record as failed, which changes nothing else, and go on: cfwizard resume, or cfwizard install"
		c.Repair = &check.Repair{Release: ActionTakeOver, Namespace: f.Namespace, Name: f.Release, Title: "mark the pending record as failed"}
	case last.Info.Status == release.StatusFailed:
		c.Status, c.Title = check.Fail, "the last install or upgrade of release "+f.Release+" failed"
		c.Why = text.Line(last.Info.Description) + "."
		f.wayOn(&c)
	case last.Info.Status == release.StatusDeployed:
		c.Title = "release " + f.Release + " is deployed"
	case last.Info.Status == release.StatusUninstalling || last.Info.Status == release.StatusUninstalled:
		c.Status, c.Title = check.Warn, "the uninstall of release "+f.Release+" did not come to its end"
		c.Why, c.Fix = text.Line(last.Info.Description)+".", "End it: cfwizard uninstall, or install again: cfwizard install"
	default:
		c.Status, c.Title = check.Warn, fmt.Sprintf("release %s is %s", f.Release, last.Info.Status)
		c.Why = text.Line(last.Info.Description) + "."
		f.wayOn(&c)
	}
	return c
}

// wayOn proposes to roll forward, and what else is safe: to go back to what is
// deployed, or to remove what never was.
func (f Findings) wayOn(c *check.Check) {
	c.Fix = "Mend the cause and go on: cfwizard resume, or cfwizard install. "
	switch back := f.Earlier(); {
	case back != nil:
		c.Fix += fmt.Sprintf("Or go back to revision %d: cfwizard doctor --fix --rollback", back.Version)
		c.Repair = &check.Repair{Release: ActionRollBack, Namespace: f.Namespace, Name: f.Release, Asked: true,
			Title:   fmt.Sprintf("roll back to revision %d, %s", back.Version, about(back)),
			Warning: fmt.Sprintf("Helm makes it revision %d; pods whose template differs are replaced. The evidence of the failure is kept first.", f.History[0].Version+1)}
	case !f.everDeployed():
		c.Fix += "Or remove it all: cfwizard doctor --fix --uninstall"
		c.Repair = &check.Repair{Release: ActionUninstall, Namespace: f.Namespace, Name: f.Release, Asked: true, Title: "uninstall it: nothing was ever deployed",
			Warning: "CRDs, the namespace and the runtime's record in Codefresh stay. The evidence of the failure is kept first."}
	}
	c.Fix = strings.TrimSpace(c.Fix)
}

// Earlier is the revision that Helm still counts as deployed beneath a failed
// one, if any.
func (f Findings) Earlier() *release.Release {
	for _, r := range f.History[min(1, len(f.History)):] {
		if r.Info.Status == release.StatusDeployed {
			return r
		}
	}
	return nil
}

// replaced is what Helm notes on a failed first try that is installed over.
// Other superseded revisions were deployed once.
const replaced = "superseded by new release"

func (f Findings) everDeployed() bool {
	return slices.ContainsFunc(f.History, func(r *release.Release) bool {
		return r.Info.Status == release.StatusDeployed || r.Info.Status == release.StatusSuperseded && r.Info.Description != replaced
	})
}

func about(r *release.Release) string {
	words := "which was deployed"
	if r.Chart != nil && r.Chart.Metadata != nil {
		words = "chart version " + text.Line(r.Chart.Metadata.Version)
	}
	if !r.Info.LastDeployed.IsZero() {
		words += " of " + r.Info.LastDeployed.Local().Format(time.DateTime)
	}
	return words
}

// OnRecord compares what Helm keeps with what Codefresh keeps of the runtime.
func (f Findings) OnRecord(runtime string, known bool, link string) []check.Check {
	c := check.Check{ID: "release.record", Scope: "release", Status: check.Warn}
	switch deployed := len(f.History) > 0 && f.History[0].Info.Status == release.StatusDeployed; {
	case deployed && !known:
		c.Title = "release " + f.Release + " is deployed, and Codefresh does not know the runtime " + runtime
		c.Why = "The runtime's app-proxy registers it, or somebody deleted it there."
		c.Fix = "See what it says: kubectl logs --namespace " + text.Quote(f.Namespace) + " deployment/cap-app-proxy"
	case len(f.History) == 0 && known:
		c.Title = "Codefresh knows a runtime " + runtime + " in namespace " + f.Namespace + ", and Helm knows no release of it here"
		c.Why = "It is in another cluster, of another release name, or was removed without Codefresh being told."
		c.Fix = "If it is gone for good: cfwizard uninstall --platform, or delete it at " + link
	default:
		return nil
	}
	return []check.Check{c}
}

func (f Findings) leftover() check.Check {
	names := cluster.Names(f.Leftovers)
	return check.Check{ID: "release.leftovers", Scope: "release", Status: check.Warn, Title: "hooks of a stopped run left " + text.Plural(len(names), "object") + " behind",
		Why: "Among them may be values in a ConfigMap and a ClusterRole with all rights: " + strings.Join(names, ", ") + ".", Fix: "Delete them; the next install makes its own.",
		Repair: &check.Repair{Release: ActionClean, Namespace: f.Namespace, Name: f.Release, Title: "delete " + strings.Join(names, ", ")}}
}
