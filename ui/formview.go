package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

// The width of the column of titles: as the longest, within these bounds.
const (
	leastLabel = 18
	mostLabel  = 29
)

// answerWidth is how much room an answer has beside its title.
func (m Model) answerWidth(f form) int { return m.bodyWidth() - f.labelWidth() - 4 }

func (f form) labelWidth() int {
	width := leastLabel
	for _, each := range f.fields {
		width = max(width, ansi.StringWidth(each.spec.About().Title)+1)
	}
	return min(width, mostLabel)
}

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
		lines, at := m.fieldLines(f, i == m.form.focus, width)
		if i == m.form.focus {
			p.focus = len(p.body) + at
		}
		from := len(p.body)
		p.body = append(p.body, lines...)
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
	bindings = append(bindings, m.fieldBindings()...)
	if m.at > 0 {
		bindings = append(bindings, m.keys.back)
	}
	if open, _ := m.stepChecks(m.steps[m.at]); check.Worst(open) != check.Pass {
		bindings = append(bindings, m.keys.details)
	}
	if len(m.repairs()) > 0 {
		bindings = append(bindings, m.keys.repair)
	}
	return helpLine(append(bindings, help, preview, m.keys.saveAndLeave, m.keys.jump)...)
}

// fieldBindings are the keys that answer the field in focus.
func (m Model) fieldBindings() []key.Binding {
	current := m.form.current()
	switch {
	case current == nil:
		return nil
	case current.typed() && len(current.spec.Suggestions(m.state)) > 0:
		return []key.Binding{m.keys.earlier}
	case current.typed():
		return nil
	case current.spec.Kind == steps.Confirm:
		return []key.Binding{m.keys.confirmYes, named(m.keys.confirmNo, "no")}
	}
	return []key.Binding{named(m.keys.up, "↓ choose")}
}

// fieldLines show a field, and say which of the lines the person is at.
func (m Model) fieldLines(f field, focused bool, width int) (lines []string, at int) {
	about := f.spec.About()
	labelWidth := m.form.labelWidth()
	cursor, label := "  ", pad(about.Title, labelWidth)
	if focused {
		cursor, label = m.theme.selected.Render(glyphCursor+" "), m.theme.strong.Render(label)
	}
	lines = []string{cursor + label + m.answerView(f, focused, m.answerWidth(m.form))}
	if f.spec.Kind == steps.Choice && focused {
		choices, chosen := m.listLines(f.list, width)
		lines, at = append([]string{cursor + label}, choices...), chosen+1
	}
	if origin := f.spec.Origin; origin != nil && origin(m.state) != "" {
		lines = append(lines, m.faintWrap(origin(m.state), width, "    ")...)
	}
	if f.problem != nil {
		lines = append(lines, m.problemLines(f.problem, width, "    ")...)
	}
	if focused && f.problem == nil && f.spec.Kind != steps.Choice {
		meaning := about.Meaning
		if f.spec.Kind == steps.Text || f.spec.Kind == steps.File {
			meaning += " Example: " + about.Example
		}
		lines = append(lines, m.faintWrap(meaning, width, "    ")...)
	}
	return append(lines, m.checkLines(f.spec.Path, focused, width)...), at
}

// answerView is the answer in its line: a text, a choice, yes or no, or the
// length of a secret.
func (m Model) answerView(f field, focused bool, width int) string {
	switch {
	case f.spec.Kind == steps.Hidden:
		return m.secretView(f, focused)
	case f.spec.Kind == steps.Choice:
		return name(choice{Value: f.value()})
	case f.spec.Kind == steps.Confirm:
		return m.confirmView(f, focused)
	case !focused:
		return ansi.Truncate(f.input.Value(), width, "…")
	}
	return f.input.View()
}

func (m Model) confirmView(f field, focused bool) string {
	word := "no"
	if f.yes {
		word = "yes"
	}
	if focused {
		return m.theme.selected.Render(pad(word, 5)) + m.theme.faint.Render("y yes, n no")
	}
	return word
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
		return text + m.theme.accent.Render(glyphTyping) + m.theme.faint.Render("hidden")
	}
	return text
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
