package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

type choice = answers.Choice

const labelWidth = 18

func (m Model) formView() page {
	step := m.steps[m.at]
	width := m.bodyWidth()
	p := page{help: m.formHelp()}
	if m.width >= sideFromCols {
		p.body = append(p.body, m.theme.title.Render(step.Title))
	}
	p.body = append(p.body, m.faintWrap(step.Why, width, "")...)
	p.body = m.gap(p.body)
	for i, f := range m.form.fields {
		if i == m.form.focus {
			p.focus = len(p.body)
		}
		from := len(p.body)
		p.body = append(p.body, m.fieldLines(f, i == m.form.focus, width)...)
		p.aim(from, i)
	}
	p.body = m.gap(p.body)
	p.body = append(p.body, m.probeLines(step, width)...)
	if m.unsaved != nil {
		p.body = append(p.body, m.problemLines(problem.All(m.unsaved)[0], width, "")...)
	}
	return p
}

func (m Model) formHelp() string {
	help, preview := m.keys.help, m.keys.preview
	if m.form.typing() {
		help, preview = m.keys.helpAnywhere, m.keys.previewAnywhere
	}
	bindings := []key.Binding{m.keys.next}
	if !m.form.typing() {
		bindings = append(bindings, named(m.keys.up, "↓ choose"))
	}
	if m.at > 0 {
		bindings = append(bindings, m.keys.back)
	}
	if open, _ := m.stepChecks(m.steps[m.at]); check.Worst(open) != check.Pass {
		bindings = append(bindings, m.keys.details)
	}
	if len(m.repairs()) > 0 {
		bindings = append(bindings, m.keys.repair)
	}
	return helpLine(append(bindings, help, preview, m.keys.saveAndLeave)...)
}

func (m Model) fieldLines(f field, focused bool, width int) []string {
	about := f.spec.About()
	cursor, label := "  ", pad(about.Title, labelWidth)
	if focused {
		cursor, label = m.theme.selected.Render(glyphCursor+" "), m.theme.strong.Render(pad(about.Title, labelWidth))
	}
	var lines []string
	switch {
	case f.spec.Kind == steps.Choice && focused:
		lines = append(lines, cursor+label)
		lines = append(lines, m.choiceLines(f, width)...)
	case f.spec.Kind == steps.Choice:
		lines = append(lines, cursor+label+shown(f.value()))
	default:
		lines = append(lines, cursor+label+m.inputView(f, focused, width-labelWidth-4))
	}
	if origin := f.spec.Origin; origin != nil && origin(m.state) != "" {
		lines = append(lines, m.faintWrap(origin(m.state), width, "    ")...)
	}
	if f.problem != nil {
		lines = append(lines, m.problemLines(f.problem, width, "    ")...)
	}
	if focused && f.problem == nil && f.spec.Kind != steps.Choice {
		meaning := about.Meaning
		if f.spec.Kind == steps.Text {
			meaning += " Example: " + about.Example
		}
		lines = append(lines, m.faintWrap(meaning, width, "    ")...)
	}
	return append(lines, m.checkLines(f.spec.Path, focused, width)...)
}

func shown(value string) string {
	if value == "" {
		return "(from the URL)"
	}
	return value
}

// inputView shows a text, or the length of a secret.
func (m Model) inputView(f field, focused bool, width int) string {
	if f.spec.Kind == steps.Hidden {
		return m.secretView(f, focused)
	}
	input := f.input
	input.Width = max(width-1, 10)
	if !focused {
		return ansi.Truncate(input.Value(), width, "…")
	}
	return input.View()
}

func (m Model) secretView(f field, focused bool) string {
	length := len([]rune(f.input.Value()))
	text := ""
	switch {
	case length > 0:
		text = fmt.Sprintf("••• %d characters", length)
	case m.state.Typed[f.spec.Path]:
		text = "••• given"
	case f.spec.Origin != nil && f.spec.Origin(m.state) != "":
		text = "•••"
	}
	if focused {
		return text + m.theme.accent.Render("▏") + m.theme.faint.Render("hidden")
	}
	return text
}

func (m Model) choiceLines(f field, width int) []string {
	lines := make([]string, 0, len(f.choices))
	longest := 0
	for _, c := range f.choices {
		longest = max(longest, ansi.StringWidth(c.Value))
	}
	for i, c := range f.choices {
		name := c.Value
		if name == "" {
			name = "automatic"
		}
		line := pad(name, min(max(longest, 9), width/2)) + "  " + m.theme.faint.Render(c.Meaning)
		if i == f.cursor {
			line = m.theme.selected.Render("  "+glyphCursor+" "+pad(name, min(max(longest, 9), width/2))) + "  " + c.Meaning
		} else {
			line = "    " + line
		}
		lines = append(lines, ansi.Truncate(line, width, "…"))
	}
	if len(f.choices) == 0 {
		lines = append(lines, m.theme.faint.Render("    nothing to choose from"))
	}
	return lines
}

func (m Model) shows(path string) bool {
	for _, f := range m.form.fields {
		if f.spec.Path == path {
			return true
		}
	}
	return false
}

// hang writes a mark and a wrapped text whose later lines align under the
// first word.
func hang(mark, text string, width int, indent string) []string {
	lines := wrap(text, width-ansi.StringWidth(mark), indent)
	blank := strings.Repeat(" ", ansi.StringWidth(mark))
	for i, line := range lines {
		if i == 0 {
			lines[i] = indent + mark + strings.TrimPrefix(line, indent)
			continue
		}
		lines[i] = blank + line
	}
	return lines
}

func (m Model) faintWrap(text string, width int, indent string) []string {
	lines := wrap(text, width, indent)
	for i := range lines {
		lines[i] = m.theme.faint.Render(lines[i])
	}
	return lines
}

func (m Model) problemLines(p *problem.Problem, width int, indent string) []string {
	lines := hang(m.theme.fail.Render(glyphFail)+" ", "problem: "+p.What, width, indent)
	for _, extra := range []string{p.Why, p.Fix} {
		if extra != "" {
			lines = append(lines, m.faintWrap(extra, width, indent+"  ")...)
		}
	}
	return lines
}
