package plain

import (
	"testing"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
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
	outcome := b.sit(join(toReview, "Runtime: payments in namespace codefresh", "i", "finishes", "nonsense", "finishes", "git-user-token", "your own Git token", "ghp_x", "user name", "",
		"Do it?", "no", "finishes", "git-user-token", "your own Git token", "ghp_x", "user name", "", "Do it?", "yes", "finishes", "")...)
	b.heard("do it: type git-user-token", "It hands your token to the runtime.", "user ada, token", "warning: It can push.", "handed over", "done: Git user token, registered", "1 of 1 done.")
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
	b.heard("It is needed; nothing was done.", "Codefresh refuses the token", "Make another.", "0 of 1 done.")
}
