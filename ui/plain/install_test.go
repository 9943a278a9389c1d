package plain

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
)

func phase(p release.Phase, message string) release.Event {
	return release.Event{Time: noon, Type: release.PhaseEvent, Phase: p, State: release.Started, Message: message}
}

func workload(name string, state release.State, message string) release.Event {
	return release.Event{Time: noon, Type: release.ObjectEvent, Object: &release.Object{Kind: "Deployment", Name: name}, State: state, Message: message}
}

// tells is an install that tells events and ends as it is told.
func tells(err error, events ...release.Event) func(context.Context, plan.Plan, release.Sink) error {
	return func(_ context.Context, _ plan.Plan, sink release.Sink) error {
		for _, e := range events {
			sink(e)
		}
		return err
	}
}

// confirmed is the way to an install that has begun.
var confirmed = join(toReview, "i install", "i")

func TestAnInstallIsToldInLines(t *testing.T) {
	b := newTable(t, &fakeEngine{install: tells(nil, phase(release.Fetch, "the chart"), workload("a", release.Waiting, "pulling"), workload("a", release.Waiting, "pulling"),
		workload("a", release.Ready, ""), phase(release.Wait, ""),
		release.Event{Type: release.LogEvent, Object: &release.Object{Name: "hook"}, Message: "hello"})})
	b.sit(join(confirmed, "finishes", "r", "finishes", "")...)
	b.heard("Phase fetch: the chart\n  Deployment a: pulling\n  Deployment a: ready\nPhase wait: gives up at 12:10\n  log of hook: hello\n")
}

func TestAQuietInstallSaysWhatItWaitsFor(t *testing.T) {
	goOn := make(chan struct{})
	b := newTable(t, &fakeEngine{install: func(ctx context.Context, p plan.Plan, sink release.Sink) error {
		for _, e := range []release.Event{phase(release.Wait, ""), workload("a", release.Ready, ""), workload("b", release.Waiting, "pulling"),
			workload("c", release.Waiting, "starting"), workload("d", release.Waiting, "x"), workload("e", release.Waiting, "y")} {
			sink(e)
		}
		<-goOn
		return nil
	}})
	b.pace.heartbeat = 10 * time.Millisecond
	lines := 0
	b.deps.Now = func() time.Time {
		if lines++; lines == 40 {
			close(goOn) // by then it has said so several times
		}
		return noon
	}
	b.sit(join(confirmed, "finishes", "")...)
	b.heard("Still at wait after 0s, 1 of 5 workloads ready; waiting for b (pulling), c (starting), d (x) and 1 more.")
}

func TestAFailedInstallAsksHowToGoOn(t *testing.T) {
	taken := &problem.Problem{Kind: problem.InstallFailed, Field: "runtime.name", What: "the name is taken", Why: "A hook said so.", Fix: "Choose another."}
	b := newTable(t, &fakeEngine{})
	b.engine.install = func(_ context.Context, p plan.Plan, _ release.Sink) error {
		if p.Answers().Runtime.Name == "payments" {
			return taken
		}
		return nil
	}
	outcome := b.sit(join(confirmed, "problem: the name is taken", "x", "Type r, b or k.", "r", "b back to runtime.name", "b",
		"Runtime name [payments]", "billing", "Namespace", "", "Helm release", "", "Chart version", "", "Access mode:", "", "Shared config URL", "", "Git provider:", "",
		"Git runtime token:", "", "Git user token:", "", "Anything special", "", "i install", "i", "finishes", "")...)
	if outcome.Ending != ui.Finished || outcome.Err != nil || len(b.engine.installed) != 3 {
		t.Errorf("ended with %d, %v after %d installs", outcome.Ending, outcome.Err, len(b.engine.installed))
	}
	b.heard("why: A hook said so.", "fix: Choose another.")
}

