package plain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/steps"
)

// probe is what is known of a probe: whether it runs, and what it found.
type probe struct {
	generation int
	running    bool
	cancel     context.CancelFunc
	checks     []check.Check
}

// probed carries the generation that asked: an answer to an older question is
// dropped.
type probed struct {
	id         string
	generation int
	outcome    steps.Outcome
}

// start runs a probe with the answers as they are, and ends a run of the same
// probe that answers an older question.
func (s *sitting) start(p steps.Probe) {
	before := s.probes[p.ID]
	if before.cancel != nil {
		before.cancel()
	}
	ctx, cancel := context.WithTimeout(s.ctx, steps.ProbeTimeout)
	now := probe{generation: before.generation + 1, running: true, cancel: cancel, checks: before.checks}
	s.probes[p.ID] = now
	state := s.state
	state.Answers = state.Answers.Clone()
	go func() {
		defer cancel()
		found := probed{id: p.ID, generation: now.generation, outcome: look(ctx, s.deps.Engine, p, state)}
		select {
		case s.probed <- found:
		case <-s.ctx.Done():
		}
	}()
}

// look runs a probe. One that breaks is a failed check.
func look(ctx context.Context, engine steps.Engine, p steps.Probe, state steps.State) (outcome steps.Outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			outcome = steps.Outcome{Checks: check.FromError(p.ID, p.ID, fmt.Errorf("%s broke: %v", p.Title, cause))}
		}
	}()
	return p.Run(ctx, engine, state)
}

// startWhere runs the probes that are wanted: those of the steps and, once
// everything is answered, those of the review.
func (s *sitting) startWhere(wanted func(steps.Probe) bool) {
	for _, p := range s.allProbes() {
		if wanted(p) {
			s.start(p)
		}
	}
}

func (s *sitting) allProbes() []steps.Probe {
	all := steps.Probes(s.steps)
	if s.onReview() {
		all = append(all, steps.ReviewProbes()...)
	}
	return all
}

// land takes in a result, and starts what waited for it.
func (s *sitting) land(found probed) {
	known := s.probes[found.id]
	if found.generation != known.generation {
		return
	}
	known.running, known.checks = false, found.outcome.Checks
	s.probes[found.id] = known
	if found.outcome.Learn != nil {
		s.state.Answers = s.state.Answers.Clone()
		found.outcome.Learn(&s.state)
	}
	s.startWhere(func(p steps.Probe) bool { return slices.Contains(p.After, found.id) })
}

// settle waits until probes have ended, at most so long. What takes longer
// than a moment is named once.
func (s *sitting) settle(list []steps.Probe, limit time.Duration) error {
	deadline, moment := time.After(limit), time.After(s.pace.announce)
	for {
		running := s.running(list)
		if len(running) == 0 {
			return nil
		}
		select {
		case found := <-s.probed:
			s.land(found)
		case <-moment:
			for _, p := range running {
				s.sayf("  checking: %s", p.Title)
			}
		case <-deadline:
			for _, p := range running {
				s.sayf("  not yet: %s. It goes on in the background.", p.Title)
			}
			return nil
		case <-s.terminal.Interrupts:
			return s.interrupted()
		case <-s.terminal.Ended:
			return s.interrupted()
		}
	}
}

func (s *sitting) running(list []steps.Probe) []steps.Probe {
	return slices.DeleteFunc(slices.Clone(list), func(p steps.Probe) bool { return !s.probes[p.ID].running })
}

func (s *sitting) failed(p steps.Probe) bool {
	return !s.probes[p.ID].running && check.Worst(s.probes[p.ID].checks) == check.Fail
}

// checksOf are what probes found, in their order.
func (s *sitting) checksOf(list []steps.Probe) []check.Check {
	var all []check.Check
	for _, p := range list {
		all = append(all, s.probes[p.ID].checks...)
	}
	return all
}

func needed(list []steps.Probe) []steps.Probe {
	return slices.DeleteFunc(slices.Clone(list), func(p steps.Probe) bool { return !p.Needed })
}
