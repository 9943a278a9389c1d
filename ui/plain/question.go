package plain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/steps"
)

// reply is what a question came to.
type reply int

const (
	taken reply = iota
	goBack
)

const (
	secretTimeout = 2 * time.Second
	none          = "-"         // empties an answer that may be empty
	automatic     = "automatic" // the word for a choice of nothing
)

// question asks for one field until its answer is taken, or the person goes
// back.
func (s *sitting) question(f steps.Field, explain bool) (reply, error) {
	for ; ; explain = false {
		choices := s.offer(f)
		line, err := s.ask(s.prompt(f, choices, explain), f.Kind == steps.Hidden)
		if err != nil {
			return taken, err
		}
		switch line {
		case wantHelp:
			s.help(f)
			continue
		case wantBack:
			return goBack, nil
		}
		wrong := s.take(f, choices, line)
		if wrong == nil {
			s.wrong = 0
			return taken, nil
		}
		if err := s.refuse(problem.List{wrong}); err != nil {
			return taken, err
		}
	}
}

// offer lists the choices of a field, if it has any, and says where its value
// comes from.
func (s *sitting) offer(f steps.Field) []answers.Choice {
	var choices []answers.Choice
	if f.Kind == steps.Choice {
		choices = f.Choices(s.state)
	}
	if len(choices) > 0 || f.Kind == steps.Hidden {
		s.say(f.About().Title + ":")
	}
	s.list(choices)
	if f.Origin != nil && f.Kind != steps.Hidden {
		if origin := f.Origin(s.state); origin != "" {
			s.sayf("  %s", origin)
		}
	}
	return choices
}

func (s *sitting) list(choices []answers.Choice) {
	longest := 0
	for _, c := range choices {
		longest = max(longest, utf8.RuneCountInString(word(c)))
	}
	for i, c := range choices {
		s.say(strings.TrimRight(fmt.Sprintf("  %d) %-*s  %s", i+1, longest, word(c), c.Meaning), " "))
	}
}

func word(c answers.Choice) string {
	if c.Value == "" {
		return automatic
	}
	return c.Value
}

// prompt is the line that is answered: what it wants, and in brackets what an
// empty line takes.
func (s *sitting) prompt(f steps.Field, choices []answers.Choice, explain bool) string {
	about, value := f.About(), f.Value(s.state)
	var words string
	switch {
	case len(choices) > 0:
		words = fmt.Sprintf("Choice [%d]", s.chosen(f, choices)+1)
	case f.Kind == steps.Hidden:
		words = s.secretPrompt(f)
	case f.Kind == steps.Confirm:
		words = fmt.Sprintf("%s, yes or no [%s]", strings.TrimSuffix(about.Title, "?"), yesOrNo[value])
	case value != "":
		words = fmt.Sprintf("%s [%s]", about.Title, value)
		if f.Optional {
			words += ", " + none + " for none"
		}
	case f.Optional:
		words = about.Title + ", may stay empty"
	default:
		words = about.Title + ", for example " + about.Example
	}
	if explain {
		words += ", ? help, < back"
	}
	return words + ":"
}

// secretPrompt begins with a word by which Emacs and other shells know that
// what follows must not be shown.
func (s *sitting) secretPrompt(f steps.Field) string {
	const words = "Password or token, not shown"
	switch {
	case s.state.Typed[f.Path]:
		return words + " [as typed before]"
	case f.Origin != nil && f.Origin(s.state) != "":
		return words + " [" + f.Origin(s.state) + "]"
	case f.Optional:
		return words + ", may stay empty"
	}
	return words
}

// chosen is the choice that holds: the answer's, or the first.
func (s *sitting) chosen(f steps.Field, choices []answers.Choice) int {
	value := f.Value(s.state)
	return max(slices.IndexFunc(choices, func(c answers.Choice) bool { return c.Value == value }), 0)
}

// take makes a line the answer, or says what is wrong with it.
func (s *sitting) take(f steps.Field, choices []answers.Choice, line string) *problem.Problem {
	switch {
	case f.Kind == steps.Hidden:
		return s.takeSecret(f, line)
	case len(choices) > 0:
		picked, wrong := pick(choices, line, s.chosen(f, choices))
		if wrong != nil && !f.Free {
			return wrong
		}
		if wrong == nil {
			line = picked
		}
	case f.Kind == steps.Confirm && line != "":
		decided, wrong := decide(line)
		if wrong != nil {
			return wrong
		}
		line = decided
	case line == none && f.Optional:
		line = ""
	case line == "":
		line = f.Value(s.state)
	}
	changed, wrong := s.state.Answer(f, line)
	if wrong == nil {
		s.state = changed
	}
	return wrong
}

// yesOrNo are the words for a confirmation.
var yesOrNo = map[string]string{"true": "yes", "false": "no"}

func decide(line string) (string, *problem.Problem) {
	for value, word := range yesOrNo {
		if strings.EqualFold(line, word) || strings.EqualFold(line, word[:1]) {
			return value, nil
		}
	}
	return "", &problem.Problem{What: fmt.Sprintf("%q is neither yes nor no", line), Fix: "Type yes or no."}
}

// pick finds a choice by its number or its word.
func pick(choices []answers.Choice, line string, held int) (string, *problem.Problem) {
	if line == "" {
		return choices[held].Value, nil
	}
	if number, err := strconv.Atoi(line); err == nil && number >= 1 && number <= len(choices) {
		return choices[number-1].Value, nil
	}
	for _, c := range choices {
		if strings.EqualFold(line, word(c)) {
			return c.Value, nil
		}
	}
	return "", &problem.Problem{What: fmt.Sprintf("%q is not one of the choices", line), Fix: fmt.Sprintf("Type a number from 1 to %d, or the word after it.", len(choices))}
}

// takeSecret hands a typed secret to the engine. An empty line is taken when
// the secret is to be had by its reference, or is not needed.
func (s *sitting) takeSecret(f steps.Field, line string) *problem.Problem {
	if line != "" {
		s.deps.Engine.KeepSecret(f.Path, secret.New(line))
		s.state = s.state.WithSecret(f.Path)
		s.sayf("  Taken, %d characters.", utf8.RuneCountInString(line))
		return nil
	}
	if s.state.Answers.Get(f.Path) == "" && f.Optional {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, secretTimeout)
	defer cancel()
	if err := s.deps.Engine.SecretMissing(ctx, s.state.Answers, f.Path); err != nil {
		return problem.All(err)[0]
	}
	return nil
}

// help says what the catalogue knows of a field, and where to find it.
func (s *sitting) help(f steps.Field) {
	about, help := f.About(), f.Help()
	s.say("  "+about.Title+". "+about.Meaning, "  Where: "+help.Where, "  Example: "+about.Example, "  Read on: "+help.Link)
	if _, answer := answers.FieldAt(f.Path); answer {
		s.say("  Answers file: "+about.Path, "  Flag: "+about.Flag(), "  Environment: "+about.Env())
	}
	if about.HelmValue != "" {
		s.say("  Helm value: " + about.HelmValue)
	}
}
