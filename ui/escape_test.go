package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
)

const evil = "ev\x1b[2J\x1b]0;owned\x07il\x9b31m\u202e"

func evilChecks() []check.Check {
	return []check.Check{{ID: "x", Status: check.Fail, Title: evil, Why: evil, Fix: evil, Evidence: evil, Repair: &check.Repair{Title: evil, Resource: "services", Name: evil, Warning: evil,
		Before: []string{evil}, After: []string{evil + "2"}, Patch: []check.Operation{{Op: "add", Path: "/x", Value: "y"}}}}}
}

func evilProblem() error { return &problem.Problem{What: evil, Why: evil, Fix: evil} }

func evilItems() []checklist.Item {
	return []checklist.Item{{ID: "x", Title: evil, Why: evil, Needed: true, State: checklist.ToDo, Detail: evil, Fix: evil, Does: evil, Preview: []string{evil}, Warning: evil,
		Inputs: []checklist.Input{{Name: "name", Title: evil, Default: evil}}, Command: evil + "\ncat <<'END'\n" + evil + "\nEND", Link: evil, Files: []checklist.File{{Path: evil, Content: evil}}}}
}

// Whatever the world says through the engine, nothing but text is drawn.
func TestNothingFromElsewhereMovesTheCursor(t *testing.T) {
	for name, test := range map[string]struct {
		engine fakeEngine
		keys   []string // from the first page on
	}{
		"contexts":    {fakeEngine{key: true, contexts: []string{"a", evil}}, nil},
		"cluster":     {fakeEngine{key: true, clusterErr: evilProblem()}, []string{"ctrl+e"}},
		"account":     {fakeEngine{key: true, account: &platform.Account{ID: evil, Name: evil, User: evil, Admin: true}}, []string{"enter"}},
		"no account":  {fakeEngine{accountErr: evilProblem()}, []string{"enter", "enter"}},
		"key context": {fakeEngine{keyContexts: []platform.Context{{Name: evil, URL: evil, Current: true}}, accountErr: evilProblem()}, []string{"enter"}},
		"versions":    {fakeEngine{key: true, versions: []string{evil, "1"}}, []string{"enter", "enter", "enter", "enter", "enter", "enter"}},
		"no versions": {fakeEngine{key: true, versionsErr: evilProblem()}, []string{"enter", "enter", "enter"}},
		"reach": {fakeEngine{key: true, reach: evilChecks()}, []string{"enter", "enter", "enter", "enter", "enter", "enter", "enter", "down", "enter", "runtime.acme.io", "enter", "enter",
			"ctrl+e"}},
		"repair":    {fakeEngine{key: true, git: evilChecks()}, []string{"enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "github.com/a/b", "enter", "ctrl+f"}},
		"rehearsal": {fakeEngine{key: true, rehearsal: evilChecks()}, []string{"review"}},
		"anyway":    {fakeEngine{key: true, rehearsal: evilChecks()}, []string{"review", "enter"}},
		"checklist": {fakeEngine{key: true, items: evilItems(), install: succeeds}, []string{"review", "enter"}},
		"item":      {fakeEngine{key: true, items: evilItems(), install: succeeds}, []string{"review", "enter", "enter"}},
		"consent":   {fakeEngine{key: true, items: evilItems(), install: succeeds}, []string{"review", "enter", "enter", "enter"}},
		"refused": {fakeEngine{key: true, items: evilItems(), install: succeeds, do: func(string, checklist.Given) (string, error) { return "", evilProblem() }},
			[]string{"review", "enter", "enter", "enter", "y"}},
		"done": {fakeEngine{key: true, items: evilItems(), install: succeeds, do: func(string, checklist.Given) (string, error) { return evil, nil }},
			[]string{"review", "enter", "enter", "enter", "y"}},
		"command": {fakeEngine{key: true, items: evilItems(), install: succeeds}, []string{"review", "enter", "c"}},
		"page":    {fakeEngine{key: true, items: evilItems(), install: succeeds}, []string{"review", "enter", "o"}},
		"failure": {fakeEngine{key: true, install: func(context.Context, plan.Plan, release.Sink) (release.Result, error) {
			return release.Result{}, evilProblem()
		},
			bundle: func(error) (string, error) { return "", errors.New(evil) }}, []string{"review", "enter", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				engine := test.engine
				d := drive(t, &engine, nil)
				d.size(120, 60)
				for _, k := range test.keys {
					for range 40 {
						if k == "review" && d.model.onStep() {
							if d.page() == "Git" {
								d.keys("ctrl+u", "https://github.com/acme/isc.git")
							}
							d.keys("enter")
						}
					}
					if k != "review" {
						d.keys(k)
					}
				}
				drawsTextOnly(t, d.model.View())
				if !strings.Contains(d.model.View(), "evil") {
					t.Errorf("it is not shown at all\n%s", d.model.View())
				}
			})
		})
	}
}

// The same of what an installation tells, and of what is seen from near.
func TestNothingThatAnInstallTellsMovesTheCursor(t *testing.T) {
	played(t, func(t *testing.T) {
		object := &release.Object{Kind: "Deployment", Name: evil}
		d := installing(t, func(sink release.Sink) {
			sink(release.Event{Type: release.PhaseEvent, Phase: release.Render, State: release.Started, Message: evil})
			sink(release.Event{Type: release.ObjectEvent, Object: object, State: release.Waiting, Message: evil})
			sink(release.Event{Type: release.LogEvent, Object: object, Message: evil})
			sink(release.Event{Type: release.ProblemEvent, Object: object, Problem: &problem.Problem{What: evil, Fix: evil}})
		}, nil)
		drawsTextOnly(t, d.model.View())
		engineOf(d).closeUp = release.CloseUp{Log: []string{evil}, Events: []release.Happening{{Reason: evil, Message: evil}}}
		for _, k := range []string{"l", "e"} {
			d.keys(k)
			d.shows("evil")
			drawsTextOnly(t, d.model.View())
		}
		d.send(lookedMsg{generation: d.model.install.pane.generation, err: errors.New(evil)})
		d.shows("could not be read")
		drawsTextOnly(t, d.model.View())
	})
}

func drawsTextOnly(t *testing.T, frame string) {
	t.Helper()
	if strings.ContainsAny(frame, "\x1b\x07\u009b\u202e") || strings.Contains(frame, "owned") {
		t.Errorf("more than text is drawn: %q", frame)
	}
}
