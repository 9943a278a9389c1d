package ui

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/repair"
)

// A controller that reports no address is mended from the page that tells it.
func TestARepairIsShownAndAppliedOnConsent(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t)
		engine := d.model.deps.Engine.(*fakeEngine)
		engine.statusOff = true
		d.keys("esc", "esc", "esc", "enter")
		d.keys("down", "enter", "runtime.acme.io", "enter", "enter")
		d.shows("problem:", "ctrl+f fix", "ctrl+f shows the change")
		d.size(120, 40)
		d.keys("ctrl+f")
		d.shows("Make this change?", "+ --providers.kubernetesingress.ingressendpoint.publishedservice=traefik/traefik", "kubectl --context prod-eu -n traefik patch deployments.apps traefik", "doctor --undo")
		d.keys("n")
		if !engine.statusOff {
			t.Fatal("it was applied without consent")
		}
		d.keys("ctrl+f", "y")
		if engine.statusOff {
			t.Fatal("it was not applied")
		}
		if view := d.model.View(); strings.Contains(view, "ctrl+f fix") {
			t.Errorf("still offers a fix\n%s", view)
		}
	})
}

// A change that is no longer for what is there is not offered again: the page
// tells it, and what is there is read anew.
func TestARepairOfWhatHasChangedLooksAgain(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t)
		engine := d.model.deps.Engine.(*fakeEngine)
		engine.statusOff, engine.repairErr = true, &problem.Problem{Cause: repair.Outdated, What: "it has changed", Fix: "Look again."}
		d.keys("esc", "esc", "esc", "enter")
		d.keys("down", "enter", "runtime.acme.io", "enter", "enter")
		d.keys("ctrl+f", "y")
		d.shows("it has changed")
		if view := d.model.View(); strings.Contains(view, "Make this change?") {
			t.Errorf("still offers the change of before\n%s", view)
		}
	})
}

// What the rehearsal finds is told before anything is written, and the person
// is asked once more.
func TestFailedChecksAskBeforeInstalling(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toOptions(t)
		d.model.deps.Engine.(*fakeEngine).rehearsal = []check.Check{{ID: "rehearsal.collisions", Status: check.Fail, Title: "3 objects belong to somebody else", Why: "Helm refuses them.", Fix: "Remove them."}}
		d.keys("enter")
		d.shows("Install although 1 check failed", "ctrl+e details")
		d.keys("ctrl+e")
		d.shows("problem: 3 objects belong to somebody else", "Helm refuses them.", "Remove them.")
		d.keys("esc", "enter")
		d.shows("Install although checks failed?", "y install anyway")
		d.keys("n")
		d.shows("Install although 1 check failed")
	})
}
