package ui

import (
	"sync"
	"time"

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
	told   time.Time // when something was last handed on
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

// pause is how long to let events gather; the last ones are handed on at once.
func (f *feed) pause() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0
	}
	return feedPause - time.Since(f.told)
}

// eventsMsg is everything that came since the last one.
type eventsMsg struct {
	generation int
	events     []release.Event
	closed     bool
}

// feedPause is between two messages: more often than this nobody can read, and
// keys must not wait behind events.
const feedPause = 50 * time.Millisecond

// next waits for more, and lets it gather.
func (f *feed) next(generation int) tea.Cmd {
	return func() tea.Msg {
		<-f.more
		time.Sleep(f.pause())
		f.mu.Lock()
		defer f.mu.Unlock()
		f.told = time.Now()
		msg := eventsMsg{generation: generation, events: f.events, closed: f.closed}
		f.events = nil
		if f.closed {
			f.signal() // nobody waits for a feed that has ended
		}
		return msg
	}
}
