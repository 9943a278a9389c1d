package steps

import (
	"cmp"
	"slices"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/platform"
)

const (
	keyContext = "codefresh.context"
	anotherKey = "another key"
)

// keyContextField offers the keys that the Codefresh CLI has on this machine.
// The key stays in memory; the answers keep only the platform's address.
func keyContextField() Field {
	return Field{Path: keyContext, Kind: Choice, Applies: hasKeyContexts, Options: keyContextChoices, Origin: fromCLI, Own: &Own{
		Words: answers.Field{Path: keyContext, Title: "Codefresh context", Example: "acme",
			Meaning: "The Codefresh CLI knows keys on this machine. Take one of them, or type another."},
		Read: chosenContext,
		Write: func(s *State, value string) {
			s.choose(keyContext, value)
			if c, found := contextOf(*s); found {
				s.Answers.Codefresh.URL = cmp.Or(c.URL, s.Answers.Codefresh.URL)
				s.Answers.TLS.PlatformCA = cmp.Or(s.Answers.TLS.PlatformCA, c.CA)
			}
		},
	}}
}

func hasKeyContexts(s State) bool { return len(s.Found.KeyContexts) > 0 }

func fromCLI(State) string { return "from the Codefresh CLI's own file, which is only read" }

// chosenContext is the CLI's current one until another is chosen.
func chosenContext(s State) string {
	if chosen, ok := s.Chosen[keyContext]; ok {
		return chosen
	}
	for _, c := range s.Found.KeyContexts {
		if c.Current {
			return c.Name
		}
	}
	return anotherKey
}

func keyContextChoices(s State) []answers.Choice {
	var choices []answers.Choice
	for _, c := range s.Found.KeyContexts {
		meaning := c.URL
		if c.Current {
			meaning += ", the CLI's current context"
		}
		choices = append(choices, answers.Choice{Value: c.Name, Meaning: meaning})
	}
	return append(choices, answers.Choice{Value: anotherKey, Meaning: "you will be asked for it"})
}

// contextOf is the context that was chosen in this sitting.
func contextOf(s State) (platform.Context, bool) {
	chosen, ok := s.Chosen[keyContext]
	index := slices.IndexFunc(s.Found.KeyContexts, func(c platform.Context) bool { return c.Name == chosen })
	if !ok || index < 0 {
		return platform.Context{}, false
	}
	return s.Found.KeyContexts[index], true
}

// asksForKey reports whether the key is to be typed or referred to.
func asksForKey(s State) bool { return !hasKeyContexts(s) || chosenContext(s) == anotherKey }
