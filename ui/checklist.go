package ui

import (
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// todo is the completion checklist, as it was verified last.
type todo struct {
	generation int
	looking    bool
	items      []checklist.Item
	problem    *problem.Problem
	at         time.Time
}

type listedMsg struct {
	generation int
	items      []checklist.Item
	err        error
}

// startListing verifies every item now.
func (m Model) startListing() (tea.Model, tea.Cmd) {
	m.checklist.generation++
	m.checklist.looking = true
	ctx, engine, a, generation := m.ctx, m.deps.Engine, m.state.Answers.Clone(), m.checklist.generation
	return m, func() tea.Msg {
		items, err := engine.Checklist(ctx, a)
		return listedMsg{generation: generation, items: items, err: err}
	}
}

func (m Model) listed(msg listedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.checklist.generation {
		return m, nil
	}
	m.checklist.looking, m.checklist.at, m.checklist.problem = false, m.deps.Now(), nil
	if msg.err != nil {
		m.checklist.problem = problem.All(msg.err)[0]
		return m, nil
	}
	m.checklist.items = msg.items
	m.outcome.Items = msg.items
	return m, nil
}

func (m Model) checklistKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.refresh):
		return m.startListing()
	case key.Matches(msg, m.keys.finish):
		return m.leave(Finished)
	}
	return m, nil
}

func (m Model) checklistView() page {
	width := m.bodyWidth()
	done := 0
	for _, item := range m.checklist.items {
		if item.State == checklist.Done {
			done++
		}
	}
	p := page{help: helpLine(m.keys.finish, m.keys.refresh)}
	p.body = []string{m.theme.title.Render(fmt.Sprintf("%s is installed. %d of %d done", m.state.Answers.Runtime.Name, done, len(m.checklist.items))), ""}
	for _, item := range m.checklist.items {
		p.body = append(p.body, m.itemLines(item, width)...)
	}
	if m.checklist.looking {
		p.body = append(p.body, "", m.theme.accent.Render(glyphHere)+" verifying each item…")
	}
	if m.checklist.problem != nil {
		p.body = append(p.body, m.problemLines(m.checklist.problem, width, "")...)
	}
	return p
}

func (m Model) itemLines(item checklist.Item, width int) []string {
	style, glyph := m.theme.faint, glyphAhead
	switch item.State {
	case checklist.Done:
		style, glyph = m.theme.pass, glyphPass
	case checklist.Failed:
		style, glyph = m.theme.fail, glyphFail
	case checklist.Waiting:
		style, glyph = m.theme.accent, glyphHere
	case checklist.NotNeeded:
		glyph = glyphSkipped
	}
	lines := hang(style.Render(glyph)+" "+pad(item.Title, 20), string(item.State)+": "+item.Detail, width, "")
	if item.Action != "" {
		lines = append(lines, m.faintWrap(item.Action, width, "  ")...)
	}
	return lines
}