func TestAFailedInstallMayBeLeft(t *testing.T) {
	b := newTable(t, &fakeEngine{install: tells(&problem.Problem{Kind: problem.TimedOut, What: "it took too long", Fix: "Look."})})
	outcome := b.sit(join(confirmed, "b back to the review", "e", "pass: the evidence, without secrets, is in evidence.tgz", "b", "i install", "i", "k keep what is there", "k")...)
	if outcome.Ending != ui.Left || problem.KindOf(outcome.Err) != problem.TimedOut || outcome.Session.Stage != session.Failed {
		t.Errorf("ended with %d, %v at stage %s", outcome.Ending, outcome.Err, outcome.Session.Stage)
	}
}

func TestAPanicInTheEngineIsAProblem(t *testing.T) {
	b := newTable(t, &fakeEngine{install: func(context.Context, plan.Plan, release.Sink) error { panic("boom") }})
	b.sit(join(confirmed, "the installer broke", "k")...)
	if strings.Contains(b.said(), "boom") {
		t.Error("what was not redacted is said")
	}
}

// A problem that may mend itself is told once, with its fix.
func TestAProblemOfAnInstallIsToldOnce(t *testing.T) {
	pulling := func(name string) release.Event {
		return release.Event{Type: release.ProblemEvent, Object: &release.Object{Kind: "Deployment", Name: name},
			Problem: &problem.Problem{Cause: "image-pull", What: "the image of " + name + " cannot be pulled", Fix: "Check the registry."}}
	}
	b := newTable(t, &fakeEngine{install: tells(nil, pulling("a"), pulling("a"), pulling("b"))})
	b.sit(join(confirmed, "finishes", "")...)
	b.heard("problem: the image of a cannot be pulled\n    fix: Check the registry.", "problem: the image of b")
	if strings.Count(b.said(), "the image of a") != 1 {
		t.Errorf("told again:\n%s", b.said())
	}
}

// An install that stops can still be left.
func TestAnInstallThatStopsMayBeLeft(t *testing.T) {
	stopping := make(chan struct{})
	b := newTable(t, &fakeEngine{})
	b.engine.install = func(ctx context.Context, _ plan.Plan, _ release.Sink) error {
		b.interrupts <- os.Interrupt
		<-ctx.Done()
		<-stopping
		b.interrupts <- os.Interrupt
		<-t.Context().Done() // Helm does not end
		return nil
	}
	b.person.hears = func(words string) {
		if strings.Contains(words, "It is stopping already") {
			go func() { b.interrupts <- os.Interrupt }() // a second one leaves
		}
		if strings.Contains(words, "Leaving at the next safe point") {
			go func() { b.interrupts <- os.Interrupt }() // and a third one at once
		}
	}
	at := 0
	outcome := b.sitWith(func(question string) (string, bool) {
		if at < len(confirmed) {
			at += 2
			return confirmed[at-1], true
		}
		if !strings.Contains(question, "stopping already") {
			close(stopping)
			return "stop", true
		}
		<-t.Context().Done()
		return "", false
	})
	if outcome.Ending != ui.Detached {
		t.Errorf("ended with %d:\n%s", outcome.Ending, b.said())
	}
	b.heard("1) stay", "2) detach")
}

// Ctrl+c asks, nothing is written into the line meanwhile, and only stop stops.
func TestCtrlCDuringAnInstallAsks(t *testing.T) {
	asked, told := make(chan struct{}), make(chan struct{})
	b := newTable(t, &fakeEngine{})
	b.engine.install = func(ctx context.Context, _ plan.Plan, sink release.Sink) error {
		sink(phase(release.Hooks, ""))
		b.interrupts <- os.Interrupt
		<-asked
		sink(workload("meanwhile", release.Ready, ""))
		close(told)
		<-ctx.Done()
		return &problem.Problem{Kind: problem.Interrupted, What: "the installation was stopped"}
	}
	b.person.hears = func(words string) {
		if strings.Contains(words, "Deployment meanwhile: ready") {
			b.interrupts <- os.Interrupt // what was held back is said when nobody types
		}
	}
	script := join(confirmed, "Leave the installation?", "perhaps", "Type a number from 1 to 3", "", "Deployment meanwhile: ready", "stop", "the installation was stopped", "k")
	at := 0
	outcome := b.sitWith(func(question string) (string, bool) {
		words, line := script[at], script[at+1]
		if !strings.Contains(question, words) {
			t.Errorf("%q does not hold %q", question, words)
		}
		switch words {
		case "Leave the installation?":
			close(asked)
		case "Type a number from 1 to 3":
			<-told
		}
		at += 2
		return line, true
	})
	if problem.KindOf(outcome.Err) != problem.Interrupted {
		t.Errorf("ended with %d, %v", outcome.Ending, outcome.Err)
	}
	b.heard("Stopping after what Helm is doing now.")
}

