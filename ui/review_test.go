package ui

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Nobody installs without having been told that there are warnings, and all of
// them can be reached.
func TestTheReviewTellsOfItsWarnings(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toOptions(t)
		for _, name := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
			engineOf(d).rehearsal = append(engineOf(d).rehearsal, check.Check{ID: name, Status: check.Warn, Title: name + " is slow", Why: "It took long.", Fix: "Wait."})
		}
		d.keys("enter")
		d.shows("› Install now (6 warnings, ctrl+e)", "esc back")
		for range 20 {
			d.keys("up")
		}
		d.shows("warning: alpha is slow")
		d.keys("down", "ctrl+e")
		d.shows("warning: alpha is slow", "It took long.")
	})
}

func TestTheDetailsHoldWhatIsWrongWithThePlan(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toReview(t)
		d.model.review.problems = problem.List{{Field: "runtime.name", What: "it is too long", Fix: "Shorten it."}}
		d.model.review.plan.Warnings = []string{"a file would undo an answer"}
		d.shows("not yet: 1 problem above must", "ctrl+e details")
		d.keys("ctrl+e")
		d.shows("runtime.name: it is too long. Shorten it.", "warning: a file would undo an answer")
	})
}

// A line that is settled elsewhere says so, and leads nowhere.
func TestALineThatIsSettledElsewhere(t *testing.T) {
	played(t, func(t *testing.T) {
		account := &platform.Account{ID: "a", Name: "acme", User: "ada", Admin: true, SharedConfigRepo: "https://github.com/acme/isc.git"}
		d := drive(t, &fakeEngine{key: true, account: account}, nil)
		for range 30 {
			if d.model.onStep() {
				d.keys("enter")
			}
		}
		for !strings.Contains(d.model.View(), "› Git ") {
			d.keys("up")
		}
		d.shows("It cannot be changed here: the account has")
		if strings.Contains(d.model.View(), "enter change") {
			t.Errorf("offers to change it\n%s", d.model.View())
		}
		if d.keys("enter"); d.model.at != d.model.reviewPage() {
			t.Errorf("went to %s", d.page())
		}
	})
}
