package ui

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/steps"
)

// accept takes what the focused field shows, and goes to the next one. After
// the last, everything that the page shows is an answer before the step ends.
func (m Model) accept() (tea.Model, tea.Cmd) {
	current := m.form.current()
	if current == nil {
		return m.goOn()
	}
	at, spec := m.form.focus, current.spec
	m, commands, taken := m.takeField(at)
	if !taken {
		return m, nil
	}
	if now := m.form.nearest(spec); now >= 0 {
		at = now + 1
	}
	if at < len(m.form.fields) {
		m.form.focusOn(at)
		return m, commands
	}
	m, more, taken := m.takeShown()
	if !taken {
		return m, tea.Batch(commands, more)
	}
	next, command := m.goOn()
	return next, tea.Batch(commands, more, command)
}

// moveFocus takes what the focused field shows, and goes to a field beside it.
func (m Model) moveFocus(by int) (tea.Model, tea.Cmd) {
	m, command := m.leaveField()
	m.form.focusOn(m.form.focus + by)
	return m, command
}

// focusField takes what the focused field shows, and goes to another.
func (m Model) focusField(index int) (tea.Model, tea.Cmd) {
	to := m.form.fields[index].spec
	m, command := m.leaveField()
	m.form.focusOn(m.form.nearest(to))
	return m, command
}

// leaveField takes what the focused field shows. What is refused stays as it
// was typed, and says why.
func (m Model) leaveField() (Model, tea.Cmd) {
	current := m.form.current()
	if current == nil || !current.differs(m.state) {
		return m.keepDrafts(), nil
	}
	m, command, _ := m.takeField(m.form.focus)
	return m, command
}

// takeShown takes every field that shows something else than its answer, up to
// one that is refused.
func (m Model) takeShown() (Model, tea.Cmd, bool) {
	var commands []tea.Cmd
	for i := 0; i < len(m.form.fields); i++ {
		if !m.form.fields[i].differs(m.state) {
			continue
		}
		changed, command, taken := m.takeField(i)
		m, commands = changed, append(commands, command)
		if !taken {
			m.form.focusOn(i)
			return m, tea.Batch(commands...), false
		}
	}
	return m, tea.Batch(commands...), true
}

// differs reports whether the field shows something else than its answer. What
// is only suggested of a choice that this sitting makes is no answer yet.
func (f field) differs(s steps.State) bool {
	_, chosen := s.Chosen[f.spec.Path]
	switch {
	case f.spec.Kind == steps.Hidden:
		return f.value() != ""
	case f.spec.Kind == steps.Choice && f.spec.Own != nil && !chosen:
		return true
	}
	return f.value() != f.spec.Value(s)
}

// takeField makes what a field shows its answer when it is valid: the session
// is saved, and the probes that depend on it start. Else the field says why.
func (m Model) takeField(index int) (Model, tea.Cmd, bool) {
	m = m.keepDrafts()
	f, before := m.form.fields[index], m.state
	m, wrong := m.take(f)
	if wrong != nil {
		m.form.fields[index].problem = wrong
		return m, nil, false
	}
	path := f.spec.Path
	if f.spec.Value(m.state) != f.spec.Value(before) || (f.spec.Kind == steps.Hidden && f.value() != "") {
		m = m.askAgain(path)
	}
	delete(m.drafts, path)
	m = m.save()
	m, command := m.startProbesOf(path)
	return m.rebuild(index, before), command, true
}

// keepDrafts remembers what was typed and is no answer. Secrets are not kept.
func (m Model) keepDrafts() Model {
	m.drafts = maps.Clone(m.drafts)
	for _, f := range m.form.fields {
		if !f.typed() || f.spec.Kind == steps.Hidden {
			continue
		}
		delete(m.drafts, f.spec.Path)
		if f.differs(m.state) {
			m.drafts[f.spec.Path] = f.input.Value()
		}
	}
	return m
}

// rebuild makes the form anew, since what is asked may have changed. The field
// that was just accepted, and those that nobody changed, show their answers;
// the others, and the one with the focus, what stands in them.
func (m Model) rebuild(accepted int, state steps.State) Model {
	before := m.form
	m.form = m.newForm()
	for i := range m.form.fields {
		fresh := &m.form.fields[i]
		old := before.index(fresh.spec)
		switch {
		case old < 0 || old == accepted || old != before.focus && !before.fields[old].differs(state):
		case fresh.spec.Kind == steps.Choice:
			fresh.list = before.fields[old].list.offer(fresh.list.all, fresh.spec.Value(m.state))
		default:
			fresh.input, fresh.yes, fresh.problem = before.fields[old].input, before.fields[old].yes, before.fields[old].problem
		}
	}
	if current := before.current(); current != nil {
		m.form.focusOn(m.form.nearest(current.spec))
	}
	m.form = m.fitInputs(m.form)
	return m
}

// take puts a field's value into a copy of the answers.
func (m Model) take(f field) (Model, *problem.Problem) {
	switch {
	case f.spec.Kind == steps.Hidden:
		return m.takeSecret(f)
	case f.spec.Kind == steps.Choice && f.list.nothingFits():
		return m, &problem.Problem{Kind: problem.Invalid, Cause: "nothing-chosen", Field: f.spec.Path, What: "nothing that can be chosen has " + f.list.filter + " in it",
			Fix: "Type something else: " + m.keys.eraseAll.Help().Key + " erases it, and shows everything again."}
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
