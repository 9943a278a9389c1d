package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// brokenEngine panics where it is told to.
type brokenEngine struct {
	*fakeEngine
	inProbe, inInstall bool
}

func (b *brokenEngine) Cluster(ctx context.Context, a answers.Answers) (facts.Cluster, error) {
	if b.inProbe {
		panic("a probe broke")
	}
	return b.fakeEngine.Cluster(ctx, a)
}

func (b *brokenEngine) Install(context.Context, plan.Plan, release.Sink) (release.Result, error) {
	if b.inInstall {
		panic("the install broke")
	}
	return release.Result{}, nil
}

// screen collects what is written, and tells when a text has come.
type screen struct {
	mu    sync.Mutex
	text  strings.Builder
	wrote chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.wrote <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// forget makes what was shown so far count no more.
func (s *screen) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
}

func (s *screen) wait(t *testing.T, words string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !strings.Contains(s.String(), words) {
		select {
		case <-s.wrote:
		case <-limit:
			t.Fatalf("the screen does not show %q\n%q", words, s.String())
		}
	}
}

// sitting is the real program on a pipe and a buffer.
type sitting struct {
	*screen
	keys  *os.File
	ended chan struct{}
	saved []session.Session

	outcome Outcome
	err     error
}

func sit(t *testing.T, engine Engine, change func(*Deps), signal <-chan struct{}) *sitting {
	t.Helper()
	return sitWith(t, engine, change, signal, nil)
}

// sitWith begins with a changed model.
func sitWith(t *testing.T, engine Engine, change func(*Deps), signal <-chan struct{}, alter func(*Model)) *sitting {
	t.Helper()
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(in.Close(), keys.Close()) })
	s := &sitting{screen: &screen{wrote: make(chan struct{}, 1)}, keys: keys, ended: make(chan struct{})}
	started := session.New(answers.Default(), noon)
	deps := Deps{Engine: engine, Session: started, Now: time.Now, Save: func(saved session.Session) error {
		s.saved = append(s.saved, saved)
		return nil
	}}
	if change != nil {
		change(&deps)
	}
	go func() {
		defer close(s.ended)
		terminal := Terminal{In: in, Out: s.screen, Renderer: asciiRenderer(), Ended: signal}
		if alter == nil {
			s.outcome, s.err = Run(t.Context(), deps, terminal)
			return
		}
		m := New(t.Context(), deps, terminal.Renderer)
		alter(&m)
		s.outcome, s.err = m.show(t.Context(), terminal)
	}()
	return s
}

// end waits for the end, and looks that the terminal was given back.
func (s *sitting) end(t *testing.T) {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		t.Fatalf("it does not end\n%q", s.String())
	}
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?2004h": "\x1b[?2004l"} {
		if text := s.String(); strings.LastIndex(text, off) < strings.LastIndex(text, on) {
			t.Errorf("%q is not taken back", on)
		}
	}
}

func wholeEngine(t *testing.T) *fakeEngine {
	return &fakeEngine{t: t, key: true, addresses: []string{"203.0.113.7"}, account: &platform.Account{ID: "64f0c0ffee00000000000001", Name: "acme", User: "ada", Admin: true}}
}

func TestAPanicGivesTheTerminalBack(t *testing.T) {
	for name, test := range map[string]struct {
		engine *brokenEngine
		change func(*Deps)
		keys   string
		alter  func(*Model)
		what   string
	}{
		"in a probe":  {engine: &brokenEngine{inProbe: true}, what: "a probe broke"},
		"in Update":   {engine: &brokenEngine{}, change: func(d *Deps) { d.Save = func(session.Session) error { panic("Update broke") } }, keys: "\r", what: "Update broke"},
		"while drawn": {engine: &brokenEngine{}, alter: func(m *Model) { m.at = 99 }, what: "index out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			test.engine.fakeEngine = wholeEngine(t)
			s := sitWith(t, test.engine, test.change, nil, test.alter)
			if test.keys != "" {
				s.wait(t, "Cluster context")
				if _, err := io.WriteString(s.keys, test.keys); err != nil {
					t.Fatal(err)
				}
			}
			s.end(t)
			var crash *Crash
			if !errors.As(s.err, &crash) || !strings.Contains(crash.What, test.what) || !strings.Contains(crash.Stack, "goroutine") {
				t.Errorf("ended with %v", s.err)
			}
		})
	}
}

// An installation that breaks is a failure on the screen: the rest is whole.
func TestAPanicInTheInstallLeavesTheScreenWhole(t *testing.T) {
	s := sit(t, &brokenEngine{fakeEngine: wholeEngine(t), inInstall: true}, func(d *Deps) {
		d.Resume, d.Session.Stage = true, session.Installing
		d.Session.Answers.Codefresh.AccountID = "a"
	}, nil)
	s.wait(t, "The installer broke.")
	if _, err := io.WriteString(s.keys, "k"); err != nil {
		t.Fatal(err)
	}
	s.end(t)
	var crash *Crash
	if s.err != nil || !errors.As(s.outcome.Err, &crash) || crash.What != "the install broke" {
		t.Errorf("ended with %v, outcome %v", s.err, s.outcome.Err)
	}
}

// A terminal that is gone, and a signal, end the sitting; all is saved.
func TestASittingEndsWithItsTerminal(t *testing.T) {
	for name, end := range map[string]func(*sitting, chan struct{}){
		"closed input": func(s *sitting, _ chan struct{}) { _ = s.keys.Close() },
		"a signal":     func(_ *sitting, signal chan struct{}) { close(signal) },
	} {
		t.Run(name, func(t *testing.T) {
			signal := make(chan struct{})
			s := sit(t, wholeEngine(t), nil, signal)
			s.wait(t, "Cluster context")
			end(s, signal)
			s.end(t)
			if s.err != nil || s.outcome.Ending != Interrupted || len(s.saved) == 0 {
				t.Errorf("ended with %v, %v, %d saved", s.err, s.outcome.Ending, len(s.saved))
			}
		})
	}
}
