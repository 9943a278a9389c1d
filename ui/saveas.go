package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/text"
)

// savedForm is something that the review can be saved as.
type savedForm struct{ name, meaning, file string }

// savedForms are the answers, and every printed form of the plan.
func savedForms() []savedForm {
	extensions := map[string]string{"command": ".sh", "values": ".values.yaml", "terraform": ".tf", "terraform-v2": ".v2.tf", "json": ".json"}
	forms := []savedForm{{"answers", "the answers, for cfwizard itself", ".answers.yaml"}}
	for _, form := range plan.Forms {
		extension := extensions[form.Name]
		if extension == "" {
			extension = "." + form.Name + ".yaml"
		}
		forms = append(forms, savedForm{form.Name, form.Meaning, extension})
	}
	return forms
}

type writtenMsg struct {
	name string
	err  error
}

func (m Model) saveKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	forms := savedForms()
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
func (m Model) writeForm(form savedForm) tea.Cmd {
	built, write, name := m.review.plan, m.deps.Write, m.state.Answers.Runtime.Release+form.file
	return func() tea.Msg {
		var data []byte
		var err error
		if form.name == "answers" {
			data, err = built.Answers().Write()
		} else {
			data, err = built.Print(form.name)
		}
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
	for i, form := range savedForms() {
		line := "  " + pad(form.name, 14) + m.theme.faint.Render(form.meaning)
		if i == m.overlay.cursor {
			p.focus = len(p.body)
			line = m.theme.selected.Render(glyphCursor+" "+pad(form.name, 14)) + form.meaning
		}
		p.body = append(p.body, line)
	}
	if m.overlay.told != "" {
		p.body = append(p.body, "", m.overlay.told)
	}
	return p
}
