package ui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// TestMonkey plays people who press anything at any time, on a clock of its
// own: nothing panics, no answer is lost, and every frame fits its terminal.
func TestMonkey(t *testing.T) {
	turns := 200
	if os.Getenv("CFWIZARD_SOAK") != "" {
		turns = 10_000
	}
	var seen sync.Map
	t.Run("seeds", func(t *testing.T) {
		for seed := range uint64(20) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { newMonkey(t, seed, &seen).play(turns) })
			})
		}
	})
	for page := range New(t.Context(), Deps{Engine: wholeEngine(t)}, asciiRenderer()).pageCount() {
		if _, is := seen.Load(page); !is {
			t.Errorf("no monkey came to page %d", page)
		}
	}
	for _, kind := range []overlayKind{showHelp, showPreview, askStop, chooseForm, showDetails} {
		if _, is := seen.Load(kind); !is {
			t.Errorf("no monkey opened overlay %d", kind)
		}
	}
}

// monkey plays one sitting after the other. Commands run as they do in the
// real program, but their messages come in an order that the seed decides.
type monkey struct {
	t      *testing.T
	random *rand.Rand
	engine *fakeEngine
	model  Model
	stop   context.CancelFunc
	seen   *sync.Map       // the pages and overlays that any monkey saw
	last   session.Session // that was saved
	quit   bool

	results chan result
	sent    int
	sink    release.Sink
	done    chan error // ends the running install
}

type result struct {
	number int
	msg    tea.Msg
}

func newMonkey(t *testing.T, seed uint64, seen *sync.Map) *monkey {
	m := &monkey{t: t, seen: seen, random: rand.New(rand.NewPCG(seed, 7)), engine: wholeEngine(t), results: make(chan result, 10_000)}
	m.engine.install = m.install
	m.engine.bundle = func(error) (string, error) { return "/state/bundles/evidence.tar.gz", nil }
	m.engine.statusOff = true
	m.last = session.New(answers.Default(), noon)
	if seed%2 == 0 { // this one comes back to a sitting that was almost done
		m.last.Stage = session.Failed
		m.last.Answers.Codefresh.AccountID, m.last.Answers.Git.SharedConfigRepo = m.engine.account.ID, "https://github.com/acme/isc.git"
	}
	m.sit(seed%2 == 0)
	return m
}

// sit begins, or goes on with what was saved.
func (m *monkey) sit(resume bool) {
	ctx, stop := context.WithCancel(m.t.Context())
	m.stop, m.quit = stop, false
	m.model = New(ctx, Deps{Engine: m.engine, Session: m.last, Resume: resume, Now: time.Now, Save: func(s session.Session) error {
		m.last = s
		return nil
	}, Write: func(name string, _ []byte) (string, error) { return name, nil }}, asciiRenderer())
	m.start(m.model.Init())
}

func (m *monkey) install(ctx context.Context, _ plan.Plan, sink release.Sink) (release.Result, error) {
	done := make(chan error, 1)
	m.sink, m.done = sink, done
	select {
	case <-ctx.Done():
		return release.Result{}, &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: "the installation was stopped"}
	case err := <-done:
		return release.Result{}, err
	}
}

// start runs a command, and each of a batch.
func (m *monkey) start(command tea.Cmd) {
	if command == nil {
		return
	}
	m.sent++
	number := m.sent
	go func() { m.results <- result{number, command()} }()
}

func (m *monkey) play(turns int) {
	for range turns {
		m.turn()
		m.settle()
		if m.quit {
			m.resume()
		}
	}
	m.stop()
	time.Sleep(time.Minute) // clocks that nobody reads run out
}

// turn does one thing.
func (m *monkey) turn() {
	switch n := m.random.IntN(100); {
	case n < 60:
		m.press(monkeyKeys[m.random.IntN(len(monkeyKeys))])
	case n < 66:
		m.send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(monkeyTexts[m.random.IntN(len(monkeyTexts))])})
	case n < 74:
		m.send(tea.WindowSizeMsg{Width: 1 + m.random.IntN(160), Height: 1 + m.random.IntN(60)})
	case n < 80:
		m.send(tea.MouseMsg{X: m.random.IntN(160), Y: m.random.IntN(60), Action: tea.MouseActionPress, Button: tea.MouseButton(m.random.IntN(6))})
	case n < 84:
		m.change()
	case n < 94:
		m.tell()
	case n < 96:
		m.endInstall()
	default:
		time.Sleep(time.Duration(m.random.IntN(4000)) * time.Millisecond)
	}
}

// press is a key: an answer that it changed is on disk at once.
func (m *monkey) press(name string) {
	before := m.model.state.Answers.Clone()
	m.send(keyOf(name))
	if !reflect.DeepEqual(before, m.model.state.Answers) && !reflect.DeepEqual(m.last.Answers, m.model.state.Answers) {
		m.t.Fatalf("%s changed an answer that was not saved", name)
	}
}

