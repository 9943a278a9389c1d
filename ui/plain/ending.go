package plain

import (
	"context"
	"errors"
	"strings"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

// afterFailure says what happened, and asks how to go on: back to the answer
// that caused it, again, or not at all.
func (s *sitting) afterFailure(p *problem.Problem) (again bool, err error) {
	s.say("The installation failed.")
	s.tellProblem(problem.List{p})
	at, caused := steps.PlaceOf(s.steps, p.Field)
	prompt := "r retry as it is, b back to the review, k keep what is there and leave:"
	if caused {
		prompt = "r retry as it is, b back to " + p.Field + ", k keep what is there and leave:"
	}
	for {
		line, err := s.ask(prompt, false)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(line) {
		case "r", "retry":
			s.wrong = 0
			return true, nil
		case "b", "back", wantBack:
			s.wrong = 0
			if caused {
				s.goToField(at, p.Field)
			} else {
				s.goTo(len(s.steps), 0)
			}
			return false, nil
		case "k", "q":
			return false, leaving{how: ui.Left}
		}
		if err := s.choose(line, "Type r, b or k."); err != nil {
			return false, err
		}
	}
}

// checklist says what is left to do. It ends the sitting.
func (s *sitting) checklist() error {
	s.heading(len(s.steps)+2, "Checklist", s.state.Answers.Runtime.Name+" is installed. What is left to do:")
	for {
		if err := s.tellItems(); err != nil {
			return err
		}
		line, err := s.ask("An empty line finishes, r verifies again:", false)
		var left leaving
		if errors.As(err, &left) && left.how == ui.Left {
			return leaving{how: ui.Finished} // nothing is left to be asked
		}
		if err != nil {
			return err
		}
		switch strings.ToLower(line) {
		case "", "q":
			return leaving{how: ui.Finished}
		case "r":
			s.wrong = 0
			continue
		}
		if err := s.choose(line, "Type r, or nothing."); err != nil {
			return err
		}
	}
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
	done := 0
	for _, item := range items {
		if item.State == checklist.Done {
			done++
		}
		s.say("  " + string(item.State) + ": " + strings.Trim(item.Title+", "+item.Detail, ", "))
		if item.Action != "" {
			s.say(indented("    ", "to do: ", item.Action))
		}
	}
	s.sayf("%d of %d done.", done, len(items))
	return nil
}
