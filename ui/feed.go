package ui

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/release"
)

// feedLimit bounds what waits to be drawn. A screen that is slower than the
// cluster loses old states of objects, never a problem or a phase.
const feedLimit = 2000

// feed carries events from the engine to the screen. The engine never waits
// for it.
type feed struct {
	mu     sync.Mutex
	events []release.Event
	more   chan struct{} // holds one signal that there is something
	closed bool
}

func newFeed() *feed { return &feed{more: make(chan struct{}, 1)} }

func (f *feed) add(e release.Event) {
	f.mu.Lock()
	if len(f.events) >= feedLimit {
		f.dropOldest()
	}
	f.events = append(f.events, e)
	f.mu.Unlock()
	f.signal()
}

// dropOldest removes the oldest event about an object or a log line.
func (f *feed) dropOldest() {
	for i, e := range f.events {
		if e.Type == release.ObjectEvent || e.Type == release.LogEvent {
			f.events = append(f.events[:i], f.events[i+1:]...)
			return
		}
	}
}

func (f *feed) signal() {
	select {
	case f.more <- struct{}{}:
	default:
	}
}

func (f *feed) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.signal()
}

// eventsMsg is everything that came since the last one.
type eventsMsg struct {
	generation int
	events     []release.Event
	closed     bool
}

// next waits for more.
func (f *feed) next(generation int) tea.Cmd {
	return func() tea.Msg {
		<-f.more
		f.mu.Lock()
		defer f.mu.Unlock()
		msg := eventsMsg{generation: generation, events: f.events, closed: f.closed}
		f.events = nil
		return msg
	}
}
