package ui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/steps"
)

const repairTimeout = 20 * time.Second

// repairedMsg tells what came of a repair that the person agreed to.
type repairedMsg struct{ err error }

// repairs are what this program could mend of what the page shows.
func (m Model) repairs() []check.Repair {
	var all []check.Check
	for _, p := range m.pageProbes() {
		all = append(all, m.probes[p.ID].checks...)
	}
	return check.Repairs(all)
}

// repairText shows the change before it is made: as a diff and as a command.
func (m Model) repairText() []string {
	width := m.bodyWidth()
	repairs := m.repairs()
	if len(repairs) == 0 {
		return append([]string{m.theme.title.Render("Repair"), ""}, wrap(m.overlay.told, width, "")...)
	}
	r := repairs[min(m.overlay.cursor, len(repairs)-1)]
	lines := append([]string{m.theme.title.Render("Make this change?"), ""}, wrap(r.Object()+": "+r.Title+".", width, "")...)
	if r.Warning != "" {
		lines = append(lines, hang(m.theme.warn.Render(glyphWarn)+" ", "note: "+r.Warning, width, "")...)
	}
	lines = append(lines, "")
	for _, line := range r.Diff() {
		style := m.theme.faint
		switch line[0] {
		case '-':
			style = m.theme.fail
		case '+':
			style = m.theme.pass
		}
		lines = append(lines, hang(style.Render(line[:2]), line[2:], width, "  ")...)
	}
	lines = append(lines, "")
	if m.overlay.told != "" {
		lines = append(lines, wrap(m.overlay.told, width, "")...)
	}
	if r.Git != "" {
		return lines
	}
	lines = append(lines, wrap("`cfwizard doctor --undo` takes it back. As a command:", width, "")...)
	return append(lines, m.faintWrap(r.Command(), width, "  ")...)
}

func (m Model) repairKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	repairs := m.repairs()
	switch {
	case key.Matches(msg, m.keys.down):
		m.overlay.cursor = min(m.overlay.cursor+1, max(len(repairs)-1, 0))
	case key.Matches(msg, m.keys.up):
		m.overlay.cursor = max(m.overlay.cursor-1, 0)
	case key.Matches(msg, m.keys.confirmYes) && len(repairs) > 0:
		return m.applyRepair(repairs[min(m.overlay.cursor, len(repairs)-1)])
	case key.Matches(msg, m.keys.confirmNo), key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

func (m Model) applyRepair(r check.Repair) (tea.Model, tea.Cmd) {
	m.overlay.told = "Applying…"
	engine, a, parent := m.deps.Engine, m.state.Answers.Clone(), m.ctx
	return m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, repairTimeout)
		defer cancel()
		_, err := engine.Repair(ctx, a, r)
		return repairedMsg{err}
	}
}

// repaired reads the cluster again, so that the checks tell what is true now.
func (m Model) repaired(msg repairedMsg) (tea.Model, tea.Cmd) {
	if msg.err != nil {
		p := problem.All(msg.err)[0]
		m.overlay.told = p.What + ". " + p.Fix
		if !repair.IsOutdated(msg.err) {
			return m, nil
		}
	} else {
		m.overlay = overlay{}
	}
	return m.startProbes(func(p steps.Probe) bool { return p.ID == "cluster" || p.ID == "git" })
}
