package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

// review is everything on one page. Its last line is the one that acts.
type review struct {
	plan     plan.Plan
	problems problem.List
	cursor   int
	top      bool // what stands above the lines is looked at
	waiting  bool // confirmed, and begins when the rehearsal has ended
}

func (m Model) newReview() review {
	built, err := plan.Build(m.state.Answers, m.state.Found.Sources)
	r := review{plan: built, problems: problem.All(err)}
	r.cursor = len(m.reviewLines())
	return r
}

// replan takes what was just found into the plan, and leaves the person where
// they are.
func (m Model) replan() Model {
	fresh := m.newReview()
	m.review.plan, m.review.problems = fresh.plan, fresh.problems
	return m
}

func (m Model) reviewLines() []steps.SummaryLine { return steps.Summary(m.state) }

// blocked says why the review cannot be confirmed, if so.
func (m Model) blocked() string {
	if len(m.review.problems) > 0 {
		return text.Plural(len(m.review.problems), "problem") + " above must be mended first"
	}
	for _, step := range m.steps {
		for _, p := range step.Probes {
			if p.Needed && m.probes[p.ID].running {
				return "still " + strings.ToLower(p.Title)
			}
			if p.Needed && check.Worst(m.probes[p.ID].checks) == check.Fail {
				return "the step " + step.Title + " has a problem"
			}
		}
	}
	return ""
}

func (m Model) reviewKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	lines := m.reviewLines()
	m.review.waiting, m.review.top = false, false
	switch {
	case key.Matches(msg, m.keys.up):
		m.review.top = m.review.cursor == 0
		m.review.cursor = max(m.review.cursor-1, 0)
	case key.Matches(msg, m.keys.down):
		m.review.cursor = min(m.review.cursor+1, len(lines))
	case key.Matches(msg, m.keys.back):
		return m.goBack()
	case key.Matches(msg, m.keys.help):
		m.overlay = overlay{kind: showHelp}
	case key.Matches(msg, m.keys.preview):
		return m.openPreview(), nil
	case key.Matches(msg, m.keys.print) && m.blocked() == "":
		return m.printPlan()
	case key.Matches(msg, m.keys.saveAs) && len(m.review.problems) == 0:
		m.overlay = overlay{kind: chooseForm}
	case key.Matches(msg, m.keys.next) && m.review.cursor < len(lines):
		if m.settledElsewhere(lines[m.review.cursor]) == "" {
			return m.goTo(m.stepIndex(lines[m.review.cursor].Step))
		}
	case key.Matches(msg, m.keys.next) && m.blocked() == "":
		return m.confirmed()
	case key.Matches(msg, m.keys.details):
		m.overlay = overlay{kind: showDetails}
	case key.Matches(msg, m.keys.repair) && len(m.repairs()) > 0:
		m.overlay = overlay{kind: askRepair}
	}
	return m, nil
}

// printPlan ends the sitting; the command is printed after the screen is
// given back.
func (m Model) printPlan() (tea.Model, tea.Cmd) {
	m.outcome.Plan = m.review.plan
	return m.leave(Printed)
}

func (m Model) reviewView() page {
	width := m.bodyWidth()
	p := page{body: []string{m.theme.title.Render("Review"), m.theme.faint.Render("Everything on one page. Any line: enter to change it."), ""}}
	p.body = append(p.body, m.planProblems(width)...)
	if waiting := m.rehearsing(); waiting != "" {
		p.body = append(p.body, m.theme.accent.Render(glyphHere)+" "+waiting+"…")
	}
	for _, c := range m.openChecks() {
		if c.Status == check.Warn {
			c.Why, c.Fix = "", ""
		}
		p.body = append(p.body, m.checkLine(c, width, "")...)
	}
	p.body = append(p.body, m.planWarnings(width)...)
	if len(p.body) > 3 {
		p.body = append(p.body, "")
	}
	for i, line := range m.reviewLines() {
		if i == m.review.cursor {
			p.focus = len(p.body)
		}
		from := len(p.body)
		p.body = append(p.body, m.reviewLine(line, i == m.review.cursor, width)...)
		p.aim(from, i)
	}
	p.body = append(p.body, "")
	p.body = append(p.body, hang(pad("  Will write", 13), strings.Join(steps.WillWrite(m.state, m.review.plan), " · "), width, "")...)
	p.body = append(p.body, "")
	if m.review.cursor == len(m.reviewLines()) {
		p.focus = len(p.body)
	}
	from := len(p.body)
	p.body = append(p.body, m.actionLines(width)...)
	p.aim(from, len(m.reviewLines()))
	if m.review.top {
		p.focus = 0
	}
	p.help = m.reviewHelp()
	return p
}

func (m Model) reviewHelp() string {
	bindings := []key.Binding{named(m.keys.up, "↓ choose"), m.keys.back}
	if action := m.reviewAction(); action != "" {
		bindings = append([]key.Binding{named(m.keys.next, action)}, bindings...)
	}
	if len(m.openChecks())+len(m.review.problems)+len(m.review.plan.Warnings) > 0 {
		bindings = append(bindings, m.keys.details)
	}
	if len(m.repairs()) > 0 {
		bindings = append(bindings, m.keys.repair)
	}
	return helpLine(append(bindings, m.keys.print, m.keys.saveAs, m.keys.preview)...)
}

// settledElsewhere says why a line cannot be changed here, if so.
func (m Model) settledElsewhere(line steps.SummaryLine) string {
	_, why := m.steps[m.stepIndex(line.Step)].Needed(m.state)
	return why
}

func (m Model) reviewLine(line steps.SummaryLine, selected bool, width int) []string {
	lines := wrap(line.Text, width-13, "")
	for i := range lines {
		label := pad("", 13)
		if i == 0 {
			label = pad("  "+line.Label, 13)
			if selected {
				label = m.theme.selected.Render(pad(glyphCursor+" "+line.Label, 13))
			}
		}
		lines[i] = label + lines[i]
	}
	if why := m.settledElsewhere(line); selected && why != "" {
		lines = append(lines, m.faintWrap("It cannot be changed here: "+why+".", width, pad("", 13))...)
	}
	return lines
}

// reviewAction is what enter does here, if it does something.
func (m Model) reviewAction() string {
	switch lines := m.reviewLines(); {
	case m.review.cursor < len(lines) && m.settledElsewhere(lines[m.review.cursor]) != "":
		return ""
	case m.review.cursor < len(lines):
		return "change"
	case m.deps.DryRun:
		return "print"
	}
	return "install"
}

func (m Model) actionLines(width int) []string {
	action := "Install now"
	if failed := len(m.failures()); failed > 0 {
		action = "Install although " + text.Plural(failed, "check") + " failed"
	}
	if m.deps.DryRun {
		action = "Print the command"
	}
	mark := "  "
	style := m.theme.strong
	if m.review.cursor == len(m.reviewLines()) {
		mark, style = glyphCursor+" ", m.theme.selected
	}
	why := m.blocked()
	if why == "" && !m.deps.DryRun && m.rehearsing() != "" {
		why = strings.ToLower(m.rehearsing())
		if m.review.waiting {
			why += "; goes on by itself"
		}
	}
	if why != "" {
		return hang(mark, action+" (not yet: "+why+")", width, "")
	}
	if warned := len(m.openChecks()) - len(m.failures()) + len(m.review.plan.Warnings); warned > 0 {
		action += " (" + text.Plural(warned, "warning") + ", " + m.keys.details.Help().Key + ")"
	}
	return []string{style.Render(mark + action)}
}
