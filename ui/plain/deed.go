package plain

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// deedTimeout bounds an item that is done; an upgrade of the release is the
// longest of them.
const deedTimeout = 6 * time.Minute

// doItem shows what an item would do, asks for what it must be told, and does
// it after a clear yes. Whether it worked is for the next look to say.
func (s *sitting) doItem(id string) error {
	item, found := checklist.ByID(s.outcome.Items, id)
	if !found || !item.CanDo() {
		return s.choose(id, "Type the name of an item that can be done.")
	}
	s.wrong = 0
	s.say("It " + item.Does + ".")
	for _, line := range item.Preview {
		s.say("    " + line)
	}
	if item.Warning != "" {
		s.say("  warning: " + item.Warning)
	}
	given, complete, err := s.askInputs(item)
	if err != nil || !complete {
		return err
	}
	agreed, err := s.agree("Do it?")
	if err != nil || !agreed {
		return err
	}
	engine, a := s.deps.Engine, s.state.Answers.Clone()
	told, err := await(s, deedTimeout, func(ctx context.Context) (string, error) { return engine.DoItem(ctx, a, id, given) })
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
// stands in brackets; without it, what is needed ends the asking.
func (s *sitting) askInputs(item checklist.Item) (given checklist.Given, complete bool, err error) {
	given = checklist.Given{}
	for _, input := range item.Inputs {
		prompt := input.Title
		if input.Default != "" {
			prompt += " [" + input.Default + "]"
		}
		line, err := s.ask(prompt+":", input.Secret)
		if err != nil {
			return nil, false, err
		}
		line = strings.TrimSpace(line)
		known := input.Default != "" || input.Secret && s.state.Answers.Get(input.Name) != ""
		switch {
		case line == "" && !input.Optional && !known:
			s.say("  It is needed; nothing was done.")
			return nil, false, nil
		case line == "":
			given[input.Name] = input.Default
		case input.Secret:
			s.deps.Engine.KeepSecret(input.Name, secret.New(line))
		default:
			given[input.Name] = line
		}
	}
	return given, true, nil
}
