package ui

import (
	"slices"

	"github.com/cfwizard/cfwizard/installer/release"
)

// weights say how much of the whole a phase is, from measured installs.
var weights = map[release.Phase]float64{
	release.Fetch: 5, release.Setup: 1, release.Render: 1, release.CRDs: 5, release.Hooks: 28, release.Apply: 5, release.Wait: 55,
}

// share is how much is done, from 0 to 1. It never claims more than is known:
// hooks and workloads count as they end, other phases when they end.
func (p progress) share() float64 {
	done, total := 0.0, 0.0
	for _, phase := range release.Phases {
		total += weights[phase]
		done += weights[phase] * p.shareOf(phase)
	}
	return done / total
}

func (p progress) shareOf(phase release.Phase) float64 {
	state := p.phases[phase].state
	group := map[release.Phase]map[string]objectState{release.Hooks: p.hooks, release.Wait: p.workloads}[phase]
	switch {
	case len(group) > 0 && (state != "" || p.isPast(phase)):
		return float64(count(group, release.Ready)) / float64(len(group))
	case state == release.Ready, state == "" && p.isPast(phase):
		return 1
	}
	return 0
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
