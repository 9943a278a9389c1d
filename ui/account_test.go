package ui

import (
	"strings"
	"testing"
)

func TestAKeyOfTheCodefreshCLIIsTaken(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := withContexts()
		d := drive(t, engine, nil).keys("enter")
		d.shows("acme", "the CLI's")
		d.keys("enter", "enter")
		d.shows("Runtime name")
		if got := engine.kept["codefresh.apiKey"].Reveal(); got != "acme-key" {
			t.Errorf("the engine was given %q", got)
		}
		for _, s := range d.saved {
			if text, err := s.Answers.Write(); err != nil || strings.Contains(string(text), "acme-key") {
				t.Errorf("the session holds the key: %s, %v", text, err)
			}
		}
	})
}

func TestAContextBringsItsPlatform(t *testing.T) {
	played(t, func(t *testing.T) {
		d := drive(t, withContexts(), nil).keys("enter", "down", "enter")
		if got := d.model.state.Answers.Codefresh.URL; got != "https://codefresh.acme.io" {
			t.Errorf("the platform is %s", got)
		}
		d.shows("Codefresh CA file")
	})
}

func TestAnotherKeyIsAskedFor(t *testing.T) {
	played(t, func(t *testing.T) {
		engine := withContexts()
		d := drive(t, engine, nil).keys("enter", "down", "down", "enter", "enter", "typed-key", "enter")
		d.shows("Runtime name")
		if got := engine.kept["codefresh.apiKey"].Reveal(); got != "typed-key" {
			t.Errorf("the engine was given %q", got)
		}
	})
}

// A host of one's own says which product it is; the person may say otherwise.
func TestTheGitHostIsAsked(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t)
		d.model.deps.Engine.(*fakeEngine).gitProduct = "gitlab-server"
		d.keys("enter", "https://git.acme.io/team/isc.git", "enter")
		d.shows("found out: https://git.acme.io/api/v4/version", "› gitlab-server")
		d.keys("enter")
		if got := d.model.state.Answers.Git.Provider; got != "gitlab-server" {
			t.Errorf("the provider is %q", got)
		}
		d.keys("shift+tab", "shift+tab", "ctrl+u", "https://github.com/acme/isc.git", "enter")
		if got := d.model.state.Answers.Git.Provider; got != "" {
			t.Errorf("after another URL the provider is %q", got)
		}
	})
}

func TestAGitHostThatSaysNothingIsAskedAbout(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t).keys("enter", "https://git.acme.io/team/isc.git", "enter", "enter")
		d.shows("the provider cannot be told from the URL", "Say which product runs there.")
	})
}
