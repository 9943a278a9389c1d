// Package release installs a plan with the Helm SDK and tells, as events,
// what is happening. It does not decide how that looks.
package release

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Type says what an event is about.
type Type string

// The types of events.
const (
	PhaseEvent   Type = "phase"
	ObjectEvent  Type = "object"
	LogEvent     Type = "log"
	CheckEvent   Type = "check"
	ProblemEvent Type = "problem"
	DoneEvent    Type = "done"
)

// Phase is a stretch of the installation.
type Phase string

// The phases in their order.
const (
	Fetch  Phase = "fetch"
	Setup  Phase = "namespace and secrets"
	Render Phase = "render"
	CRDs   Phase = "CRDs"
	Hooks  Phase = "hooks"
	Apply  Phase = "apply"
	Wait   Phase = "wait"
	Verify Phase = "verify"
	Remove Phase = "remove" // of an uninstall only
)

// Phases lists them, for whoever draws progress.
var Phases = []Phase{Fetch, Setup, Render, CRDs, Hooks, Apply, Wait, Verify}

// State is where an object or a phase is.
type State string

// The states of phases and objects.
const (
	Started State = "started"
	Waiting State = "waiting"
	Ready   State = "ready"
	Failed  State = "failed"
	Deleted State = "deleted"
	Skipped State = "skipped"
	Ahead   State = "ahead" // known to come, and not begun
)

// Object names something in the cluster.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Event is one thing that happened.
type Event struct {
	Time    time.Time        `json:"time"`
	Type    Type             `json:"type"`
	Phase   Phase            `json:"phase,omitempty"`
	Object  *Object          `json:"object,omitempty"`
	State   State            `json:"state,omitempty"`
	Message string           `json:"message,omitempty"`
	Cause   string           `json:"cause,omitempty"`
	Problem *problem.Problem `json:"-"`
}

// Sink takes events, one after the other. A slow one loses old states of
// objects and old lines of logs; it never slows the installation.
type Sink func(Event)

// teller adds the time and the phase that holds when something is told, and
// hides the tokens. The watcher and Helm tell at the same time.
type teller struct {
	events *stream
	tokens []secret.Value

	mu    sync.Mutex
	phase Phase
}

// newTeller begins to tell. close ends it, after everything was read.
func newTeller(r Request) *teller {
	return &teller{events: newStream(r.Sink), tokens: slices.Collect(maps.Values(r.Tokens))}
}

func (t *teller) close() { t.events.close() }

func (t *teller) tell(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time = time.Now()
	if e.Phase == "" {
		e.Phase = t.phase
	}
	e.Message = t.safe(e.Message)
	e.note()
	t.events.add(e)
}

// note puts an event into the log, if one is kept.
func (e Event) note() {
	about := ""
	if e.Object != nil {
		about = e.Object.Kind + "/" + e.Object.Name
	}
	journal.Note(string(e.Type), "phase", string(e.Phase), "object", about, "state", string(e.State), "message", e.Message, "cause", e.Cause)
}

// safe makes words from elsewhere one line without tokens.
func (t *teller) safe(words string) string { return secret.Redact(text.Line(words), t.tokens...) }

func (t *teller) now() Phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phase
}

// enter ends the phase before and begins another.
func (t *teller) enter(p Phase, message string) {
	if t.now() == p {
		return
	}
	t.leave("")
	t.mu.Lock()
	t.phase = p
	t.mu.Unlock()
	t.tell(Event{Type: PhaseEvent, State: Started, Message: message})
}

func (t *teller) leave(message string) {
	if t.now() != "" {
		t.tell(Event{Type: PhaseEvent, State: Ready, Message: message})
	}
	t.mu.Lock()
	t.phase = ""
	t.mu.Unlock()
}
