package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// someItems are a list with one item of every kind that the screen tells apart.
func someItems() []checklist.Item {
	return []checklist.Item{
		{ID: "online", Title: "Runtime online", Why: "A runtime is there when all of it runs.", Needed: true, State: checklist.Done,
			Detail: "all workloads ready, registered, answering at https://runtime.acme.io, version 0.29.22"},
		{ID: "git-runtime-token", Title: "Git runtime token", Why: "The runtime reads your repositories with it.", Needed: true, State: checklist.Waiting, Detail: "handed to the runtime"},
		{ID: "git-user-token", Title: "Git user token", Why: "What you do in Codefresh is committed in your name.", Needed: true, State: checklist.ToDo, Detail: "none of ada's is registered",
			Does: "hands your token to the runtime", Preview: []string{"registerToGitIntegration: user ada, token •••"}, Command: "cf integration git register default --runtime codefresh --token \"$GIT_USER_TOKEN\"",
			Link:   "https://g.codefresh.io/2.0/git-personal-access-token",
			Inputs: []checklist.Input{{Name: "git.userToken", Title: "your own Git token", Secret: true}, {Name: "git.username", Title: "the token's user name", Optional: true}}},
		{ID: "rollouts", Title: "One Rollouts controller", Needed: true, State: checklist.Failed, Detail: "argo/argo-rollouts is a second controller", Fix: "Delete the Deployment.",
			Warning: "Never delete the CRDs."},
		{ID: "git-source", Title: "Git Source", State: checklist.ToDo, Detail: "there is none"},
		{ID: "argo-application", Title: "Argo CD Application", State: checklist.Skipped, Detail: "the runtime is a Helm release only"},
	}
}

// toChecklist installs at once and comes to the last screen.
func toChecklist(t *testing.T, items []checklist.Item) *driver {
	t.Helper()
	d := toReview(t)
	engine := d.model.deps.Engine.(*fakeEngine)
	engine.install = func(context.Context, plan.Plan, release.Sink) (release.Result, error) { return release.Result{}, nil }
	engine.items = items
	return d.keys("enter")
}

func engineOf(d *driver) *fakeEngine { return d.model.deps.Engine.(*fakeEngine) }

func TestTheCursorBeginsAtWhatAPersonCanDo(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		if d.model.checklist.chosen != "git-user-token" {
			t.Errorf("the cursor is at %q", d.model.checklist.chosen)
		}
		d.shows("1 of 4 verified", "enter do it", "looked at again by itself")
		d.keys("up", "up", "up", "up")
		if d.model.checklist.chosen != "online" {
			t.Errorf("after going up the cursor is at %q", d.model.checklist.chosen)
		}
	})
}

func TestDoingAnItemAsksShowsAndLooksAgain(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		var told checklist.Given
		engineOf(d).do = func(id string, given checklist.Given) (string, error) {
			if id != "git-user-token" {
				t.Errorf("%s was done", id)
			}
			told = given
			engineOf(d).items[2].State = checklist.Done
			return "registered", nil
		}
		d.keys("enter")
		d.shows("your own Git token")
		d.keys("enter")
		d.shows("It is needed.")
		d.keys("ghp_secret")
		if strings.Contains(d.model.View(), "ghp_secret") {
			t.Error("the screen shows the token")
		}
		d.keys("enter", "ada", "enter")
		d.shows("registerToGitIntegration", "y do it", "your own Git token: •••", "the token's user name: ada")
		before := engineOf(d).looks
		d.keys("y")
		if value := engineOf(d).kept["git.userToken"]; value.Reveal() != "ghp_secret" || told["git.username"] != "ada" || told["git.userToken"] != "" {
			t.Errorf("the engine was given %v and kept %v", told, value.Empty())
		}
		if engineOf(d).looks != before+1 {
			t.Error("after the deed nobody looked again")
		}
		d.shows("2 of 4 verified", "done just now: registered")
	})
}

func TestADeedThatFailsIsToldAndNothingIsClaimed(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		engineOf(d).do = func(string, checklist.Given) (string, error) {
			return "", &problem.Problem{What: "Codefresh refuses the token", Why: "It has expired.", Fix: "Make another."}
		}
		d.keys("enter", "ghp_secret", "enter", "enter", "y")
		d.shows("not done", "Codefresh refuses the token", "It has expired.")
		d.keys("esc")
		d.shows("1 of 4 verified")
	})
}

func TestSkippingIsKeptInTheSessionAndForColleagues(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		engineOf(d).chooseErr = errors.New("forbidden")
		d.keys("s")
		if engineOf(d).chosen["git-user-token"] != checklist.ChoiceSkipped || d.saved[len(d.saved)-1].Choices["git-user-token"] != checklist.ChoiceSkipped {
			t.Errorf("chosen %v, saved %v", engineOf(d).chosen, d.saved[len(d.saved)-1].Choices)
		}
		engineOf(d).chooseErr = nil
		d.keys("r")
		d.shows("skipped: none of ada's", "s do not skip")
		d.keys("s")
		if engineOf(d).chosen["git-user-token"] != checklist.ChoiceNone {
			t.Error("the skip was not taken back")
		}
	})
}

func TestWaitingItemsAreLookedAtAgain(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		before := engineOf(d).looks
		engineOf(d).items[1].State = checklist.Done
		d.send(lookAgainMsg{d.model.checklist.generation})
		if engineOf(d).looks != before+1 {
			t.Errorf("looked %d times more", engineOf(d).looks-before)
		}
		d.send(lookAgainMsg{d.model.checklist.generation - 1})
		if engineOf(d).looks != before+1 {
			t.Error("an old clock made it look again")
		}
		d.shows("2 of 4 verified")
		d.keys("q")
		if !d.quit || d.model.Outcome().Ending != Finished || len(d.model.Outcome().Items) != len(someItems()) {
			t.Errorf("the sitting ended with %+v", d.model.Outcome().Ending)
		}
	})
}

// Every key that the help line names does something here.
func TestPageAndCommandAreShownInFull(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toChecklist(t, someItems())
		d.keys("o")
		d.shows("https://g.codefresh.io/2.0/git-personal-access-token")
		d.keys("esc", "c")
		d.shows("cf integration git register default")
		d.keys("esc")
		if d.model.overlay.open() {
			t.Error("the overlay stays open")
		}
	})
}

// A sitting that had installed goes on at the list, unless a secret must be
// typed first.
func TestResumingAnInstalledSitting(t *testing.T) {
	played(t, func(t *testing.T) {
		for _, key := range []bool{true, false} {
			engine := &fakeEngine{key: key, items: someItems()}
			d := drive(t, engine, func(deps *Deps) {
				deps.Resume, deps.Session.Stage = true, session.Installed
				deps.Session.Choices = map[string]string{"git-source": checklist.ChoiceSkipped}
			})
			if onList := d.model.at == d.model.checklistPage(); onList != key {
				t.Errorf("with a key at hand: %v, on the list: %v", key, onList)
			}
			if key {
				d.shows("1 of 4 verified", "skipped: there is none")
			}
		}
	})
}
