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
func (s *sitting) afterFailure(failure error) (again bool, err error) {
	p := problem.All(failure)[0]
	how := "The installation failed."
	if p.Kind == problem.Interrupted {
		how = "The installation was stopped."
	}
	s.say(how)
	s.tellProblem(problem.List{p})
	at, caused := steps.PlaceOf(s.steps, p.Field)
	where := "the review"
	if caused {
		where = p.Field
	}
	prompt := "r retry as it is, b back to " + where + ", e save the evidence, k keep what is there and leave:"
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
		case "e":
			if err := s.saveEvidence(failure); err != nil {
				return false, err
			}
			continue
		case "k", "q":
			return false, leaving{how: ui.Left}
		}
		if err := s.choose(line, "Type r, b or k. With e the evidence is saved."); err != nil {
			return false, err
		}
	}
}

// saveEvidence keeps what can be seen of the failure in an archive.
func (s *sitting) saveEvidence(failure error) error {
	s.wrong = 0
	s.say("  saving the evidence")
	engine, built := s.deps.Engine, s.plan
	path, err := await(s, steps.ProbeTimeout, func(ctx context.Context) (string, error) { return engine.Bundle(ctx, built, failure) })
	switch {
	case errors.As(err, new(leaving)):
		return err
	case err != nil:
		s.say("  fail: the evidence could not be saved: " + err.Error())
	default:
		s.say("  pass: the evidence, without secrets, is in " + path)
	}
	return nil
}

// checklist says what is left to do. It ends the sitting.
func (s *sitting) checklist() error {
	s.heading(len(s.steps)+2, "Checklist", s.state.Answers.Runtime.Name+" is installed. What is left to do:")
	for {
		if err := s.tellItems(); err != nil {
			return err
		}
		line, err := s.ask("An empty line finishes, r verifies again, an item's name does it:", false)
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
		if err := s.doItem(strings.ToLower(line)); err != nil {
			return err
		}
	}
}

// tellWays says how an item that is open gets done.
func (s *sitting) tellWays(item checklist.Item) {
	if item.State != checklist.ToDo && item.State != checklist.Failed {
		return
	}
	for _, way := range []struct{ mark, words string }{{"fix: ", item.Fix}, {"page: ", item.Link}} {
		if way.words != "" {
			s.say(indented("    ", way.mark, way.words))
		}
	}
	if item.CanDo() {
		s.say(indented("    ", "do it: ", "type "+item.ID))
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
	s.outcome.Items = items
	done := 0
	for _, item := range items {
		if item.State == checklist.Done {
			done++
		}
		s.say("  " + string(item.State) + ": " + strings.Trim(item.Title+", "+item.Detail, ", "))
		s.tellWays(item)
	}
	s.sayf("%d of %d done.", done, len(items))
	return nil
}