// The line that the question waited for serves the next question.
func TestASecondCtrlCMeansIt(t *testing.T) {
	stopped := make(chan struct{})
	b := newTable(t, &fakeEngine{})
	b.engine.install = func(ctx context.Context, _ plan.Plan, _ release.Sink) error {
		b.interrupts <- os.Interrupt
		b.interrupts <- os.Interrupt
		<-ctx.Done()
		return &problem.Problem{Kind: problem.Interrupted, What: "the installation was stopped"}
	}
	b.person.hears = func(words string) {
		if strings.Contains(words, "k keep what is there") {
			close(stopped)
		}
	}
	at := 0
	outcome := b.sitWith(func(question string) (string, bool) {
		if at == len(confirmed) {
			<-stopped
			return "k", true
		}
		at += 2
		return confirmed[at-1], true
	})
	if outcome.Ending != ui.Left || problem.KindOf(outcome.Err) != problem.Interrupted {
		t.Errorf("ended with %d, %v:\n%s", outcome.Ending, outcome.Err, b.said())
	}
}

func TestSignalsSaveAndLeave(t *testing.T) {
	for name, signal := range map[string]func(*table){
		"ctrl+c":      func(b *table) { b.interrupts <- os.Interrupt },
		"termination": func(b *table) { close(b.ended) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t, &fakeEngine{})
			at := 0
			outcome := b.sitWith(func(string) (string, bool) {
				if at += 2; at > len(toAccess) {
					signal(b)
					<-t.Context().Done() // nobody types any more
					return "", false
				}
				return toAccess[at-1], true
			})
			if outcome.Ending != ui.Interrupted || b.saved[len(b.saved)-1].Answers.Runtime.Name != "payments" {
				t.Errorf("ended with %d", outcome.Ending)
			}
		})
	}
}

// Detaching leaves at a safe point, or when the installation does not come to
// one; a signal does the same without asking.
func TestAnInstallMayBeLeft(t *testing.T) {
	safe := func(ctx context.Context) error {
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), release.ErrDetach) {
			t.Errorf("ended because of %v", context.Cause(ctx))
		}
		return &problem.Problem{Kind: problem.Interrupted, What: "detached"}
	}
	for name, test := range map[string]struct {
		signal func(*table)
		asked  []string
		run    func(context.Context) error
	}{
		"detach": {func(b *table) { b.interrupts <- os.Interrupt }, []string{"Leave the installation?", "detach"}, safe},
		"signal": {func(b *table) { close(b.ended) }, nil, safe},
		"no safe point": {func(b *table) { close(b.ended) }, nil, func(context.Context) error {
			<-t.Context().Done()
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t, &fakeEngine{})
			b.engine.install = func(ctx context.Context, _ plan.Plan, _ release.Sink) error {
				test.signal(b)
				return test.run(ctx)
			}
			outcome := b.sit(join(confirmed, test.asked...)...)
			if outcome.Ending != ui.Detached || outcome.Err != nil || outcome.Session.Stage != session.Installing {
				t.Errorf("ended with %d, %v at stage %s", outcome.Ending, outcome.Err, outcome.Session.Stage)
			}
		})
	}
}
