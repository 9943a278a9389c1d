// Package release installs a plan with the Helm SDK and tells, as events,
// what is happening. It does not decide how that looks.
package release

import (
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
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
	Render Phase = "render"
	Setup  Phase = "namespace and secrets"
	CRDs   Phase = "CRDs"
	Hooks  Phase = "hooks"
	Apply  Phase = "apply"
	Wait   Phase = "wait"
	Verify Phase = "verify"
)

// Phases lists them, for whoever draws progress.
var Phases = []Phase{Fetch, Render, Setup, CRDs, Hooks, Apply, Wait, Verify}

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

// Sink takes events. It must return at once.
type Sink func(Event)

// teller adds the time and the phase that holds when something is told. The
// watcher and Helm tell at the same time.
type teller struct {
	sink Sink

	mu    sync.Mutex
	phase Phase
}

func (t *teller) tell(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time = time.Now()
	if e.Phase == "" {
		e.Phase = t.phase
	}
	t.sink(e)
}

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
