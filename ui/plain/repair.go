package plain

import (
	"context"
	"errors"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

const repairTimeout = 20 * time.Second

// offerRepairs offers, once each, what this program could mend of what probes
// found. A change that is made has the probes run again, so that the next offer
// is of what they found then.
func (s *sitting) offerRepairs(list []steps.Probe) error {
	for {
		r, found := check.NextRepair(s.checksOf(list), s.offered)
		if !found {
			return nil
		}
		if err := s.offerRepair(r); err != nil {
			return err
		}
	}
}

// repairAll offers again what was left alone before.
func (s *sitting) repairAll() error {
	clear(s.offered)
	if len(check.Repairs(s.checksOf(s.allProbes()))) == 0 {
		s.say("  There is nothing that cfwizard can fix itself.")
	}
	return s.offerRepairs(s.allProbes())
}

// offerRepair shows a change as a diff and as a command, and makes it when the
// person agrees.
func (s *sitting) offerRepair(r check.Repair) error {
	s.offered[r.String()] = true
	s.say("cfwizard can change " + r.Object() + ": " + r.Title + ".")
	if r.Warning != "" {
		s.say("  note: " + r.Warning)
	}
	for _, line := range r.Diff() {
		s.say("  " + diffWord(line) + line)
	}
	if command := r.Command(); command != "" {
		s.say("  `cfwizard doctor --undo` takes it back. As a command:", "  "+command)
	}
	if s.deps.DryRun {
		s.say("  " + ui.DryRunWords)
		return nil
	}
	agreed, err := s.agree("Make this change?")
	if err != nil || !agreed {
		return err
	}
	return s.repair(r)
}

// diffWord says what a sign means to those who hear it.
func diffWord(line string) string {
	switch line[:1] {
	case "-":
		return "goes:  "
	case "+":
		return "comes: "
	}
	return ""
}

// repair makes the change, and reads the cluster again, so that the checks tell
// what is true now.
func (s *sitting) repair(r check.Repair) error {
	s.say("  making the change")
	engine, a := s.deps.Engine, s.state.Answers.Clone()
	_, err := carryOut(s, repairTimeout, func(ctx context.Context) (repair.Record, error) {
		return engine.Repair(context.WithoutCancel(ctx), a, r) // it is short, and what was changed must be known
	})
	switch {
	case errors.As(err, new(leaving)):
		return err
	case repair.IsOutdated(err):
		s.tellProblem(err)
		delete(s.offered, r.String()) // it is offered again as it is now
	case err != nil:
		s.tellProblem(err)
		return nil
	default:
		s.say("  pass: the change is made")
	}
	s.startWhere(func(p steps.Probe) bool { return p.ID == "cluster" || p.ID == "git" })
	if err := s.settle(s.allProbes(), s.pace.step); err != nil {
		return err
	}
	s.tellNews(s.pageProbes())
	return nil
}

// pageProbes are the probes that belong to the page: all of them on the review.
func (s *sitting) pageProbes() []steps.Probe {
	if s.onReview() {
		return s.allProbes()
	}
	return s.concerned(s.steps[s.at])
}
