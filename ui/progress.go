package ui

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/release"
)

// progress is what the events add up to.
type progress struct {
	phases    map[release.Phase]phaseState
	workloads map[string]objectState // Deployments and StatefulSets
	hooks     map[string]objectState // hook Jobs
	objects   map[string]objectState // everything else
	log       []string
}

type phaseState struct {
	state   release.State
	began   time.Time
	ended   time.Time
	message string
}

type objectState struct {
	object  release.Object
	state   release.State
	message string
	since   time.Time
}

const logLimit = 200

func newProgress() progress {
	return progress{phases: map[release.Phase]phaseState{}, workloads: map[string]objectState{}, hooks: map[string]objectState{}, objects: map[string]objectState{}}
}

// after is the progress with more events in it; the older one is untouched.
func (p progress) after(events []release.Event) progress {
	p.phases, p.workloads = maps.Clone(p.phases), maps.Clone(p.workloads)
	p.hooks, p.objects = maps.Clone(p.hooks), maps.Clone(p.objects)
	p.log = slices.Clone(p.log)
	for _, e := range events {
		switch e.Type {
		case release.PhaseEvent:
			p.phase(e)
		case release.ObjectEvent:
			p.object(e)
		case release.LogEvent:
			p.log = append(p.log, e.Object.Name+": "+e.Message)
		}
	}
	if extra := len(p.log) - logLimit; extra > 0 {
		p.log = p.log[extra:]
	}
	return p
}

func (p progress) phase(e release.Event) {
	s := p.phases[e.Phase]
	if s.began.IsZero() {
		s.began = e.Time
	}
	s.state, s.ended = e.State, e.Time
	if e.Message != "" {
		s.message = e.Message
	}
	p.phases[e.Phase] = s
}

func (p progress) object(e release.Event) {
	group := p.objects
	switch e.Object.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		group = p.workloads
	case "Job":
		group = p.hooks
	}
	name := e.Object.Kind + "/" + e.Object.Name
	before := group[name]
	// A pod that is looked at late must not take back that its workload is ready.
	if before.state == release.Ready && e.State == release.Waiting && group != nil && e.Message == "starting" {
		return
	}
	since := before.since
	if before.state != e.State {
		since = e.Time
	}
	group[name] = objectState{object: *e.Object, state: e.State, message: e.Message, since: since}
}

// sorted lists objects: those in trouble first, then waiting, then ready.
func sorted(group map[string]objectState) []objectState {
	return slices.SortedFunc(maps.Values(group), func(a, b objectState) int {
		if d := rank(a.state) - rank(b.state); d != 0 {
			return d
		}
		return strings.Compare(a.object.Name, b.object.Name)
	})
}

func rank(s release.State) int {
	switch s {
	case release.Failed:
		return 0
	case release.Waiting, release.Started:
		return 1
	}
	return 2
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

// weights say how much of the whole a phase is, from measured installs.
var weights = map[release.Phase]float64{
	release.Fetch: 5, release.Render: 5, release.Setup: 5, release.CRDs: 5, release.Hooks: 30, release.Apply: 10, release.Wait: 35, release.Verify: 5,
}

// share is how much is done, from 0 to 1. It never claims more than is known:
// a phase counts by its objects where they are known, else when it ends.
func (p progress) share() float64 {
	done, total := 0.0, 0.0
	for _, phase := range release.Phases {
		total += weights[phase]
		state := p.phases[phase]
		switch {
		case state.state == release.Ready:
			done += weights[phase]
		case state.state == release.Started && phase == release.Wait && len(p.workloads) > 0:
			done += weights[phase] * float64(count(p.workloads, release.Ready)) / float64(len(p.workloads))
		case state.state == "" && p.isPast(phase):
			done += weights[phase]
		}
	}
	return done / total
}

// isPast reports whether a phase that never began was left out.
func (p progress) isPast(phase release.Phase) bool {
	index := slices.Index(release.Phases, phase)
	for _, later := range release.Phases[index+1:] {
		if p.phases[later].state != "" {
			return true
		}
	}
	return false
}
