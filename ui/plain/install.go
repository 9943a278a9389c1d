package plain

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// installation is an install that runs, and what it does when somebody wants
// to stop it.
type installation struct {
	*sitting
	progress progress
	stop     context.CancelFunc
	stopping bool
	asking   bool     // whether to stop
	held     []string // lines that wait until nobody types
	quiet    bool     // nothing was said since the last heartbeat
}

// install installs the answers as they are. It ends with the checklist, or
// where a failure leads.
func (s *sitting) install() error {
	for {
		built, err := plan.Build(s.state.Answers, s.deps.Sources)
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
		if again, err := s.afterFailure(problem.All(err)[0]); err != nil || !again {
			return err
		}
	}
}

// installOnce runs the engine, and says what it tells.
func (s *sitting) installOnce(built plan.Plan) error {
	s.heading(len(s.steps)+1, "Install", "Installing "+built.Answers().Runtime.Name+". Ctrl+C asks whether to stop.")
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	events, ended := make(chan release.Event), make(chan error, 1)
	go func() { ended <- runEngine(ctx, s, built, events) }()
	i := installation{sitting: s, stop: cancel, progress: newProgress(s.deps.Now(), time.Duration(s.state.Answers.Options.Timeout))}
	heartbeat := time.NewTicker(s.pace.heartbeat)
	defer heartbeat.Stop()
	for {
		select {
		case e := <-events:
			i.tell(i.progress.line(e))
		case <-heartbeat.C:
			i.beat()
		case found := <-s.probed:
			s.land(found)
		case t := <-s.keys.typed:
			s.keys.waiting = false
			i.answered(t)
		case <-s.terminal.Interrupts:
			i.interrupted()
		case <-s.terminal.Ended:
			return s.interrupted()
		case err := <-ended:
			i.over()
			return err
		}
	}
}

// runEngine installs, and makes a panic of the engine an error: nobody else
// could tell it. All events were taken when it ends.
func runEngine(ctx context.Context, s *sitting, built plan.Plan, events chan<- release.Event) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the installer broke: %v\n%s", cause, debug.Stack())
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

// interrupted asks what shall become of the install. A second ctrl+c means it.
func (i *installation) interrupted() {
	switch {
	case i.stopping:
		i.tell("Already stopping: it ends after the step that Helm is in.")
	case i.asking:
		i.say("")
		i.end()
	default:
		i.asking = true
		i.say("", "Stop the installation? It stops after the step that Helm is in. What is in the cluster stays, and `cfwizard resume` goes on from there.")
		i.askStop()
	}
}

func (i *installation) askStop() {
	i.keys.want(false)
	fmt.Fprint(i.terminal.Out, "1) stay, 2) stop [1]: ")
}

// answered takes the line that says whether to stop.
func (i *installation) answered(t typed) {
	if !i.asking {
		return
	}
	switch strings.ToLower(t.text) {
	case "2", "stop":
		i.end()
	case "", "1", "stay":
		i.stay()
	default:
		i.say("  Type 1 or 2.")
		i.askStop()
	}
}

func (i *installation) end() {
	i.stopping = true
	i.stop()
	i.say("Stopping after the step that Helm is in.")
	i.stay()
}

// stay goes on, and says what was held back.
func (i *installation) stay() {
	i.asking = false
	for _, line := range i.held {
		i.tell(line)
	}
	i.held = nil
}

// over ends a question that the install has outrun.
func (i *installation) over() {
	if i.asking {
		i.say("", "The installation has ended meanwhile.")
		i.stay()
	}
}
