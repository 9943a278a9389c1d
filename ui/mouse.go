package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// target is what a click on a line of a page leads to. It does what moving
// there with the keys does, and never more: nothing is confirmed by a click.
type target struct {
	from, to int // lines of the body
	at       int // the field, review line or row
}

// aim makes the lines of the body since from lead to a place.
func (p *page) aim(from, at int) { p.targets = append(p.targets, target{from, len(p.body), at}) }

// mouse moves as the arrow keys do, and to what is clicked.
func (m Model) mouse(msg tea.MouseMsg) (tea.Model, tea.Cmd) {
	switch {
	case msg.Action != tea.MouseActionPress:
		return m, nil
	case msg.Button == tea.MouseButtonWheelUp:
		return m.key(tea.KeyMsg{Type: tea.KeyUp})
	case msg.Button == tea.MouseButtonWheelDown:
		return m.key(tea.KeyMsg{Type: tea.KeyDown})
	case msg.Button != tea.MouseButtonLeft || m.overlay.open() || m.tooSmallNow():
		return m, nil
	}
	p := m.page()
	line := msg.Y - (m.height - 2 - m.bodyRoom()) + scrollTop(len(p.body), p.focus, m.bodyRoom())
	for _, t := range p.targets {
		if line >= t.from && line < t.to && (m.width < sideFromCols || msg.X > sideWidth) {
			return m.clicked(t.at)
		}
	}
	return m, nil
}

func (m Model) clicked(at int) (tea.Model, tea.Cmd) {
	m.review.waiting, m.form.waiting = false, false
	switch {
	case m.at == m.reviewPage():
		m.review.cursor = at
		return m, nil
	case m.at == m.installPage() && m.install.running:
		return m.selectRow(m.install.rows.pick(at, m.rowRoom()))
	case m.onStep():
		m.form = m.form.clone()
		return m.focusField(at)
	}
	return m, nil
}
