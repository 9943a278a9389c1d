package release

import (
	"container/list"
	"sync"
)

const (
	// waitingObjects bounds how many objects' states wait for a slow reader.
	waitingObjects = 4096
	// waitingLines bounds how many lines of logs wait for a slow reader.
	waitingLines = 1024
)

// stream stands between the installation and whoever reads its events. The
// installation never waits: of an object only the newest state is kept, of
// logs the newest lines. Phases, checks, problems and the end are never lost.
type stream struct {
	sink Sink

	mu      sync.Mutex
	more    sync.Cond
	waiting *list.List               // of Event, in the order of their times
	objects map[Object]*list.Element // the waiting state of each object
	lines   *list.List               // the waiting lines of logs, as elements of waiting
	closed  bool
	ended   chan struct{}
}

func newStream(sink Sink) *stream {
	s := &stream{sink: sink, waiting: list.New(), objects: map[Object]*list.Element{}, lines: list.New(), ended: make(chan struct{})}
	s.more.L = &s.mu
	go s.deliver()
	return s
}

// add takes an event and returns at once.
func (s *stream) add(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	element := s.waiting.PushBack(e)
	switch {
	case e.Type == ObjectEvent && e.Object != nil:
		s.replace(*e.Object, element)
	case e.Type == LogEvent:
		if s.lines.Len() >= waitingLines {
			s.waiting.Remove(s.lines.Remove(s.lines.Front()).(*list.Element))
		}
		s.lines.PushBack(element)
	}
	s.more.Signal()
}

// replace forgets the state of an object that nobody has read yet.
func (s *stream) replace(o Object, newest *list.Element) {
	if before, ok := s.objects[o]; ok {
		s.waiting.Remove(before)
	} else if len(s.objects) >= waitingObjects {
		s.dropOldestObject()
	}
	s.objects[o] = newest
}

func (s *stream) dropOldestObject() {
	for element := s.waiting.Front(); element != nil; element = element.Next() {
		if e := element.Value.(Event); e.Type == ObjectEvent && e.Object != nil {
			delete(s.objects, *e.Object)
			s.waiting.Remove(element)
			return
		}
	}
}

// deliver hands the events on, one after the other.
func (s *stream) deliver() {
	defer close(s.ended)
	for {
		e, more := s.next()
		if !more {
			return
		}
		s.sink(e)
	}
}

func (s *stream) next() (Event, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.waiting.Len() == 0 && !s.closed {
		s.more.Wait()
	}
	if s.waiting.Len() == 0 {
		return Event{}, false
	}
	element := s.waiting.Front()
	e := s.waiting.Remove(element).(Event)
	switch {
	case e.Type == ObjectEvent && e.Object != nil:
		delete(s.objects, *e.Object)
	case e.Type == LogEvent:
		s.lines.Remove(s.lines.Front())
	}
	return e, true
}

// close takes no more events, and returns when those that wait are read.
func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	s.more.Signal()
	s.mu.Unlock()
	<-s.ended
}
