package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

const repairTimeout = 20 * time.Second

// repairedMsg tells what came of a repair that the person agreed to.
type repairedMsg struct {
	generation int
	err        error
}

// repairs are what this program could mend of what the page shows.
func (m Model) repairs() []check.Repair {
	var all []check.Check
	for _, p := range m.pageProbes() {
		all = append(all, m.probes[p.ID].checks...)
	}
	return check.Repairs(all)
}

// repairAt is the repair that is shown; what was found out meanwhile may have
// left fewer.
func (m Model) repairAt(repairs []check.Repair) check.Repair {
	return repairs[min(m.overlay.cursor, len(repairs)-1)]
}

// repairText shows the change before it is made: as a diff and as a command.
func (m Model) repairText() []string {
	width := m.bareWidth()
	repairs := m.repairs()
	if len(repairs) == 0 {
		return append([]string{m.theme.title.Render("Repair"), ""}, wrap(m.overlay.told, width, "")...)
	}
	r, title := m.repairAt(repairs), "Make this change?"
	if m.deps.DryRun {
		title = "A change that would help"
	}
	if len(repairs) > 1 {
		title += fmt.Sprintf(" (%d of %d)", min(m.overlay.cursor, len(repairs)-1)+1, len(repairs))
	}
	lines := append([]string{m.theme.title.Render(title), ""}, wrap(r.Object()+": "+r.Title+".", width, "")...)
	if r.Warning != "" {
		lines = append(lines, hang(m.theme.warn.Render(glyphWarn)+" ", "note: "+r.Warning, width, "")...)
	}
	if m.overlay.told != "" {
		lines = append(lines, hang(m.theme.fail.Render(glyphFail)+" ", "not done: "+m.overlay.told, width, "")...)
	}
	if m.work.running {
		lines = append(lines, m.workLine())
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
	return append(append(lines, ""), m.repairCommand(r, width)...)
}

// repairCommand is the same change by hand.
func (m Model) repairCommand(r check.Repair, width int) []string {
	var lines []string
	if m.deps.DryRun {
		lines = wrap(DryRunWords, width, "")
	}
	command := r.Command()
	switch {
	case command == "":
		return lines
	case m.deps.DryRun:
		lines = append(lines, "As a command:")
	default:
		lines = append(lines, wrap("`cfwizard doctor --undo` takes it back. As a command:", width, "")...)
	}
	return append(lines, wrapShell(command, width)...)
}

func (m Model) repairHelp() string {
	bindings := []key.Binding{named(m.keys.confirmYes, "apply"), named(m.keys.confirmNo, "leave it")}
	switch repairs := m.repairs(); {
	case m.work.running:
		return helpLine(named(m.keys.interrupt, "leave"))
	case len(repairs) == 0 || m.deps.DryRun:
		bindings = []key.Binding{named(m.keys.confirmNo, "close")}
	}
	bindings = append(bindings, named(m.keys.up, "↓ scroll"))
	if len(m.repairs()) > 1 {
		bindings = append(bindings, named(m.keys.nextField, "other change"))
	}
	return helpLine(bindings...)
}

func (m Model) repairKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	repairs := m.repairs()
	switch {
	case key.Matches(msg, m.keys.interrupt):
		return m.interrupted()
	case m.work.running:
	case key.Matches(msg, m.keys.down):
		return m.scrolled(1), nil
	case key.Matches(msg, m.keys.up):
		return m.scrolled(-1), nil
	case key.Matches(msg, m.keys.nextField), key.Matches(msg, m.keys.prevField):
		return m.otherRepair(msg, len(repairs)), nil
	case key.Matches(msg, m.keys.confirmYes) && len(repairs) > 0 && !m.deps.DryRun:
		return m.applyRepair(m.repairAt(repairs))
	case key.Matches(msg, m.keys.confirmNo), key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

func (m Model) otherRepair(msg tea.KeyMsg, count int) Model {
	by := 1
	if key.Matches(msg, m.keys.prevField) {
		by = -1
	}
	m.overlay = overlay{kind: askRepair, cursor: min(max(m.overlay.cursor+by, 0), max(count-1, 0))}
	return m
}

// applyRepair makes the change. It is short, and is not asked to end sooner:
// what was changed must be known.
func (m Model) applyRepair(r check.Repair) (tea.Model, tea.Cmd) {
	m.overlay.told = ""
	m.work = m.work.begun(func() {})
	engine, a, parent, generation := m.deps.Engine, m.state.Answers.Clone(), m.ctx, m.work.generation
	return m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, repairTimeout)
		defer cancel()
		_, err := engine.Repair(ctx, a, r)
		return repairedMsg{generation, err}
	}
}

// repaired reads the cluster again, so that the checks tell what is true now.
func (m Model) repaired(msg repairedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.work.generation {
		return m, nil
	}
	m.work.running = false
	if m.work.leaving {
		return m.leave(Interrupted)
	}
	if msg.err != nil {
		p := problem.All(msg.err)[0]
		m.overlay.told = text.Sentences(p.What, p.Fix)
		if !repair.IsOutdated(msg.err) {
			return m, nil
		}
	} else {
		m.overlay = overlay{}
	}
	return m.startProbes(func(p steps.Probe) bool { return p.ID == "cluster" || p.ID == "git" })
}
