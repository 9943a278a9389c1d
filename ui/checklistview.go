package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/text"
)

const itemTitleWidth = 24

func (m Model) checklistView() page {
	item, _ := checklist.ByID(m.checklist.items, m.checklist.chosen)
	p := page{help: m.checklistHelp(item)}
	p.body = []string{m.theme.title.Render(m.checklistHeadline())}
	if m.checklist.told != "" {
		p.body = append(p.body, hang(m.theme.accent.Render(glyphHere)+" ", "done just now: "+m.checklist.told, m.bodyWidth(), "")...)
	}
	p.body = m.gap(p.body)
	for _, each := range m.checklist.items {
		p.body = append(p.body, m.itemRow(each))
		if each.ID == m.checklist.chosen {
			p.focus = len(p.body) - 1
			p.body = append(p.body, m.itemDetails(each)...)
		}
	}
	switch {
	case m.checklist.looking && len(m.checklist.items) == 0:
		p.body = append(p.body, m.theme.accent.Render(glyphHere)+" verifying each item…")
	case checklist.AnyWaiting(m.checklist.items):
		p.body = append(p.body, "", m.theme.faint.Render("What is waiting is looked at again by itself."))
	}
	if m.checklist.problem != nil {
		p.body = append(p.body, m.problemLines(m.checklist.problem, m.bodyWidth(), "")...)
	}
	return p
}

// checklistHeadline is finished only when every needed item is verified.
func (m Model) checklistHeadline() string {
	done, needed := checklist.Verified(m.checklist.items)
	name := m.state.Answers.Runtime.Name
	switch {
	case len(m.checklist.items) == 0:
		return name + " is installed."
	case done == needed:
		return fmt.Sprintf("%s is installed, and everything needed is verified.", name)
	}
	return fmt.Sprintf("%s is installed. %d of %d verified", name, done, needed)
}

func (m Model) checklistHelp(item checklist.Item) string {
	bindings := []string{helpLine(m.keys.finish)}
	enter := named(m.keys.next, "more")
	if m.canDo(item) {
		enter = named(m.keys.next, "do it")
	}
	bindings = append(bindings, helpLine(enter))
	if item.Command != "" || len(item.Files) > 0 {
		bindings = append(bindings, helpLine(m.keys.command))
	}
	if item.Link != "" {
		bindings = append(bindings, helpLine(m.keys.page))
	}
	skip := m.keys.skip
	if item.State == checklist.Skipped {
		skip = named(skip, "do not skip")
	}
	if item.State != checklist.Done && item.State != checklist.NotNeeded && !m.deps.DryRun {
		bindings = append(bindings, helpLine(skip))
	}
	return strings.Join(append(bindings, helpLine(named(m.keys.refresh, "again"))), " · ")
}

// itemRow is one line: a glyph, the title, the state in words, what was seen.
func (m Model) itemRow(item checklist.Item) string {
	style, glyph := m.theme.faint, glyphAhead
	switch item.State {
	case checklist.Done:
		style, glyph = m.theme.pass, glyphPass
	case checklist.Failed:
		style, glyph = m.theme.fail, glyphFail
	case checklist.Waiting:
		style, glyph = m.theme.accent, glyphHere
	case checklist.NotNeeded, checklist.Skipped:
		glyph = glyphSkipped
	}
	cursor, title := "  ", pad(text.Line(item.Title), itemTitleWidth)
	if item.ID == m.checklist.chosen {
		cursor, title = m.theme.selected.Render(glyphCursor)+" ", m.theme.selected.Render(title)
	}
	state := string(item.State)
	if !item.Needed && item.State == checklist.ToDo {
		state = "optional"
	}
	return ansi.Truncate(cursor+style.Render(glyph)+" "+title+" "+style.Render(state)+": "+text.Line(item.Detail), m.bodyWidth(), "…")
}

// itemDetails stand below the item under the cursor.
func (m Model) itemDetails(item checklist.Item) []string {
	width, inset := m.bodyWidth(), "    "
	lines := m.faintWrap(item.Why, width, inset)
	room := width - itemTitleWidth - len("  x ") - len(item.State) - len(": ")
	if ansi.StringWidth(item.Detail) > room-1 {
		lines = append(lines, wrap(item.Detail, width, inset)...)
	}
	if item.Fix != "" && item.State != checklist.Done {
		lines = append(lines, wrap("fix: "+item.Fix, width, inset)...)
	}
	if m.canDo(item) {
		lines = append(lines, wrap("enter: it "+item.Does+".", width, inset)...)
	}
	return lines
}

// pageText is the address in full, to be copied.
func (m Model) pageText() []string {
	item, _ := checklist.ByID(m.checklist.items, m.checklist.chosen)
	return append([]string{m.theme.title.Render(text.Line(item.Title)), "", "Open this page in a browser:", ""}, wrap(item.Link, m.bareWidth(), "")...)
}

// commandText is what a person would run or commit instead.
func (m Model) commandText() []string {
	item, _ := checklist.ByID(m.checklist.items, m.checklist.chosen)
	lines := []string{m.theme.title.Render(text.Line(item.Title) + ", by hand"), ""}
	lines = append(lines, wrapScript(item.Command, m.bareWidth())...)
	for _, file := range item.Files {
		lines = append(lines, "", m.theme.strong.Render("file "+text.Line(file.Path)))
		for line := range strings.SplitSeq(strings.TrimSpace(file.Content), "\n") {
			lines = append(lines, wrapIndented(line, m.bareWidth())...)
		}
	}
	return lines
}

// wrapIndented keeps the indentation of code.
func wrapIndented(line string, width int) []string {
	rest := strings.TrimLeft(line, " ")
	return wrap(rest, width, strings.Repeat(" ", len(line)-len(rest)))
}
