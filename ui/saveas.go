package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/text"
)

type writtenMsg struct {
	name string
	err  error
}

func (m Model) saveKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	forms := plan.SavedForms()
	switch {
	case key.Matches(msg, m.keys.up):
		m.overlay.cursor = max(m.overlay.cursor-1, 0)
	case key.Matches(msg, m.keys.down):
		m.overlay.cursor = min(m.overlay.cursor+1, len(forms)-1)
	case key.Matches(msg, m.keys.next):
		return m, m.writeForm(forms[m.overlay.cursor])
	case key.Matches(msg, m.keys.back):
		m.overlay = overlay{}
	case key.Matches(msg, m.keys.interrupt):
		m.overlay = overlay{}
		return m.interrupted()
	}
	return m, nil
}

// writeForm prints the plan and writes it, in the background.
func (m Model) writeForm(form plan.SavedForm) tea.Cmd {
	built, write := m.review.plan, m.deps.Write
	return func() tea.Msg {
		name, data, err := form.File(built)
		if err == nil {
			name, err = write(name, data)
		}
		return writtenMsg{name, err}
	}
}

func (m Model) written(msg writtenMsg) (tea.Model, tea.Cmd) {
	if m.overlay.kind != chooseForm {
		return m, nil
	}
	m.overlay.told = m.theme.pass.Render(glyphPass) + " saved as " + msg.name + " in this folder"
	if msg.err != nil {
		m.overlay.told = m.theme.fail.Render(glyphFail) + " not saved: " + text.Line(msg.err.Error())
	}
	return m, nil
}

func (m Model) savePage() page {
	p := page{body: []string{m.theme.title.Render("Save as…"), m.theme.faint.Render("No form holds a secret."), ""},
		help: helpLine(named(m.keys.next, "save"), named(m.keys.up, "↓ choose"), m.keys.back)}
	for i, form := range plan.SavedForms() {
		line := "  " + pad(form.Name, 14) + m.theme.faint.Render(form.Meaning)
		if i == m.overlay.cursor {
			p.focus = len(p.body)
			line = m.theme.selected.Render(glyphCursor+" "+pad(form.Name, 14)) + form.Meaning
		}
		p.body = append(p.body, line)
	}
	if m.overlay.told != "" {
		p.body = append(p.body, "", m.overlay.told)
	}
	return p
}
