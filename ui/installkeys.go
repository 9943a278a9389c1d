package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// paneStep is how many lines a key goes back in the pane.
const paneStep = 5

func (m Model) installKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if !m.install.running {
		return m.failureKey(msg)
	}
	switch {
	case key.Matches(msg, m.keys.up):
		return m.selectRow(m.install.rows.move(-1, m.rowRoom()))
	case key.Matches(msg, m.keys.down):
		return m.selectRow(m.install.rows.move(1, m.rowRoom()))
	case key.Matches(msg, m.keys.log):
		return m.openPane(paneLog)
	case key.Matches(msg, m.keys.events):
		return m.openPane(paneEvents)
	case key.Matches(msg, m.keys.older):
		return m.scrollPane(paneStep), nil
	case key.Matches(msg, m.keys.newer):
		return m.scrollPane(-paneStep), nil
	case key.Matches(msg, m.keys.back):
		m = m.freshPane(paneNotes)
		m.install.rows.held = false
		return m.arrangeRows(), nil
	}
	return m, nil
}

// selectRow shows another object in the pane.
func (m Model) selectRow(to rows) (tea.Model, tea.Cmd) {
	changed := to.selected != m.install.rows.selected
	m.install.rows = to
	if changed {
		return m.freshPane(m.install.pane.kind).look()
	}
	return m, nil
}

func (m Model) installHelp() string {
	if m.install.pane.kind != paneNotes {
		return helpLine(named(m.keys.up, "↓ select"), m.keys.log, m.keys.events, named(m.keys.back, "close"), named(m.keys.interrupt, "leave"), m.keys.older)
	}
	return helpLine(named(m.keys.up, "↓ select"), m.keys.log, m.keys.events, named(m.keys.interrupt, "leave"))
}
