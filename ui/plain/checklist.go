package plain

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

const checklistPrompt = "An empty line finishes, r verifies again, an item's name says more and does it, skip NAME leaves it out, unskip NAME takes that back:"

// checklist says what is left to do. It ends the sitting.
func (s *sitting) checklist() error {
	s.heading(len(s.steps)+2, "Checklist", s.state.Answers.Runtime.Name+" is installed. What is left to do:")
	for {
		if err := s.tellItems(); err != nil {
			return err
		}
		line, err := s.ask(checklistPrompt, false)
		var left leaving
		if errors.As(err, &left) && left.how == ui.Left {
			return leaving{how: ui.Finished} // nothing is left to be asked
		}
		if err != nil {
			return err
		}
		if err := s.chosenItem(strings.Fields(strings.ToLower(line))); err != nil {
			return err
		}
	}
}

// chosenItem does what was chosen on the checklist.
func (s *sitting) chosenItem(words []string) error {
	switch {
	case len(words) == 0 || len(words) == 1 && words[0] == "q":
		return leaving{how: ui.Finished}
	case len(words) == 1 && words[0] == "r":
		s.wrong = 0
		return nil
	case len(words) == 2 && words[0] == "skip":
		return s.skipItem(words[1], checklist.ChoiceSkipped)
	case len(words) == 2 && words[0] == "unskip":
		return s.skipItem(words[1], checklist.ChoiceNone)
	}
	return s.doItem(strings.Join(words, " "))
}

// skipItem leaves an item out, or not, for this sitting and for colleagues.
func (s *sitting) skipItem(id, choice string) error {
	if _, found := checklist.ByID(s.outcome.Items, id); !found {
		return s.choose(id, "Type the name of an item after skip or unskip.")
	}
	s.wrong = 0
	if s.deps.DryRun {
		s.say("  " + ui.DryRunWords)
		return nil
	}
	choices := maps.Clone(s.session.Choices)
	if choices == nil {
		choices = map[string]string{}
	}
	choices[id] = choice
	s.session.Choices = choices
	s.save()
	engine, a := s.deps.Engine, s.state.Answers.Clone()
	_, err := carryOut(s, steps.ProbeTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, engine.ChooseItem(ctx, a, id, choice) })
	if errors.As(err, new(leaving)) {
		return err
	}
	s.tellProblem(err)
	return nil
}

// tellItems verifies each item now, and says where it is.
func (s *sitting) tellItems() error {
	s.say("  checking: every item")
	engine, a := s.deps.Engine, s.state.Answers.Clone()
	items, err := await(s, steps.ProbeTimeout, func(ctx context.Context) ([]checklist.Item, error) { return engine.Checklist(ctx, a) })
	if errors.As(err, new(leaving)) {
		return err
	}
	if err != nil {
		s.tellProblem(err)
		return nil
	}
	s.outcome.Items = checklist.WithChoices(items, s.session.Choices)
	for _, item := range s.outcome.Items {
		state := string(item.State)
		if !item.Needed && item.State == checklist.ToDo {
			state = "optional"
		}
		s.say("  " + state + ": " + strings.Trim(item.Title+", "+item.Detail, ", "))
		s.tellWays(item)
	}
	done, needed := checklist.Verified(items)
	s.sayf("%d of %d verified.", done, needed)
	return nil
}

// tellWays says how an item that is open gets done.
func (s *sitting) tellWays(item checklist.Item) {
	if item.State == checklist.Done || item.State == checklist.NotNeeded || item.State == checklist.Skipped {
		return
	}
	for _, way := range []struct{ mark, words string }{{"fix: ", item.Fix}, {"page: ", item.Link}} {
		if way.words != "" {
			s.say(indented("    ", way.mark, way.words))
		}
	}
	switch {
	case item.CanDo():
		s.say(indented("    ", "do it: ", "type "+item.ID))
	case item.Command != "" || len(item.Files) > 0:
		s.say(indented("    ", "by hand: ", "type "+item.ID))
	}
}

// tellByHand says what a person would run or commit instead.
func (s *sitting) tellByHand(item checklist.Item) {
	if item.Command != "" {
		s.say("  by hand, run:", block(item.Command))
	}
	for _, file := range item.Files {
		s.say("  by hand, commit "+file.Path+":", block(file.Content))
	}
	if item.Command == "" && len(item.Files) == 0 && !item.CanDo() {
		s.say("  There is nothing to do here but what the list says; r looks again.")
	}
}
