// Package plain is the wizard line by line: the same steps as the full screen,
// for screen readers and terminals that can only scroll. Nothing is redrawn,
// nothing is coloured, and a line that is being typed is never written into.
package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

// Terminal is where the questions are asked.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	// Interrupts tells of every ctrl+c.
	Interrupts <-chan os.Signal
	// Ended is closed when the process is asked to end by another signal.
	Ended <-chan struct{}
}

// sitting is one run through the questions. It belongs to one goroutine; what
// works in the background sends its results to it.
type sitting struct {
	ctx      context.Context
	deps     ui.Deps
	terminal Terminal
	keys     *keyboard
	pace     pace

	steps []steps.Step
	at    int // the step, or past the last the review
	field int // of the step's questions
	state steps.State

	probes  map[string]probe
	probed  chan probed
	told    map[string][]string // what was said of a probe's checks
	offered map[string]bool     // the repairs that were offered once

	plan    plan.Plan
	session session.Session
	unsaved error
	outcome ui.Outcome
	wrong   int // lines in a row that could not be used
}

// pace is how long things are waited for.
type pace struct {
	announce  time.Duration // before it is said what is waited for
	answer    time.Duration // for what depends on an answer, before the next question
	step      time.Duration // for what a step need not have, before the next step
	heartbeat time.Duration // between two lines of an install in which nothing changes
}

var calm = pace{announce: 400 * time.Millisecond, answer: 3 * time.Second, step: 10 * time.Second, heartbeat: 10 * time.Second}

// Run asks until the sitting ends.
func Run(ctx context.Context, deps ui.Deps, t Terminal) ui.Outcome {
	return run(ctx, deps, t, calm)
}

func run(ctx context.Context, deps ui.Deps, t Terminal, p pace) ui.Outcome {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSitting(ctx, deps, t, p)
	defer s.keys.close()
	var left leaving
	if err := s.sit(); !errors.As(err, &left) {
		left = leaving{how: ui.Left, why: err}
	}
	if left.why != nil {
		s.outcome.Err = left.why
	}
	s.save()
	s.outcome.Ending, s.outcome.Plan, s.outcome.Session, s.outcome.Unsaved = left.how, s.plan, s.session, s.unsaved
	return s.outcome
}

func newSitting(ctx context.Context, deps ui.Deps, t Terminal, p pace) *sitting {
	deps = deps.Held()
	s := &sitting{
		ctx: ctx, deps: deps, terminal: t, keys: newKeyboard(t.In), pace: p, steps: steps.List(), session: deps.Session,
		state:  steps.Begin(ctx, deps.Engine, deps.Session.Answers),
		probes: map[string]probe{}, probed: make(chan probed), told: map[string][]string{}, offered: map[string]bool{},
	}
	s.state.Found.Sources = deps.Sources
	if deps.Resume {
		s.at = steps.StartAt(s.steps, s.session, func(field string) bool { return deps.Engine.SecretMissing(ctx, s.state.Answers, field) != nil })
	}
	return s
}

// leaving ends the sitting from wherever it is.
type leaving struct {
	how ui.Ending
	why error
}

func (l leaving) Error() string { return "leaving" }

// sit asks step by step. It ends only with a leaving.
func (s *sitting) sit() error {
	s.greet()
	s.startWhere(func(p steps.Probe) bool { return len(p.After) == 0 })
	if s.deps.Resume && s.session.Stage == session.Installing && s.onReview() && !s.deps.DryRun {
		s.say("The install of this session had begun. It goes on.")
		if err := s.install(); err != nil {
			return err
		}
	} else if s.deps.Resume && s.session.Stage == session.Installed && s.onReview() {
		return s.checklist()
	} else if s.onReview() {
		s.startReview()
	}
	for {
		ask := s.step
		if s.onReview() {
			ask = s.review
		}
		if err := ask(); err != nil {
			return err
		}
	}
}

func (s *sitting) onReview() bool { return s.at >= len(s.steps) }

// save writes the session. A failure is told, and the sitting goes on.
func (s *sitting) save() {
	before := s.unsaved
	s.session.Done = nil // line by line all steps before this one were answered
	s.session = s.session.Reached(steps.IDAt(s.steps, s.at), s.state.Answers, s.deps.Now())
	if s.unsaved = s.deps.Save(s.session); s.unsaved != nil && before == nil {
		s.say("Your answers could not be saved; the questions go on.")
		s.tellProblem(s.unsaved)
	}
}
