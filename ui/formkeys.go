package ui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

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
		return m.moveFocus(1)
	case key.Matches(msg, m.keys.prevField):
		return m.moveFocus(-1)
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
		return m.moveFocus(step)
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
