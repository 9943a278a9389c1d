package ui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/steps"
)

// rehearsing says what the review still waits for.
func (m Model) rehearsing() string {
	for _, p := range steps.ReviewProbes() {
		if m.probes[p.ID].running {
			return p.Title
		}
	}
	return ""
}

// planProblems are what is wrong with the answers as a whole.
func (m Model) planProblems(width int) []string {
	var lines []string
	for _, problem := range m.review.problems {
		lines = append(lines, hang(m.theme.fail.Render(glyphFail)+" ", "problem: "+problem.Field+": "+problem.What+". "+problem.Fix, width, "")...)
	}
	return lines
}

// planWarnings are what a person may want to know of the plan.
func (m Model) planWarnings(width int) []string {
	var lines []string
	for _, warning := range m.review.plan.Warnings {
		lines = append(lines, hang(m.theme.warn.Render(glyphWarn)+" ", "warning: "+warning, width, "")...)
	}
	return lines
}

// failures are the checks that failed. They do not forbid an install: the
// person may know better.
func (m Model) failures() []check.Check {
	return slices.DeleteFunc(m.openChecks(), func(c check.Check) bool { return c.Status != check.Fail })
}

func (m Model) installAnywayText() []string {
	width := m.bodyWidth()
	lines := append([]string{m.theme.title.Render("Install although checks failed?"), ""}, wrap("The installation will probably not succeed:", width, "")...)
	for _, c := range m.failures() {
		lines = append(lines, hang(m.theme.fail.Render(glyphFail)+" ", "problem: "+c.Title, width, "")...)
	}
	return lines
}

func (m Model) installAnywayKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.interrupt):
		m.overlay = overlay{}
		return m.interrupted()
	case key.Matches(msg, m.keys.down):
		return m.scrolled(1), nil
	case key.Matches(msg, m.keys.up):
		return m.scrolled(-1), nil
	case key.Matches(msg, m.keys.confirmYes):
		return m.startInstall()
	case key.Matches(msg, m.keys.confirmNo):
		m.overlay = overlay{}
	}
	return m, nil
}

// confirmed begins the install, or asks once more where checks failed.
func (m Model) confirmed() (tea.Model, tea.Cmd) {
	switch {
	case m.deps.DryRun:
		return m.printPlan()
	case m.rehearsing() != "":
		m.review.waiting = true
		return m, nil
	case len(m.failures()) > 0:
		m.overlay = overlay{kind: askInstall}
		return m, nil
	}
	return m.startInstall()
}

// openChecks are the failures and warnings that the probes found, the worst
// first.
func (m Model) openChecks() []check.Check {
	var all []check.Check
	for _, p := range m.allProbes() {
		all = append(all, m.probes[p.ID].checks...)
	}
	return check.Open(all)
}
