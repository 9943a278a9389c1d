package ui

import (
	"context"
	"maps"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/steps"
)

func (m Model) formKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	m.form = m.form.clone()
	m.form.waiting = false
	help, preview := m.keys.help, m.keys.preview
	if m.form.typing() {
		help, preview = m.keys.helpAnywhere, m.keys.previewAnywhere
	}
	switch {
	case key.Matches(msg, m.keys.next):
		return m.accept()
	case key.Matches(msg, m.keys.back):
		return m.goBack()
	case key.Matches(msg, help):
		m.overlay = overlay{kind: showHelp}
		return m, nil
	case key.Matches(msg, preview):
		m.overlay = overlay{kind: showPreview}
		return m, nil
	case key.Matches(msg, m.keys.details):
		m.overlay = overlay{kind: showDetails}
		return m, nil
	case key.Matches(msg, m.keys.repair) && len(m.repairs()) > 0:
		m.overlay = overlay{kind: askRepair}
		return m, nil
	case key.Matches(msg, m.keys.nextField):
		return m.moveFocus(m.form.focus + 1)
	case key.Matches(msg, m.keys.prevField):
		return m.moveFocus(m.form.focus - 1)
	}
	return m.editField(msg)
}

// editField types into a text or moves in a list.
func (m Model) editField(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	current := m.form.current()
	if current == nil {
		return m, nil
	}
	step := 0
	switch {
	case key.Matches(msg, m.keys.up):
		step = -1
	case key.Matches(msg, m.keys.down):
		step = 1
	}
	if current.spec.Kind == steps.Choice {
		current.cursor = max(min(current.cursor+step, len(current.choices)-1), 0)
		return m, nil
	}
	if step != 0 {
		return m.moveFocus(m.form.focus + step)
	}
	var command tea.Cmd
	current.input, command = current.input.Update(msg)
	current.problem = nil
	return m, command
}

// moveFocus keeps what was typed, valid or not, and goes to another field.
func (m Model) moveFocus(index int) (tea.Model, tea.Cmd) {
	m = m.keepDrafts()
	m.form.focusOn(index)
	return m, nil
}

// keepDrafts remembers what stands in the text fields. Secrets are not kept.
func (m Model) keepDrafts() Model {
	m.drafts = maps.Clone(m.drafts)
	for _, f := range m.form.fields {
		if f.spec.Kind == steps.Text {
			m.drafts[f.spec.Path] = f.input.Value()
		}
	}
	return m
}

// accept takes the focused field's value: it becomes an answer when it is
// valid, the session is saved, and the probes that depend on it start.
func (m Model) accept() (tea.Model, tea.Cmd) {
	current := m.form.current()
	if current == nil {
		return m.goOn()
	}
	changed, err := m.take(*current)
	if err != nil {
		current.problem = err
		return m, nil
	}
	path, at := current.spec.Path, m.form.focus
	m = changed
	m.drafts = maps.Clone(m.drafts)
	delete(m.drafts, path)
	m = m.save()
	m, commands := m.startProbesOf(path)
	m = m.rebuild(at)
	if at+1 < len(m.form.fields) {
		m.form.focusOn(at + 1)
		return m, commands
	}
	next, command := m.goOn()
	return next, tea.Batch(commands, command)
}

// rebuild makes the form anew, since an answer may have changed what is
// asked, and keeps what was typed in the other fields.
func (m Model) rebuild(focus int) Model {
	hidden := map[string]string{}
	for _, f := range m.form.fields {
		if f.spec.Kind == steps.Hidden {
			hidden[f.spec.Path] = f.input.Value()
		}
		if f.spec.Kind == steps.Text && f.spec.Path != m.form.fields[m.form.focus].spec.Path {
			m.drafts[f.spec.Path] = f.input.Value()
		}
	}
	m.form = m.newForm()
	for i := range m.form.fields {
		if value, ok := hidden[m.form.fields[i].spec.Path]; ok {
			m.form.fields[i].input.SetValue(value)
		}
	}
	m.form.focusOn(focus)
	return m
}

// take puts a field's value into a copy of the answers.
func (m Model) take(f field) (Model, *problem.Problem) {
	if f.spec.Kind == steps.Hidden {
		return m.takeSecret(f)
	}
	changed, wrong := m.state.Answer(f.spec, f.value())
	if wrong != nil {
		return m, wrong
	}
	m.state = changed
	return m, nil
}

// takeSecret hands a typed secret to the engine.
func (m Model) takeSecret(f field) (Model, *problem.Problem) {
	path, typed := f.spec.Path, f.value()
	if typed == "" {
		return m, m.secretNotTyped(f)
	}
	m.deps.Engine.KeepSecret(path, secret.New(typed))
	m.state = m.state.WithSecret(path)
	return m, nil
}

// secretNotTyped accepts an empty field when the secret is to be had by its
// reference, or is not needed.
func (m Model) secretNotTyped(f field) *problem.Problem {
	referred := m.state.Answers.Get(f.spec.Path) != ""
	if !referred && f.spec.Optional {
		return nil
	}
	ctx, cancel := context.WithTimeout(m.ctx, secretTimeout)
	defer cancel()
	if err := m.deps.Engine.SecretMissing(ctx, m.state.Answers, f.spec.Path); err != nil {
		return problem.All(err)[0]
	}
	return nil
}

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

func (m Model) nextPage() int { return steps.Next(m.steps, m.state, m.at) }

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
