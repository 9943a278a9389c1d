package plain

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/ui"
)

// deedTimeout bounds an item that is done; an upgrade of the release is the
// longest of them.
const deedTimeout = 6 * time.Minute

// doItem shows what an item would do, asks for what it must be told, and does
// it after a clear yes. Whether it worked is for the next look to say.
func (s *sitting) doItem(id string) error {
	item, found := checklist.ByID(s.outcome.Items, id)
	if !found {
		return s.choose(id, "Type the name of an item, as the list says it.")
	}
	s.wrong = 0
	if item.CanDo() {
		s.say("It " + item.Does + ".")
	}
	if item.Warning != "" {
		s.say("  warning: " + item.Warning)
	}
	s.tellByHand(item)
	switch {
	case !item.CanDo():
		return nil
	case s.deps.DryRun:
		s.say(block(strings.Join(item.Preview, "\n")), "  "+ui.DryRunWords)
		return nil
	}
	given, complete, err := s.askInputs(item)
	if err != nil || !complete {
		return err
	}
	for _, line := range item.PreviewWith(given) {
		s.say("    " + line)
	}
	agreed, err := s.agree("Do it?")
	if err != nil || !agreed {
		return err
	}
	engine, a := s.deps.Engine, s.state.Answers.Clone()
	told, err := carryOut(s, deedTimeout, func(ctx context.Context) (string, error) { return engine.DoItem(ctx, a, id, given) })
	switch {
	case errors.As(err, new(leaving)):
		return err
	case err != nil:
		s.tellProblem(err)
		return nil
	}
	s.say("  " + told)
	return nil
}

// askInputs asks for what the item must be told. An empty line takes what
// stands in brackets; without it, what is needed ends the asking, and so does
// going back from the first.
func (s *sitting) askInputs(item checklist.Item) (given checklist.Given, complete bool, err error) {
	given = checklist.Given{}
	for at := 0; at < len(item.Inputs); at++ {
		input := item.Inputs[at]
		line, err := s.ask(inputPrompt(input), input.Secret)
		if err != nil {
			return nil, false, err
		}
		known := input.Default != "" || input.Secret && s.state.Answers.Get(input.Name) != ""
		switch {
		case line == wantBack && at == 0, line == "" && !input.Optional && !known:
			s.say("  It is needed; nothing was done.")
			return nil, false, nil
		case line == wantBack:
			at -= 2
		case input.Secret && line != "":
			s.deps.Engine.KeepSecret(input.Name, secret.New(line))
			s.sayf("  Taken, %d characters.", utf8.RuneCountInString(line))
		case !input.Secret:
			given[input.Name] = cmp.Or(line, input.Default)
		}
	}
	return given, true, nil
}

func inputPrompt(input checklist.Input) string {
	prompt := input.Title
	switch {
	case input.Default != "":
		prompt += " [" + input.Default + "]"
	case input.Optional:
		prompt += ", may stay empty"
	}
	return prompt + ", < back:"
}
