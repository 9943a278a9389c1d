package ui

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

// goOn leaves the step forward. A needed probe that still runs holds it, and
// the step goes on by itself when the probe passes; one that failed runs again.
func (m Model) goOn() (tea.Model, tea.Cmd) {
	step := m.steps[m.at]
	for _, p := range step.Probes {
		state := m.probes[p.ID]
		switch {
		case !p.Needed:
			continue
		case state.running:
			m.form.waiting = true
			return m, nil
		case check.Worst(state.checks) == check.Fail:
			m.form.waiting = true
			return m.startProbe(p)
		}
	}
	if problems := step.Problems(m.state); len(problems) > 0 {
		return m.showProblem(problems[0]), nil
	}
	m = m.markDone(step.ID)
	return m.goTo(m.nextPage())
}

// showProblem puts the focus on the field that a problem is about.
func (m Model) showProblem(p *problem.Problem) Model {
	for i := range m.form.fields {
		if m.form.fields[i].spec.Path == p.Field {
			m.form.fields[i].problem = p
			m.form.focusOn(i)
			return m
		}
	}
	return m
}

// nextPage is the next step that is not settled, else one before that was
// unsettled by an answer, else the review.
func (m Model) nextPage() int {
	for _, index := range slices.Concat(span(m.at+1, len(m.steps)), span(0, m.at)) {
		if needed, _ := m.steps[index].Needed(m.state); needed && !m.settled(index) {
			return index
		}
	}
	return m.reviewPage()
}

func span(from, to int) []int {
	var indices []int
	for index := from; index < to; index++ {
		indices = append(indices, index)
	}
	return indices
}

// settled reports whether a step was answered and its answers still hold.
func (m Model) settled(index int) bool {
	return m.done[m.steps[index].ID] && len(m.steps[index].Problems(m.state)) == 0
}

// askAgain unsettles the steps that depend on a changed answer. What was
// answered there stays as a suggestion.
func (m Model) askAgain(path string) Model {
	m.done = maps.Clone(m.done)
	for _, step := range m.steps {
		if slices.Contains(step.Depends, path) {
			delete(m.done, step.ID)
		}
	}
	return m
}

func (m Model) markDone(id string) Model {
	m.done = maps.Clone(m.done)
	m.done[id] = true
	return m
}

func (m Model) goBack() (tea.Model, tea.Cmd) {
	m = m.keepDrafts()
	if previous := steps.Previous(m.steps, m.state, m.at); previous >= 0 {
		return m.goTo(previous)
	}
	return m, nil
}

// goTo shows a page.
func (m Model) goTo(index int) (tea.Model, tea.Cmd) {
	m.at = index
	m.form = m.newForm()
	m.overlay = overlay{}
	if m.onStep() && m.done[m.steps[index].ID] {
		for _, p := range m.steps[index].Problems(m.state) {
			m = m.showProblem(p)
		}
	}
	m = m.save()
	if index != m.reviewPage() {
		return m, nil
	}
	m.review = m.newReview()
	rehearsal := map[string]bool{}
	for _, p := range steps.ReviewProbes() {
		rehearsal[p.ID] = true
	}
	return m.startProbes(func(p steps.Probe) bool { return rehearsal[p.ID] })
}
