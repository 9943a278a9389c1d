package ui

import (
	"context"
	"maps"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
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
		return m.openPreview(), nil
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
	switch {
	case current.spec.Kind == steps.Choice:
		current.list = m.listKey(msg, current.list, step)
		return m, nil
	case step != 0:
		return m.moveFocus(m.form.focus + step)
	case current.spec.Kind == steps.Confirm:
		current.yes = m.confirmKey(msg, current.yes)
		return m, nil
	}
	current.problem = nil
	if key.Matches(msg, m.keys.earlier) {
		current.suggest(current.spec.Suggestions(m.state))
		return m, nil
	}
	var command tea.Cmd
	current.input, command = current.input.Update(msg)
	return m, command
}

// suggest puts in the suggestion after the one that stands there.
func (f *field) suggest(values []string) {
	if len(values) == 0 || f.spec.Kind == steps.Hidden {
		return
	}
	next := (slices.Index(values, f.input.Value()) + 1) % len(values)
	f.input.SetValue(values[next])
	f.input.CursorEnd()
}

func (m Model) confirmKey(msg tea.KeyMsg, yes bool) bool {
	switch {
	case key.Matches(msg, m.keys.confirmYes):
		return true
	case key.Matches(msg, m.keys.confirmNo):
		return false
	case key.Matches(msg, m.keys.toggle):
		return !yes
	}
	return yes
}

// listKey moves in a list, or narrows a long one down.
func (m Model) listKey(msg tea.KeyMsg, l list, step int) list {
	filter := []rune(l.filter)
	switch {
	case step != 0:
		return l.move(step)
	case !l.typed():
		return l
	case key.Matches(msg, m.keys.erase):
		return l.narrow(string(filter[:max(len(filter)-1, 0)]))
	case key.Matches(msg, m.keys.eraseAll):
		return l.narrow("")
	case msg.Type == tea.KeyRunes:
		return l.narrow(text.Line(l.filter + string(msg.Runes)))
	}
	return l
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
		if f.typed() && f.spec.Kind != steps.Hidden {
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
	before := m.state
	changed, err := m.take(*current)
	if err != nil {
		current.problem = err
		return m, nil
	}
	path, at := current.spec.Path, m.form.focus
	m = changed.keepDrafts()
	if current.spec.Value(m.state) != current.spec.Value(before) || (current.spec.Kind == steps.Hidden && current.value() != "") {
		m = m.askAgain(path)
	}
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

// rebuild makes the form anew, since what is asked may have changed. The field
// that was just accepted shows its answer, the others what stands in them.
func (m Model) rebuild(accepted int) Model {
	before := m.form
	m.form = m.newForm()
	for i := range m.form.fields {
		fresh := &m.form.fields[i]
		old := before.index(fresh.spec)
		switch {
		case old < 0 || (old == accepted && fresh.spec.Kind != steps.Hidden):
		case fresh.spec.Kind == steps.Choice:
			fresh.list = before.fields[old].list.offer(fresh.list.all, fresh.spec.Value(m.state))
		default:
			fresh.input, fresh.yes, fresh.problem = before.fields[old].input, before.fields[old].yes, before.fields[old].problem
		}
	}
	if current := before.current(); current != nil {
		m.form.focusOn(m.form.index(current.spec))
	}
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
