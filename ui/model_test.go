package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

func TestEveryAnswerIsSavedBeforeTheNextQuestion(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t).keys("ctrl+u", "payments", "enter")
		last := d.saved[len(d.saved)-1]
		if last.Answers.Runtime.Name != "payments" || last.Step != "runtime" {
			t.Errorf("saved %q at step %s", last.Answers.Runtime.Name, last.Step)
		}
	})
}

func TestBackLosesNothing(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t).keys("ctrl+u", "Half Typed", "esc")
		d.shows("Codefresh URL")
		d.keys("enter", "enter")
		d.shows("Half Typed")
		if d.model.state.Answers.Runtime.Name != "codefresh" {
			t.Errorf("an invalid text became the answer: %q", d.model.state.Answers.Runtime.Name)
		}
	})
}

func TestAnInvalidAnswerStaysAndSaysWhy(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t).keys("down", "enter", "10.0.0.1", "enter")
		d.shows("10.0.0.1 is an IP address", "10.0.0.1", "Use a DNS name")
		if d.model.state.Answers.Access.Ingress.Host != "" {
			t.Error("the invalid host became the answer")
		}
	})
}

func TestOnlyWhatAppliesIsAsked(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t).keys("down", "down", "enter")
		d.shows("Runtime URL")
		if strings.Contains(d.model.View(), "Ingress class") {
			t.Errorf("asks for an ingress class in mesh mode\n%s", d.model.View())
		}
	})
}

func TestAnAccountWithARepositorySkipsTheGitStep(t *testing.T) {
	played(t, func(t *testing.T) {
		account := &platform.Account{ID: "a", Name: "acme", User: "ada", Admin: true, SharedConfigRepo: "https://github.com/acme/isc.git"}
		d := drive(t, &fakeEngine{key: true, account: account}, nil).keys("enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter")
		d.shows("Git runtime token", "– Git skipped")
		d.keys("esc")
		d.shows("Access mode")
	})
}

func TestASecretIsNeverShownOrSaved(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := noKey()
		d := drive(t, engine, nil).keys("enter", "enter", "hunter2.secret")
		d.shows("••• 14 characters")
		if strings.Contains(d.model.View(), "hunter2") {
			t.Error("the screen shows the secret")
		}
		engine.accountErr = nil
		d.keys("enter")
		if got := engine.kept["codefresh.apiKey"].Reveal(); got != "hunter2.secret" {
			t.Errorf("the engine was given %q", got)
		}
		for _, s := range d.saved {
			text, err := s.Answers.Write()
			if err != nil || strings.Contains(string(text), "hunter2") {
				t.Errorf("saved: %s, %v", text, err)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v", d.saved), "hunter2") {
			t.Error("the session holds the secret")
		}
	})
}

func TestAStaleProbeIsDropped(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t)
		current := d.model.probes["name"].generation
		d.send(probedMsg{id: "name", generation: current - 1, outcome: outcomeWith("old news")})
		if strings.Contains(d.model.View(), "old news") {
			t.Error("an answer to an older question is shown")
		}
		d.send(probedMsg{id: "name", generation: current, outcome: outcomeWith("fresh news")})
		d.shows("fresh news")
	})
}

func TestAPanicInTheEngineIsAProblem(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toReview(t)
		d.model.deps.Engine.(*fakeEngine).install = func(context.Context, plan.Plan, release.Sink) (release.Result, error) { panic("boom") }
		d.keys("enter")
		d.shows("failed", "The installer broke.", "This is a defect of cfwizard.")
		if strings.Contains(d.model.View(), "boom") {
			t.Error("the screen shows what was not redacted")
		}
	})
}

func TestResumeGoesToTheSavedStep(t *testing.T) {
	played(t, func(t *testing.T) {
		for _, test := range []struct {
			name  string
			key   bool
			stage session.Stage
			step  string
			want  string
		}{
			{"asking", true, session.Asking, "access", "Access mode"},
			{"the key must be typed again", false, session.Asking, "access", "Codefresh API key"},
			{"before the key", false, session.Asking, "cluster", "Cluster context"},
			{"failed", true, session.Failed, "review", "Install now"},
			{"a step that is no more", true, session.Asking, "gone", "Cluster context"},
		} {
			engine := noKey()
			if test.key {
				engine = &fakeEngine{key: true}
			}
			d := drive(t, engine, func(deps *Deps) {
				deps.Resume = true
				deps.Session.Stage, deps.Session.Step = test.stage, test.step
			})
			if !strings.Contains(d.model.View(), test.want) {
				t.Errorf("%s: want %q\n%s", test.name, test.want, d.model.View())
			}
		}
	})
}

func TestAnInterruptedInstallGoesOnByItself(t *testing.T) {
	played(t, func(t *testing.T) {
		installed := false
		engine := &fakeEngine{key: true, install: func(_ context.Context, p plan.Plan, _ release.Sink) (release.Result, error) {
			installed = p.Answers().Runtime.Name == "payments"
			return release.Result{}, nil
		}}
		drive(t, engine, func(deps *Deps) {
			deps.Resume = true
			deps.Session.Stage = session.Installing
			deps.Session.Answers.Runtime.Name, deps.Session.Answers.Codefresh.AccountID = "payments", "a"
		})
		if !installed {
			t.Error("the install was not taken up")
		}
	})
}

func TestADryRunResumesNoInstall(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := &fakeEngine{key: true, install: func(context.Context, plan.Plan, release.Sink) (release.Result, error) {
			t.Error("it was installed")
			return release.Result{}, nil
		}}
		d := drive(t, engine, func(deps *Deps) {
			deps.Resume, deps.DryRun = true, true
			deps.Session.Stage = session.Installing
			deps.Session.Answers.Runtime.Name, deps.Session.Answers.Codefresh.AccountID = "payments", "a"
		})
		d.shows("Print the command")
	})
}

func TestEveryFormCanBeSaved(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toReview(t)
		saved := map[string]int{}
		d.model.deps.Write = func(name string, data []byte) (string, error) {
			saved[name] = len(data)
			return name, nil
		}
		d.keys("s")
		for range plan.SavedForms() {
			d.keys("enter", "down")
		}
		if len(saved) != len(plan.SavedForms()) {
			t.Errorf("saved %v, want %d files", saved, len(plan.SavedForms()))
		}
		for name, size := range saved {
			if size < 100 || !strings.HasPrefix(name, "cf-gitops-runtime.") {
				t.Errorf("%s has %d bytes", name, size)
			}
		}
		d.model.deps.Write = func(string, []byte) (string, error) { return "", errors.New("no space left on device") }
		d.keys("enter")
		d.shows("not saved: no space left on device")
	})
}

func TestDryRunNeverInstalls(t *testing.T) {
	played(t, func(t *testing.T) {
		d := drive(t, &fakeEngine{key: true}, func(deps *Deps) { deps.DryRun = true })
		d.keys("enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "https://github.com/acme/isc.git", "enter", "enter", "enter", "enter", "enter", "enter")
		if outcome := d.model.Outcome(); !d.quit || outcome.Ending != Printed || outcome.Plan.Release != "cf-gitops-runtime" {
			t.Errorf("ending %d, quit %v\n%s", outcome.Ending, d.quit, d.model.View())
		}
	})
}

func outcomeWith(title string) steps.Outcome {
	return steps.Outcome{Checks: []check.Check{{Status: check.Pass, Title: title, Field: "runtime.name"}}}
}
