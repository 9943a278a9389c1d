package ui

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// What the page shows is what is answered, however a field was left.
func TestWhatIsShownIsAnswered(t *testing.T) {
	for name, test := range map[string]struct {
		begin func(*testing.T) *driver
		keys  []string
		click string
		then  []string
		want  func(answers.Answers) bool
	}{
		"a text, left downwards": {begin: toRuntime, keys: []string{"ctrl+u", "payments", "down", "down", "down", "enter"},
			want: func(a answers.Answers) bool { return a.Runtime.Name == "payments" }},
		"a text, left upwards": {begin: toRuntime, keys: []string{"tab", "tab", "ctrl+u", "gitops", "up", "tab", "tab", "enter"},
			want: func(a answers.Answers) bool { return a.Runtime.Release == "gitops" }},
		"a text, left by a click": {begin: toRuntime, keys: []string{"ctrl+u", "payments"}, click: "Chart version", then: []string{"enter"},
			want: func(a answers.Answers) bool { return a.Runtime.Name == "payments" }},
		"a choice": {begin: toAccess, keys: []string{"down", "tab", "runtime.acme.io", "tab", "tab", "tab", "enter"},
			want: func(a answers.Answers) bool {
				return a.Access.Mode == answers.IngressMode && a.Access.Ingress.Host == "runtime.acme.io" && a.Access.Ingress.Class == "traefik"
			}},
		"a confirmation": {begin: func(t *testing.T) *driver { return toOptions(t).keys("y", "enter", "enter", "enter") },
			keys: []string{"y", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "enter"},
			want: func(a answers.Answers) bool { return a.Options.HA }},
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := test.begin(t)
				at := d.model.at
				d.keys(test.keys...)
				if test.click != "" {
					d.click(test.click)
				}
				d.keys(test.then...)
				if !test.want(d.model.state.Answers) || d.model.at == at {
					t.Errorf("answered %+v\n%s", d.model.state.Answers, d.model.View())
				}
				if !test.want(d.saved[len(d.saved)-1].Answers) {
					t.Error("what was answered is not saved")
				}
			})
		})
	}
}

func TestASecretIsTakenWhenItsFieldIsLeft(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toTokens(t).keys("ghp_typed", "tab")
		if got := engineOf(d).kept["git.runtimeToken"].Reveal(); got != "ghp_typed" {
			t.Errorf("the engine was given %q", got)
		}
		d.shows("••• given", "Git user name")
	})
}

// What is refused stays, says why, and holds the step.
func TestARefusedTextHoldsTheStep(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t).keys("ctrl+u", "My_Runtime", "down", "down", "down", "enter")
		d.shows("› Runtime name", "My_Runtime", "problem:")
		if d.page() != "Runtime" || d.model.state.Answers.Runtime.Name != "codefresh" {
			t.Errorf("at %s with %q", d.page(), d.model.state.Answers.Runtime.Name)
		}
	})
}

// The platform that a context brings is not undone by the next key.
func TestWhatAnAnswerBringsIsShown(t *testing.T) {
	played(t, func(t *testing.T) {
		d := drive(t, withContexts(), nil).keys("enter", "down", "enter")
		d.shows("https://codefresh.acme.io")
		d.keys("enter")
		if got := d.model.state.Answers.Codefresh.URL; got != "https://codefresh.acme.io" {
			t.Errorf("the platform became %s", got)
		}
	})
}

// A key that is offered is taken when its field is left, too.
func TestAnOfferedKeyIsTaken(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := withContexts()
		d := drive(t, engine, nil).keys("enter", "tab", "enter")
		d.shows("Runtime name")
		if got := engine.kept["codefresh.apiKey"].Reveal(); got != "acme-key" {
			t.Errorf("the engine was given %q", got)
		}
	})
}

// Nobody lands on a cluster that they did not choose.
func TestAContextIsNeverChosenByItself(t *testing.T) {
	played(t, func(t *testing.T) {
		gone := func(deps *Deps) { deps.Session.Answers.Cluster.Context = "gone" }
		d := drive(t, &fakeEngine{key: true}, gone)
		d.shows("› gone", "not in the kubeconfig")
		d.keys("enter")
		if got := d.model.state.Answers.Cluster.Context; got != "gone" {
			t.Errorf("the context became %q", got)
		}
		many := &fakeEngine{key: true, contexts: strings.Fields("a b c d e f g h dev prod-eu")}
		d = drive(t, many, nil).keys("zzz", "enter")
		d.shows("nothing that can be chosen has zzz in it", "ctrl+u")
		if d.page() != "Cluster" || d.model.state.Answers.Cluster.Context != "prod-eu" {
			t.Errorf("at %s with context %q", d.page(), d.model.state.Answers.Cluster.Context)
		}
		d.keys("ctrl+u", "dev", "enter")
		if got := d.model.state.Answers.Cluster.Context; got != "dev" {
			t.Errorf("chose %q", got)
		}
	})
}
