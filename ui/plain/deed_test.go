package plain

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
)

func openItem() checklist.Item {
	return checklist.Item{ID: "git-user-token", Title: "Git user token", Needed: true, State: checklist.ToDo, Detail: "none", Does: "hands your token to the runtime", Preview: []string{"user ada, token •••"},
		Warning: "It can push.", Inputs: []checklist.Input{{Name: "git.userToken", Title: "your own Git token", Secret: true}, {Name: "git.username", Title: "user name", Default: "ada"}}}
}

// An item is done by its name: shown, asked for, agreed to, and looked at again.
func TestAnItemIsDoneByItsName(t *testing.T) {
	engine := &fakeEngine{install: installs, items: []checklist.Item{openItem()}}
	engine.do = func(id string, given checklist.Given) (string, error) {
		if id != "git-user-token" || given["git.username"] != "ada" || given["git.userToken"] != "" || engine.kept["git.userToken"].Reveal() != "ghp_x" {
			t.Errorf("%s was done with %v", id, given)
		}
		engine.items = []checklist.Item{{ID: id, Title: "Git user token", Needed: true, State: checklist.Done, Detail: "registered"}}
		return "handed over", nil
	}
	b := newTable(t, engine)
	outcome := b.sit(join(toReview, "Runtime: payments in namespace codefresh", "i", "finishes", "nonsense", "finishes", "git-user-token", "your own Git token", "ghp_x", "user name", "<",
		"your own Git token", "ghp_x", "user name", "", "Do it?", "no", "finishes", "git-user-token", "your own Git token", "<", "finishes", "git-user-token", "your own Git token", "ghp_x", "user name", "", "Do it?", "yes", "finishes", "")...)
	b.heard("do it: type git-user-token", "It hands your token to the runtime.", "user ada, token", "warning: It can push.", "handed over", "done: Git user token, registered", "1 of 1 verified.")
	if outcome.Ending != ui.Finished || len(outcome.Items) != 1 || outcome.Items[0].State != checklist.Done {
		t.Errorf("ended with %d and %v", outcome.Ending, outcome.Items)
	}
}

func TestADeedThatFailsIsTold(t *testing.T) {
	engine := &fakeEngine{install: installs, items: []checklist.Item{openItem()}, do: func(string, checklist.Given) (string, error) {
		return "", &problem.Problem{What: "Codefresh refuses the token", Fix: "Make another."}
	}}
	b := newTable(t, engine)
	b.sit(join(toReview, "Runtime: payments in namespace codefresh", "i", "finishes", "git-user-token", "your own Git token", "", "finishes", "git-user-token", "your own Git token", "ghp_x",
		"user name", "", "Do it?", "yes", "finishes", "")...)
	b.heard("It is needed; nothing was done.", "Codefresh refuses the token", "Make another.", "0 of 1 verified.")
}

// installed is a sitting that goes on with an installed session.
func installed(t *testing.T, items ...checklist.Item) *table {
	b := newTable(t, &fakeEngine{resumed: true, items: items})
	b.deps.Resume, b.deps.Session.Stage = true, session.Installed
	return b
}

func TestAnInstalledSessionGoesOnAtTheChecklist(t *testing.T) {
	b := installed(t, openItem())
	if outcome := b.sit("0 of 1 verified.", ""); outcome.Ending != ui.Finished {
		t.Errorf("ended with %d", outcome.Ending)
	}
}

// An item that only a person can do says how, and one that is not wanted can be
// left out.
func TestAnItemByHand(t *testing.T) {
	b := installed(t, openItem(),
		checklist.Item{ID: "argo-application", Title: "Argo CD Application", State: checklist.ToDo, Detail: "none", Command: "kubectl one\nkubectl two", Files: []checklist.File{{Path: "a/b.yaml", Content: "kind: X\nname: y\n"}}},
		checklist.Item{ID: "dns", Title: "DNS record", Needed: true, State: checklist.Waiting, Detail: "not there", Fix: "Create it."})
	b.sit("finishes", "argo-application", "finishes", "dns", "finishes", "skip argo-application", "skipped: Argo CD Application", "skip nonsense", "finishes", "unskip argo-application", "optional: Argo CD Application", "")
	b.heard("optional: Argo CD Application, none\n    by hand: type argo-application", "by hand, run:\n    kubectl one\n    kubectl two", "by hand, commit a/b.yaml:\n    kind: X\n    name: y",
		"waiting: DNS record, not there\n    fix: Create it.", "There is nothing to do here but what the list says", "0 of 2 verified.")
	if b.engine.chosen["argo-application"] != checklist.ChoiceNone || len(b.saved) == 0 {
		t.Errorf("chose %v", b.engine.chosen)
	}
}

func TestADryRunDoesNoItem(t *testing.T) {
	b := installed(t, openItem())
	b.deps.DryRun = true
	b.sit("finishes", "git-user-token", "finishes", "skip git-user-token", "to do: Git user token", "")
	b.heard("It hands your token to the runtime.", "user ada, token •••", ui.DryRunWords)
	if len(b.engine.chosen)+len(b.engine.kept) > 0 {
		t.Errorf("chose %v, kept %d secrets", b.engine.chosen, len(b.engine.kept))
	}
}

// Ctrl+c does not break off what writes; the end of it is told. A second one
// leaves at once.
func TestAnItemIsNotBrokenOff(t *testing.T) {
	for name, stubborn := range map[string]bool{"it ends": false, "it does not": true} {
		t.Run(name, func(t *testing.T) {
			item := openItem()
			item.Inputs = nil
			b := installed(t, item)
			b.engine.doing = func(ctx context.Context) (string, error) {
				b.interrupts <- os.Interrupt
				<-ctx.Done()
				if stubborn {
					b.interrupts <- os.Interrupt
					<-t.Context().Done()
				}
				return "", errors.New("the branch was deleted again")
			}
			outcome := b.sit("finishes", "git-user-token", "Do it?", "yes")
			b.heard("It ends after what it is doing.")
			if outcome.Ending != ui.Interrupted || strings.Contains(b.said(), "deleted again") == stubborn {
				t.Errorf("ended with %d:\n%s", outcome.Ending, b.said())
			}
		})
	}
}

func TestAPanicOfAnItemIsToldWithoutWhatItSays(t *testing.T) {
	item := openItem()
	item.Inputs = nil
	b := installed(t, item)
	b.engine.doing = func(context.Context) (string, error) { panic("boom") }
	b.sit("finishes", "git-user-token", "Do it?", "yes", "defect of cfwizard", "")
	if strings.Contains(b.said(), "boom") {
		t.Error("what was not redacted is said")
	}
}
