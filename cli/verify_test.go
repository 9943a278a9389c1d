package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// What is left to a person, or on its way, is no failure of the install.
func TestOnlyARuntimeThatCannotComeOnlineFails(t *testing.T) {
	for name, test := range map[string]struct {
		items []checklist.Item
		fails bool
	}{
		"nothing to see":     {nil, false},
		"online":             {[]checklist.Item{{ID: "online", State: checklist.Done}}, false},
		"on its way":         {[]checklist.Item{{ID: "online", State: checklist.Waiting, Needed: true}}, false},
		"a person's":         {[]checklist.Item{{ID: "online", State: checklist.Done}, {ID: "git-runtime-token", State: checklist.ToDo, Needed: true}}, false},
		"a person's, failed": {[]checklist.Item{{ID: "online", State: checklist.Done}, {ID: "dns", State: checklist.Failed, Needed: true}}, false},
		"not to be":          {[]checklist.Item{{ID: "online", State: checklist.Failed, Needed: true, Detail: "Codefresh says that the installation failed"}}, true},
	} {
		err := notOnline(test.items)
		if (err != nil) != test.fails {
			t.Errorf("%s: %v", name, err)
		}
		if p := problem.All(err); test.fails && (p[0].Kind != problem.InstallFailed || p[0].Why == "" || p[0].Fix == "") {
			t.Errorf("%s: %+v", name, p[0])
		}
	}
}

func TestEachItemIsALineOfJSON(t *testing.T) {
	var out bytes.Buffer
	a := &app{Program: Program{Out: &out}}
	a.tellItems([]checklist.Item{{ID: "online", Title: "Runtime online", State: checklist.Done, Detail: "all\nready"}, {ID: "dns", Title: "DNS", State: checklist.ToDo}})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"type":"check","phase":"verify","state":"ready","message":"online: Runtime online: all ready"`) || !strings.Contains(lines[1], `"state":"ahead"`) {
		t.Errorf("told %s", out.String())
	}
	for _, state := range []checklist.State{checklist.Done, checklist.ToDo, checklist.Waiting, checklist.Failed, checklist.NotNeeded, checklist.Skipped} {
		if itemStates[state] == "" {
			t.Errorf("%s has no state", state)
		}
	}
}

func TestAnInstallThatCannotBeSeenSaysSo(t *testing.T) {
	lost := &problem.Problem{Kind: problem.Unreachable, Cause: "cluster-unreachable", What: "the cluster does not answer", Fix: "Check it."}
	p := problem.All(unverified(lost))[0]
	if p.Kind != problem.Unreachable || !strings.Contains(p.What, "deployed, but") || !strings.Contains(p.What, lost.What) || !strings.Contains(p.Fix, "cfwizard checklist") {
		t.Errorf("%+v", p)
	}
}

// What was waited for in vain has timed out; what a person must do has not.
func TestAChecklistThatWasWaitedFor(t *testing.T) {
	for name, test := range map[string]struct {
		state  checklist.State
		waited bool
		want   problem.Kind
	}{
		"in vain": {checklist.Waiting, true, problem.TimedOut}, "not at all": {checklist.Waiting, false, problem.InstallFailed}, "for a person": {checklist.ToDo, true, problem.InstallFailed},
	} {
		a := &app{Program: Program{Out: new(bytes.Buffer), Err: new(bytes.Buffer)}}
		items := []checklist.Item{{ID: "online", State: test.state, Needed: true}}
		err := a.showChecklist(answers.Default(), items, "table", checklist.Open(items), test.waited)
		var told alreadyTold
		if !errors.As(err, &told) || problem.KindOf(err) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
