package plain

import (
	"context"
	"errors"
	"strings"

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
