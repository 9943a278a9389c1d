package ui

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/steps"
)

const secretTimeout = 2 * time.Second

// probe is what is known of a probe: whether it runs, and what it found.
type probe struct {
	generation int
	running    bool
	cancel     context.CancelFunc
	checks     []check.Check
}

// probedMsg carries the generation that asked: an answer to an older question
// is dropped.
type probedMsg struct {
	id         string
	generation int
	outcome    steps.Outcome
}

// startProbe runs a probe with the answers as they are, and ends a run of the
// same probe that answers an older question.
func (m Model) startProbe(p steps.Probe) (Model, tea.Cmd) {
	before := m.probes[p.ID]
	if before.cancel != nil {
		before.cancel()
	}
	ctx, cancel := context.WithTimeout(m.ctx, steps.ProbeTimeout)
	now := probe{generation: before.generation + 1, running: true, cancel: cancel, checks: before.checks}
	m.probes = maps.Clone(m.probes)
	m.probes[p.ID] = now
	engine, state := m.deps.Engine, m.state
	state.Answers = state.Answers.Clone()
	return m, func() tea.Msg {
		defer cancel()
		return probedMsg{id: p.ID, generation: now.generation, outcome: p.Run(ctx, engine, state)}
	}
}

// forgotten are the probes without what they found, and so that what still
// runs is dropped when it ends.
func (m Model) forgotten() map[string]probe {
	fresh := map[string]probe{}
	for id, p := range m.probes {
		if p.cancel != nil {
			p.cancel()
		}
		fresh[id] = probe{generation: p.generation + 1}
	}
	return fresh
}

// startProbesOf runs the probes that depend on a field.
func (m Model) startProbesOf(path string) (Model, tea.Cmd) {
	return m.startProbes(func(p steps.Probe) bool { return slices.Contains(p.Inputs, path) })
}

// startProbes runs the probes of the steps that are wanted.
func (m Model) startProbes(wanted func(steps.Probe) bool) (Model, tea.Cmd) {
	var commands []tea.Cmd
	for _, p := range m.allProbes() {
		if wanted(p) {
			var command tea.Cmd
			m, command = m.startProbe(p)
			commands = append(commands, command)
		}
	}
	return m, tea.Batch(commands...)
}

// allProbes are those of the steps and, once everything is answered, those of
// the review.
func (m Model) allProbes() []steps.Probe {
	all := steps.Probes(m.steps)
	if m.at == m.reviewPage() {
		all = append(all, steps.ReviewProbes()...)
	}
	return all
}

// probed lands a result. A step that waited for it goes on, unless something
// lies over it.
func (m Model) probed(msg probedMsg) (tea.Model, tea.Cmd) {
	known := m.probes[msg.id]
	if msg.generation != known.generation {
		return m, nil
	}
	known.running, known.checks = false, msg.outcome.Checks
	m.probes = maps.Clone(m.probes)
	m.probes[msg.id] = known
	if msg.outcome.Learn != nil {
		m.state.Answers = m.state.Answers.Clone()
		msg.outcome.Learn(&m.state)
	}
	if msg.outcome.Learn != nil && m.at == m.reviewPage() {
		m = m.replan()
	}
	if m.onStep() {
		m = m.refreshChoices()
	}
	if check.Worst(known.checks) == check.Fail && m.holdsStep(msg.id) {
		m.form.waiting = false
	}
	m, followers := m.startProbes(func(p steps.Probe) bool { return slices.Contains(p.After, msg.id) })
	if m.overlay.open() {
		return m, followers
	}
	if m.at == m.reviewPage() && m.review.waiting && m.rehearsing() == "" {
		next, command := m.confirmed()
		return next, tea.Batch(followers, command)
	}
	if m.onStep() && m.form.waiting && check.Worst(known.checks) != check.Fail {
		next, command := m.goOn()
		return next, tea.Batch(followers, command)
	}
	return m, followers
}

const nothingAccepted = -1

// holdsStep reports whether the step cannot be left without a probe.
func (m Model) holdsStep(id string) bool {
	return m.onStep() && slices.ContainsFunc(m.steps[m.at].Probes, func(p steps.Probe) bool { return p.ID == id && p.Needed })
}

// refreshChoices offers what was just found, without touching what the person
// is typing.
func (m Model) refreshChoices() Model {
	if !m.asksTheSame() {
		return m.rebuild(nothingAccepted, m.state)
	}
	m.form = m.form.clone()
	for i := range m.form.fields {
		if f := &m.form.fields[i]; f.spec.Kind == steps.Choice {
			before := f.value()
			f.list = f.list.offer(f.spec.Choices(m.state), f.spec.Value(m.state))
			if f.value() != before {
				f.problem = nil
			}
		}
	}
	return m
}

// asksTheSame reports whether the fields on the page are those to be asked. A
// field that the person is typing into stays what it is until it is answered.
func (m Model) asksTheSame() bool {
	asked := m.steps[m.at].Asked(m.state)
	same := func(a, b steps.Field) bool { return a.Path == b.Path && a.Kind == b.Kind }
	current := m.form.current()
	if current != nil && current.typed() && current.value() != current.spec.Value(m.state) &&
		!slices.ContainsFunc(asked, func(f steps.Field) bool { return same(f, current.spec) }) {
		return true
	}
	return slices.EqualFunc(asked, m.form.fields, func(a steps.Field, b field) bool { return same(a, b.spec) })
}

// worst is the worst that the probes of a step found.
func (m Model) worst(stepID string) check.Status {
	var all []check.Check
	for _, step := range m.steps {
		if step.ID != stepID {
			continue
		}
		for _, p := range step.Probes {
			all = append(all, m.probes[p.ID].checks...)
		}
	}
	return check.Worst(all)
}