func (m *monkey) send(msg tea.Msg) {
	next, command := m.model.Update(msg)
	m.model = next.(Model)
	m.seen.Store(m.model.at, true)
	m.seen.Store(m.model.overlay.kind, true)
	frame := m.model.View()
	if fits(m.t, frame, m.model.width, m.model.height); m.t.Failed() {
		m.t.Fatalf("after %#v:\n%s", msg, frame)
	}
	m.start(command)
}

// settle waits until all is quiet, and hands on what has come.
func (m *monkey) settle() {
	for synctest.Wait(); len(m.results) > 0; synctest.Wait() {
		var come []result
		for len(m.results) > 0 {
			come = append(come, <-m.results)
		}
		slices.SortFunc(come, func(a, b result) int { return a.number - b.number })
		for _, r := range come {
			m.take(r.msg)
		}
	}
}

func (m *monkey) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil, tea.SuspendMsg:
	case tea.QuitMsg:
		m.quit = true
	case tea.BatchMsg:
		for _, command := range msg {
			m.start(command)
		}
	default:
		m.send(msg)
	}
}

// resume ends a sitting and goes on with what it saved.
func (m *monkey) resume() {
	if !reflect.DeepEqual(m.last.Answers, m.model.state.Answers) {
		m.t.Fatal("a sitting ended, and what was saved last is not what was answered")
	}
	m.stop()
	m.settle()
	m.sit(true)
	m.settle()
}

// change makes the world another one.
func (m *monkey) change() {
	failing := errors.New("dial tcp: i/o timeout 日本")
	switch m.random.IntN(12) {
	case 0:
		m.engine.clusterErr = failing
	case 1:
		m.engine.accountErr = failing
	case 2:
		m.engine.taken = !m.engine.taken
	case 3:
		m.engine.rehearsal = []check.Check{{ID: "x", Status: check.Warn, Title: "a webhook answers slowly 🐢", Why: "It took 9 s.", Fix: "Wait."}}
	case 4:
		m.engine.rehearsal = []check.Check{{ID: "y", Status: check.Fail, Title: "a quota is too small", Fix: "Raise it."}}
	default:
		m.engine.clusterErr, m.engine.accountErr, m.engine.rehearsal = nil, nil, nil
	}
}

// tell is a burst of what an installation tells.
func (m *monkey) tell() {
	if m.sink == nil {
		return
	}
	states := []release.State{release.Started, release.Waiting, release.Ready, release.Failed, release.Ahead}
	kinds := []string{"Deployment", "StatefulSet", "Job", "ConfigMap"}
	types := []release.Type{release.PhaseEvent, release.ObjectEvent, release.ObjectEvent, release.ObjectEvent, release.LogEvent, release.ProblemEvent}
	for range m.random.IntN(40) {
		e := release.Event{Time: time.Now(), Type: types[m.random.IntN(len(types))], State: states[m.random.IntN(len(states))],
			Phase: release.Phases[m.random.IntN(len(release.Phases))], Message: monkeyTexts[m.random.IntN(len(monkeyTexts))]}
		if m.random.IntN(10) > 0 {
			e.Object = &release.Object{Kind: kinds[m.random.IntN(len(kinds))], Name: fmt.Sprint("a-workload-", m.random.IntN(30))}
		}
		if e.Type == release.ProblemEvent {
			e.Problem = &problem.Problem{What: e.Message, Fix: "Wait for it."}
		}
		m.sink(e)
	}
}

func (m *monkey) endInstall() {
	if m.done == nil {
		return
	}
	ends := []error{nil, nameTaken(), errors.New("🐢"), &problem.Problem{Kind: problem.TimedOut, What: "it took too long"}}
	select {
	case m.done <- ends[m.random.IntN(len(ends))]:
	default:
	}
}

var monkeyKeys = []string{"enter", "enter", "enter", "enter", "enter", "esc", "tab", "shift+tab", "up", "down", "down", "ctrl+p", "ctrl+c", "ctrl+s", "f1", "ctrl+u", "a", "x1", "日本", "?",
	"é", "d", "p", " ", "l", "e", "r", "b", "k", "s", "y", "n", "q", "ctrl+e", "ctrl+f", "ctrl+z"}

var monkeyTexts = []string{"https://github.com/acme/isc", "payments", "runtime.acme.io", "日本語のテキスト", "👩‍👩‍👧‍👦 family", "line one\nline two", "\x1b[31mred", "e\u0301", "a.very.long.name.that.does.not.fit.into.any.line.of.a.terminal.example.com",
	"CreateContainerConfigError: secret \"codefresh-token\" not found", ""}
