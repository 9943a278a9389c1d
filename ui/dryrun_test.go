package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

func dryRun(deps *Deps) { deps.DryRun = true }

// The fake engine fails the test when something is written that nobody expects.
func TestADryRunOnlyShowsRepairs(t *testing.T) {
	engine := &fakeEngine{key: true, statusOff: true}
	d := drive(t, engine, dryRun).keys("enter", "enter", "enter", "enter", "enter", "enter", "enter", "down", "enter", "runtime.acme.io", "enter", "enter", "ctrl+f")
	d.shows("A change that would help", "dry run", "kubectl --context prod-eu -n traefik patch")
	d.keys("y")
	if !engine.statusOff {
		t.Error("the repair was made")
	}
	if strings.Contains(d.model.View(), "y apply") {
		t.Errorf("offers to make it\n%s", d.model.View())
	}
}

func TestADryRunOnlyShowsItems(t *testing.T) {
	engine := &fakeEngine{key: true, items: someItems()}
	d := drive(t, engine, func(deps *Deps) { deps.DryRun, deps.Resume, deps.Session.Stage = true, true, session.Installed })
	d.keys("enter")
	d.shows("It hands your token to the runtime.", "dry run", "registerToGitIntegration")
	d.keys("y", "esc", "s")
	d.shows("this is a dry run, and nothing is written")
	if len(engine.chosen)+len(engine.kept) > 0 || d.model.session.Choices["git-user-token"] != "" {
		t.Errorf("chose %v, kept %d secrets", engine.chosen, len(engine.kept))
	}
}

// A session whose install had begun is only looked at, also from the welcome
// page.
func TestADryRunTakesUpNoInstall(t *testing.T) {
	begun := session.New(answers.Default(), noon)
	begun.Stage, begun.Answers.Codefresh.AccountID = session.Installing, "a"
	d := drive(t, &fakeEngine{key: true}, func(deps *Deps) {
		deps.DryRun, deps.Saved = true, []session.Session{begun}
		deps.Open = func(string) (session.Session, plan.Sources, error) { return begun, plan.Sources{}, nil }
	})
	d.keys("down", "enter")
	d.shows("Print the command")
	if d.model.install.running || d.model.session.Stage != session.Installing {
		t.Errorf("installs: %v, stage %s", d.model.install.running, d.model.session.Stage)
	}
}

func TestTheEngineOfADryRunRefusesToWrite(t *testing.T) {
	engine := Deps{Engine: &fakeEngine{t: t}, DryRun: true}.Held().Held().Engine
	_, install := engine.Install(t.Context(), plan.Plan{}, func(release.Event) {})
	_, repaired := engine.Repair(t.Context(), answers.Answers{}, check.Repair{})
	_, did := engine.DoItem(t.Context(), answers.Answers{}, "online", checklist.Given{})
	chose := engine.ChooseItem(context.Background(), answers.Answers{}, "online", checklist.ChoiceSkipped)
	for name, err := range map[string]error{"install": install, "repair": repaired, "item": did, "choice": chose} {
		if p := problem.All(err); len(p) != 1 || p[0].Cause != "dry-run" || !strings.Contains(p[0].Fix, "--dry-run") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
