package ui

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

func TestALongListIsFilteredByTyping(t *testing.T) {
	played(t, func(t *testing.T) {
		d := versions(t).keys("28.20")
		d.shows("filter: 28.20 (1 of 23)")
		d.keys("enter")
		if got := d.model.state.Answers.Runtime.Version; got != "0.28.20" {
			t.Errorf("chose %q", got)
		}
		d = versions(t).keys("0.27", "x", "backspace", "enter")
		if got := d.model.state.Answers.Runtime.Version; got != "0.27" {
			t.Errorf("a version that is not listed became %q", got)
		}
		d = versions(t).keys("ctrl+u", "nonsense", "ctrl+u", "enter")
		if got := d.model.state.Answers.Runtime.Version; got != "" {
			t.Errorf("an erased filter left %q", got)
		}
	})
}

// A list scrolls inside the page, and what is chosen stays in sight.
func TestTheChosenLineStaysInSight(t *testing.T) {
	played(t, func(t *testing.T) {
		d := versions(t)
		for _, size := range sizes {
			d.size(size[0], size[1])
			for range 25 {
				d.keys("down")
				if !strings.Contains(d.model.View(), "› "+name(choice{Value: d.model.form.current().value()})+" ") {
					t.Fatalf("%v: %s is out of sight\n%s", size, d.model.form.current().value(), d.model.View())
				}
			}
			for range 25 {
				d.keys("up")
			}
		}
	})
}

func TestWithoutAListTheVersionIsTyped(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := &fakeEngine{key: true, versionsErr: &problem.Problem{What: "the registry does not list its versions", Why: "i/o timeout"}}
		d := drive(t, engine, nil).keys("enter", "enter", "enter", "enter", "enter", "enter")
		d.shows("› Chart version", "the registry does not list its versions: i/o timeout")
		d.keys("0.29.1", "enter")
		if got := d.model.state.Answers.Runtime.Version; got != "0.29.1" {
			t.Errorf("typed 0.29.1, got %q", got)
		}
	})
}

// A list that comes late takes the place of the empty line, but not of what is
// being typed.
func TestAListThatComesLate(t *testing.T) {
	played(t, func(t *testing.T) {
		for typed, want := range map[string]string{"": "choose from", "0.28": "› Chart version     0.28"} {
			engine := &fakeEngine{key: true, versionsErr: &problem.Problem{What: "not yet"}}
			d := drive(t, engine, nil).keys("enter", "enter", "enter", "enter", "enter", "enter", typed)
			d.send(probedMsg{id: "versions", generation: d.model.probes["versions"].generation, outcome: steps.Outcome{
				Learn: func(s *steps.State) { s.Found.Versions, s.Found.NoVersions = []string{"0.29.22"}, "" }}})
			d.shows("› Chart version", want)
		}
	})
}

func TestEarlierValuesAreOffered(t *testing.T) {
	played(t, func(t *testing.T) {
		d := drive(t, &fakeEngine{key: true}, func(deps *Deps) { deps.Earlier = map[string][]string{"runtime.name": {"payments", "billing"}} })
		d.keys("enter", "enter", "enter")
		d.shows("ctrl+r suggest")
		for _, want := range []string{"payments", "billing", "payments"} {
			d.keys("ctrl+r")
			if got := d.model.form.current().value(); got != want {
				t.Errorf("ctrl+r gave %q, want %q", got, want)
			}
		}
	})
}
