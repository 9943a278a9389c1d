package plain

import (
	"testing"

	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/ui"
)

// FakeEngine is an engine for a test of all faces.
func FakeEngine(t *testing.T, accountID, sharedRepo string) ui.Engine {
	return &fakeEngine{t: t, account: platform.Account{ID: accountID, Name: "acme", User: "ada", Admin: true, SharedConfigRepo: sharedRepo}}
}

// Sit answers the questions of a sitting, and gives everything that was said.
func Sit(t *testing.T, deps ui.Deps, answer func(question string) (string, bool)) (ui.Outcome, string) {
	b := newTable(t, deps.Engine.(*fakeEngine))
	b.deps = deps
	outcome := b.sitWith(answer)
	return outcome, b.said()
}
