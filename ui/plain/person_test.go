package plain

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
)

var (
	noon          = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	secretMissing = &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: "codefresh.apiKey", What: "it is needed", Fix: "Create one."}
	brisk         = pace{announce: time.Minute, answer: time.Minute, step: time.Minute, heartbeat: time.Minute}
)

// person is both ends of a terminal: it hears what is written, and types when
// it is asked. A question is everything that was written since the last one.
type person struct {
	heard     bytes.Buffer
	since     int
	questions chan string
	typing    []byte
	answer    func(question string) (line string, more bool)
	hears     func(words string) // as they are written; may be nil
}

func (p *person) Write(words []byte) (int, error) {
	p.heard.Write(words)
	if p.hears != nil {
		p.hears(string(words))
	}
	if !bytes.HasSuffix(words, []byte("\n")) {
		p.questions <- p.heard.String()[p.since:]
		p.since = p.heard.Len()
	}
	return len(words), nil
}

func (p *person) Read(into []byte) (int, error) {
	if len(p.typing) == 0 {
		question, open := <-p.questions
		if !open {
			return 0, io.EOF
		}
		line, more := p.answer(question)
		if !more {
			return 0, io.EOF
		}
		p.typing = []byte(line + "\n")
	}
	n := copy(into, p.typing)
	p.typing = p.typing[n:]
	return n, nil
}

// table is a sitting and everything around it.
type table struct {
	t          *testing.T
	person     *person
	engine     *fakeEngine
	deps       ui.Deps
	pace       pace
	interrupts chan os.Signal
	ended      chan struct{}
	saved      []session.Session
}

func newTable(t *testing.T, engine *fakeEngine) *table {
	t.Helper()
	engine.t = t
	if engine.account.ID == "" {
		engine.account = platform.Account{ID: "64f0c0ffee00000000000001", Name: "acme", User: "ada", Admin: true}
	}
	if !engine.noKey {
		t.Setenv("CF_API_KEY", "there")
	}
	s := session.New(answers.Default(), noon)
	s.ID = "20261115-120000-test"
	table := &table{t: t, engine: engine, pace: brisk, interrupts: make(chan os.Signal, 1), ended: make(chan struct{}),
		person: &person{questions: make(chan string, 1000)}}
	table.deps = ui.Deps{Engine: engine, Session: s, Now: func() time.Time { return noon }, Save: func(s session.Session) error {
		table.saved = append(table.saved, s)
		return nil
	}}
	return table
}

// sit answers each question in turn: the words that it must hold, and the line
// that is typed. When they are used up, so is what is typed. A sitting that
// ends before all of them were asked fails.
func (b *table) sit(script ...string) ui.Outcome {
	b.t.Helper()
	at := 0
	outcome := b.sitWith(func(question string) (string, bool) {
		if at >= len(script) {
			return "", false
		}
		words, line := script[at], script[at+1]
		if !strings.Contains(question, words) {
			b.t.Errorf("question %d does not hold %q:\n%s", at/2+1, words, question)
		}
		at += 2
		return line, true
	})
	if at < len(script) {
		b.t.Errorf("never asked: %q\n%s", script[at:], b.said())
	}
	return outcome
}

func (b *table) sitWith(answer func(string) (string, bool)) ui.Outcome {
	b.t.Helper()
	b.person.answer = answer
	ended := make(chan ui.Outcome, 1)
	go func() {
		ended <- run(b.t.Context(), b.deps, Terminal{In: b.person, Out: b.person, Interrupts: b.interrupts, Ended: b.ended}, b.pace)
	}()
	select {
	case outcome := <-ended:
		close(b.person.questions)
		if strings.ContainsRune(b.said(), '\x1b') {
			b.t.Errorf("an escape byte was written:\n%q", b.said())
		}
		return outcome
	case <-time.After(20 * time.Second):
		b.t.Fatal("the sitting did not end")
		return ui.Outcome{}
	}
}

// said is everything that was written. It may be looked at when the sitting
// has ended.
func (b *table) said() string { return b.person.heard.String() }

func (b *table) heard(words ...string) {
	b.t.Helper()
	for _, w := range words {
		if !strings.Contains(b.said(), w) {
			b.t.Errorf("nobody said %q:\n%s", w, b.said())
		}
	}
}

// The lines that lead through the steps, for scripts.
var (
	toAccount = []string{"Cluster context:", ""}
	toRuntime = join(toAccount, "Codefresh URL [https://g.codefresh.io]", "", "[taken from CF_API_KEY]", "")
	toAccess  = join(toRuntime, "Runtime name [codefresh]", "payments", "Namespace [codefresh]", "", "Helm release [cf-gitops-runtime]", "", "Chart version, may stay empty", "")
	toGit     = join(toAccess, "Access mode:", "tunnel")
	toTokens  = join(toGit, "Shared config URL", "https://github.com/acme/isc.git", "Git provider:", "")
	toReview  = join(toTokens, "Git runtime token:", "", "Git user token:", "", "Anything special, yes or no [no]", "")
)

func join(lines []string, more ...string) []string {
	return append(append([]string{}, lines...), more...)
}
