package ui

import (
	"maps"
	"slices"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
)

// progress is what the events add up to.
type progress struct {
	phases    map[release.Phase]phaseState
	now       release.Phase // that began last
	workloads map[string]objectState
	hooks     map[string]objectState
	crds      int
	troubles  []trouble
	log       []string
	reached   float64
}

type phaseState struct {
	state   release.State
	began   time.Time
	took    time.Duration // of all its stretches that have ended
	message string
}

// objectState is where a workload or a hook is, and how it came there.
type objectState struct {
	object  release.Object
	order   int // in which it was first told
	state   release.State
	message string
	since   time.Time
	notes   []note // what was told of it
	log     []string
}

// note is something that was told of an object.
type note struct {
	time  time.Time
	words string
}

// trouble is a problem that may yet mend itself.
type trouble struct {
	about   string // the object's key
	problem *problem.Problem
}

const (
	logLimit  = 200
	noteLimit = 50
)

func newProgress() progress {
	return progress{phases: map[release.Phase]phaseState{}, workloads: map[string]objectState{}, hooks: map[string]objectState{}}
}

// after is the progress with more events in it; the older one is untouched.
func (p progress) after(events []release.Event) progress {
	p.phases, p.workloads, p.hooks = maps.Clone(p.phases), maps.Clone(p.workloads), maps.Clone(p.hooks)
	p.troubles, p.log = slices.Clone(p.troubles), slices.Clone(p.log)
	for _, e := range events {
		switch e.Type {
		case release.PhaseEvent:
			p.phase(e)
		case release.ObjectEvent:
			p.object(e)
		case release.LogEvent:
			p.line(e)
		case release.ProblemEvent:
			p.trouble(e)
		}
	}
	p.log = newest(p.log, logLimit)
	p.reached = max(p.reached, p.share())
	return p
}

// newest keeps the end of a list.
func newest[T any](list []T, limit int) []T { return list[max(len(list)-limit, 0):] }

// phase begins, ends or describes a phase. One may have several stretches:
// hooks run before and after the rest.
func (p *progress) phase(e release.Event) {
	s := p.phases[e.Phase]
	switch {
	case e.State == release.Started && s.state != release.Started:
		s.began, p.now = e.Time, e.Phase
	case e.State != release.Started && s.state == release.Started:
		s.took += e.Time.Sub(s.began)
	}
	s.state = e.State
	if e.Message != "" {
		s.message = e.Message
	}
	p.phases[e.Phase] = s
}

// groupOf is where objects of a kind are kept; of most it is enough to know
// that they are there.
func (p *progress) groupOf(kind string) map[string]objectState {
	switch kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return p.workloads
	case "Job", "Pod":
		return p.hooks
	}
	return nil
}

func keyOfObject(o release.Object) string { return o.Kind + "/" + o.Name }

func (p *progress) object(e release.Event) {
	if e.Object == nil {
		return
	}
	group := p.groupOf(e.Object.Kind)
	if group == nil {
		if e.Phase == release.CRDs && e.State == release.Ready {
			p.crds++
		}
		return
	}
	name := keyOfObject(*e.Object)
	s, known := group[name]
	if s.state == release.Ready && comesLate(e) {
		return
	}
	if !known {
		s.order = len(group)
	}
	if s.state != e.State {
		s.since = e.Time
	}
	if words := describe(e); words != "" && (len(s.notes) == 0 || s.notes[len(s.notes)-1].words != words) {
		s.notes = newest(append(slices.Clip(s.notes), note{e.Time, words}), noteLimit)
	}
	s.object, s.state, s.message = *e.Object, e.State, e.Message
	group[name] = s
	if e.State == release.Ready {
		p.troubles = slices.DeleteFunc(p.troubles, func(t trouble) bool { return t.about == name })
	}
}

// comesLate is for what is told of an object after it is known to be ready.
func comesLate(e release.Event) bool {
	return e.State == release.Ahead || e.State == release.Waiting && (e.Message == "starting" || e.Message == "created")
}

// describe says an object's state in words.
func describe(e release.Event) string {
	switch {
	case e.State == release.Ahead:
		return ""
	case e.Message != "":
		return e.Message
	}
	return string(e.State)
}

// line keeps a line of a hook's log, or a warning about a workload.
func (p *progress) line(e release.Event) {
	if e.Object == nil {
		p.log = append(p.log, e.Message)
		return
	}
	p.log = append(p.log, e.Object.Name+": "+e.Message)
	group, name := p.groupOf(e.Object.Kind), keyOfObject(*e.Object)
	s, known := group[name]
	if !known {
		return
	}
	if e.Object.Kind == "Job" {
		s.log = newest(append(slices.Clip(s.log), e.Message), logLimit)
	} else {
		s.notes = newest(append(slices.Clip(s.notes), note{e.Time, e.Message}), noteLimit)
	}
	group[name] = s
}

// trouble keeps the newest problem of each object.
func (p *progress) trouble(e release.Event) {
	if e.Problem == nil {
		return
	}
	about := ""
	if e.Object != nil {
		about = keyOfObject(*e.Object)
	}
	p.troubles = slices.DeleteFunc(p.troubles, func(t trouble) bool { return t.about == about })
	p.troubles = append(p.troubles, trouble{about, e.Problem})
}

// shown are the objects that matter now: hooks while they run, else workloads.
func (p progress) shown() map[string]objectState {
	if p.now == release.Hooks || len(p.workloads) == 0 {
		return p.hooks
	}
	return p.workloads
}

func count(group map[string]objectState, state release.State) int {
	n := 0
	for _, o := range group {
		if o.state == state {
			n++
		}
	}
	return n
}
