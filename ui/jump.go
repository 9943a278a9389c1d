package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// openJump lists the steps, to go to any that is done. What would have gone on
// by itself does not.
func (m Model) openJump() Model {
	m.review.waiting, m.form.waiting = false, false
	m.overlay = overlay{kind: chooseStep, cursor: m.at}
	return m
}

// barred says why a page cannot be gone to, if so.
func (m Model) barred(index int) string {
	if index < len(m.steps) {
		needed, whyNot := m.steps[index].Needed(m.state)
		switch {
		case !needed:
			return "not needed: " + whyNot
		case index == m.at || m.done[m.steps[index].ID]:
			return ""
		}
	}
	for i, step := range m.steps[:min(index, len(m.steps))] {
		if needed, _ := step.Needed(m.state); needed && !m.settled(i) {
			return "the step " + step.Title + " comes first"
		}
	}
	return ""
}

func (m Model) jumpKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	m.overlay.told = ""
	switch {
	case key.Matches(msg, m.keys.interrupt):
		m.overlay = overlay{}
		return m.interrupted()
	case key.Matches(msg, m.keys.up):
		m.overlay.cursor = max(m.overlay.cursor-1, 0)
	case key.Matches(msg, m.keys.down):
		m.overlay.cursor = min(m.overlay.cursor+1, m.reviewPage())
	case key.Matches(msg, m.keys.next):
		if why := m.barred(m.overlay.cursor); why != "" {
			m.overlay.told = m.pageTitles()[m.overlay.cursor] + ": " + why + "."
			return m, nil
		}
		if m.onStep() {
			m = m.keepDrafts()
		}
		return m.goTo(m.overlay.cursor)
	case key.Matches(msg, m.keys.back), key.Matches(msg, m.keys.jump):
		m.overlay = overlay{}
	}
	return m, nil
}

func (m Model) jumpPage() page {
	p := page{help: helpLine(named(m.keys.next, "go there"), named(m.keys.up, "↓ choose"), named(m.keys.back, "close"))}
	p.body = append(p.body, m.theme.title.Render("Go to a step"))
	p.body = append(m.gap(p.body), m.faintWrap("Nothing is lost: every answer stays.", m.bodyWidth(), "")...)
	p.body = m.gap(p.body)
	for i, title := range m.pageTitles()[:m.reviewPage()+1] {
		words := m.mark(i).word
		if why := m.barred(i); why != "" {
			words = why
		}
		if i == m.overlay.cursor {
			p.focus = len(p.body)
			p.body = append(p.body, hang(m.theme.selected.Render(glyphCursor+" "+pad(title, 10))+"  ", words, m.bodyWidth(), "")...)
			continue
		}
		p.body = append(p.body, "  "+pad(title, 10)+"  "+m.theme.faint.Render(pad(words, m.bodyWidth()-14)))
	}
	if m.overlay.told != "" {
		p.body = append(p.body, hang(m.theme.warn.Render(glyphWarn)+" ", m.overlay.told, m.bodyWidth(), "")...)
	}
	return p
}
