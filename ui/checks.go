package ui

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

// fullChecks is how many findings of a page are shown with why and fix; the
// others are a line each, and a key shows all.
const fullChecks = 2

// stepChecks are what the probes of a step found: what is open, the worst
// first, and how many passed.
func (m Model) stepChecks(step steps.Step) (open []check.Check, passed int) {
	for _, p := range step.Probes {
		if m.probes[p.ID].running {
			continue
		}
		for _, c := range m.probes[p.ID].checks {
			if c.Status == check.Pass {
				passed++
				continue
			}
			open = append(open, c)
		}
	}
	check.WorstFirst(open)
	return open, passed
}

// probeLines show what the step's probes do and found, but for what stands
// beside a field already.
func (m Model) probeLines(step steps.Step, width int) []string {
	var lines []string
	for _, p := range step.Probes {
		if !m.probes[p.ID].running {
			continue
		}
		words := p.Title + "…"
		if m.form.waiting {
			words += " goes on by itself"
		}
		lines = append(lines, "  "+m.theme.accent.Render(glyphHere)+" "+words)
	}
	open, passed := m.stepChecks(step)
	lines = append(lines, m.openLines(open, width)...)
	lines = append(lines, m.passedLines(step, passed, width)...)
	if slices.ContainsFunc(step.Probes, func(p steps.Probe) bool {
		return p.Needed && !m.probes[p.ID].running && check.Worst(m.probes[p.ID].checks) == check.Fail
	}) {
		lines = append(lines, m.theme.faint.Render("  enter tries again"))
	}
	return lines
}

// openLines are the findings that no field on the page shows. What was not
// checked is only counted.
func (m Model) openLines(open []check.Check, width int) []string {
	var lines []string
	full, skipped := 0, 0
	for _, c := range open {
		if c.Status == check.Skip {
			skipped++
			continue
		}
		if m.shows(c.Field) {
			continue
		}
		full++
		if full > fullChecks {
			c.Why, c.Fix = "", ""
		}
		lines = append(lines, m.checkLine(brief(c), width, "  ")...)
	}
	if skipped > 0 {
		lines = append(lines, hang(m.theme.faint.Render(glyphSkipped)+" ", text.Plural(skipped, "thing")+" not checked: ctrl+e says why", width, "  ")...)
	}
	return lines
}

// passedLines show each probe's headline, and count the rest.
func (m Model) passedLines(step steps.Step, passed int, width int) []string {
	var lines []string
	for _, p := range step.Probes {
		if c, ok := m.headline(p); ok {
			passed--
			if !m.shows(c.Field) {
				lines = append(lines, m.checkLine(c, width, "  ")...)
			}
		}
	}
	if passed > 0 {
		lines = append(lines, hang(m.theme.pass.Render(glyphPass)+" ", text.Plural(passed, "more check")+" passed", width, "  ")...)
	}
	return lines
}

// headline is the first thing that a probe found, if it is good.
func (m Model) headline(p steps.Probe) (check.Check, bool) {
	found := m.probes[p.ID]
	if found.running || len(found.checks) == 0 || found.checks[0].Status != check.Pass {
		return check.Check{}, false
	}
	return found.checks[0], true
}

// checkLines are what the probes say about one field: the worst in full where
// the person is, elsewhere only how a failure is mended; the others a line each,
// and of what passed only the headlines.
func (m Model) checkLines(path string, focused bool, width int) []string {
	var about []check.Check
	for _, p := range m.allProbes() {
		for i, c := range m.probes[p.ID].checks {
			if c.Field == path && c.Status != check.Skip && !m.probes[p.ID].running && (c.Status != check.Pass || i == 0) {
				about = append(about, c)
			}
		}
	}
	check.WorstFirst(about)
	var lines []string
	for i, c := range about {
		switch {
		case i > 0 || (!focused && c.Status != check.Fail):
			c.Why, c.Fix = "", ""
		case !focused:
			c.Why = ""
		}
		lines = append(lines, m.checkLine(brief(c), width, "    ")...)
	}
	return lines
}

// brief points to the key that shows a repair, in place of its long command.
func brief(c check.Check) check.Check {
	if c.Repair != nil && c.Fix != "" {
		c.Fix = "ctrl+f shows the change, and makes it if you agree."
	}
	return c
}

func (m Model) checkLine(c check.Check, width int, indent string) []string {
	style, glyph, word := m.theme.pass, glyphPass, ""
	switch c.Status {
	case check.Warn:
		style, glyph, word = m.theme.warn, glyphWarn, "warning: "
	case check.Fail:
		style, glyph, word = m.theme.fail, glyphFail, "problem: "
	case check.Skip:
		style, glyph, word = m.theme.faint, glyphSkipped, "not checked: "
	}
	lines := hang(style.Render(glyph)+" ", word+c.Title, width, indent)
	if c.Status == check.Warn || c.Status == check.Fail {
		fix, more, long := strings.Cut(c.Fix, "\n")
		if long && more != "" {
			fix += " (`cfwizard check` prints it)"
		}
		for _, extra := range []string{c.Why, fix} {
			if extra != "" {
				lines = append(lines, m.faintWrap(extra, width, indent+"  ")...)
			}
		}
	}
	return lines
}

// detailsText is everything that the probes of this page found, and on the
// review what the plan says.
func (m Model) detailsText() []string {
	lines := []string{m.theme.title.Render("What was found out"), ""}
	if m.at == m.reviewPage() {
		lines = append(append(lines, m.planProblems(m.bodyWidth())...), m.planWarnings(m.bodyWidth())...)
	}
	var all []check.Check
	for _, p := range m.pageProbes() {
		all = append(all, m.probes[p.ID].checks...)
	}
	check.WorstFirst(all)
	for _, c := range all {
		lines = append(lines, m.checkLine(c, m.bodyWidth(), "")...)
		if c.Evidence != "" && c.Status != check.Pass {
			lines = append(lines, m.faintWrap("seen: "+c.Evidence, m.bodyWidth(), "  ")...)
		}
	}
	return lines
}

// pageProbes are the probes that belong to the page: all of them on the review.
func (m Model) pageProbes() []steps.Probe {
	if m.onStep() {
		return m.steps[m.at].Probes
	}
	return m.allProbes()
}
