package recovery

import (
	"fmt"
	"strings"

	"helm.sh/helm/v3/pkg/release"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// The safe actions, by the name that a repair carries.
const (
	ActionTakeOver = "take over"
	ActionClean    = "clean up"
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
		c.Why, c.Fix = text.Line(last.Info.Description)+".", f.wayOn()
	case last.Info.Status == release.StatusDeployed:
		c.Title = "release " + f.Release + " is deployed"
	default:
		c.Status, c.Title = check.Warn, fmt.Sprintf("release %s is %s", f.Release, last.Info.Status)
		c.Why, c.Fix = text.Line(last.Info.Description), f.wayOn()
	}
	return c
}

// wayOn proposes to roll forward, and what else is safe.
func (f Findings) wayOn() string {
	words := "Mend the cause and go on: cfwizard resume, or cfwizard install. "
	for _, r := range f.History[1:] {
		if r.Info.Status == release.StatusDeployed || r.Info.Status == release.StatusSuperseded {
			return words + fmt.Sprintf("Or go back: helm rollback %s %d --namespace %s", text.Quote(f.Release), r.Version, text.Quote(f.Namespace))
		}
	}
	return words + "Or remove it all: helm uninstall " + text.Quote(f.Release) + " --namespace " + text.Quote(f.Namespace)
}

func (f Findings) leftover() check.Check {
	var names []string
	for _, l := range f.Leftovers {
		names = append(names, l.String())
	}
	return check.Check{ID: "release.leftovers", Scope: "release", Status: check.Warn, Title: "hooks of a stopped run left " + text.Plural(len(names), "object") + " behind",
		Why: "Among them may be values in a ConfigMap and a ClusterRole with all rights: " + strings.Join(names, ", ") + ".", Fix: "Delete them; the next install makes its own.",
		Repair: &check.Repair{Release: ActionClean, Namespace: f.Namespace, Name: f.Release, Title: "delete " + strings.Join(names, ", ")}}
}
