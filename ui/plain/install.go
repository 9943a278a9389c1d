package plain

import (
	"context"
	"errors"
	"time"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
)

// installation is an install that runs, and what the person wants of it.
type installation struct {
	*sitting
	progress progress
	cancel   context.CancelCauseFunc
	stopping bool
	overdue  <-chan time.Time // when the program leaves without it; nil unless it is to
	asking   bool             // what shall become of it
	held     []string         // lines that wait until nobody types
	quiet    bool             // nothing was said since the last heartbeat
}

// install installs the answers as they are. It ends with the checklist, or
// where a failure leads.
func (s *sitting) install() error {
	for {
		built, err := plan.Build(s.state.Answers, s.state.Found.Sources)
		if err != nil {
			return s.refuse(problem.All(err))
		}
		s.plan = built
		s.session.Stage = session.Installing
		s.save()
		err = s.installOnce(built)
		if errors.As(err, new(leaving)) {
			return err
		}
		s.session.Stage = session.Installed
		if err != nil {
			s.session.Stage = session.Failed
		}
		s.outcome.Err = err
		s.save()
		if err == nil {
			return s.checklist()
		}
		if again, err := s.afterFailure(err); err != nil || !again {
			return err
		}
	}
}

// installOnce runs the engine, and says what it tells.
func (s *sitting) installOnce(built plan.Plan) error {
	s.heading(len(s.steps)+1, "Install", "Installing "+built.Answers().Runtime.Name+". Ctrl+C asks whether to stop.")
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	events, done := make(chan release.Event), make(chan error, 1)
	go func() { done <- runEngine(ctx, s, built, events) }()
	i := &installation{sitting: s, cancel: cancel, progress: newProgress(s.deps.Now(), time.Duration(s.state.Answers.Options.Timeout))}
	heartbeat := time.NewTicker(s.pace.heartbeat)
	defer heartbeat.Stop()
	for hungUp := s.terminal.Ended; ; {
		select {
		case e := <-events:
			i.tell(i.progress.line(e))
		case <-heartbeat.C:
			i.beat()
		case found := <-s.probed:
			s.land(found)
		case t := <-s.keys.typed:
			s.keys.waiting = false
			i.decide(t)
		case <-s.terminal.Interrupts:
			if i.overdue != nil {
				return i.detached()
			}
			i.interrupt()
		case <-hungUp:
			hungUp = nil
			i.detach(ui.HangUpLimit)
		case <-i.overdue:
			return i.detached()
		case err := <-done:
			return i.over(err)
		}
	}
}

// runEngine installs, and makes a panic of the engine an error: nobody else
// could tell it. All events were taken when it ends.
func runEngine(ctx context.Context, s *sitting, built plan.Plan, events chan<- release.Event) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = ui.Broke(cause)
		}
	}()
	_, err = s.deps.Engine.Install(ctx, built, func(e release.Event) {
		select {
		case events <- e:
		case <-s.ctx.Done():
		}
	})
	return err
}

// tell says a line, or keeps it until nobody types.
func (i *installation) tell(line string) {
	switch {
	case line == "":
	case i.asking:
		i.held = append(i.held, line)
	default:
		i.quiet = false
		i.say(line)
	}
}

// beat says that it goes on, when nothing else did for a while.
func (i *installation) beat() {
	if i.quiet && !i.asking {
		i.say(i.progress.still(i.deps.Now()))
	}
	i.quiet = true
}

// over ends a question that the install has outrun, and leaves where that was
// wanted.
func (i *installation) over(err error) error {
	if i.asking {
		i.say("", "The installation has ended meanwhile.")
		i.stay()
	}
	if err != nil && i.overdue != nil && problem.KindOf(err) == problem.Interrupted {
		return i.detached()
	}
	return err
}
