package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/text"
)

type choice = answers.Choice

// longList is from how many choices on a list is filtered by typing.
const longList = 9

// list is choices with a cursor. A long one is narrowed down by typing.
type list struct {
	all    []choice
	filter string
	cursor int  // among those that fit the filter
	moved  bool // by the person
	free   bool // what is typed can be chosen, too
}

func newList(choices []choice, chosen string, free bool) list {
	return list{all: choices, free: free, cursor: max(slices.IndexFunc(choices, func(c choice) bool { return c.Value == chosen }), 0)}
}

// typed reports whether the list is narrowed down by typing.
func (l list) typed() bool { return l.free || len(l.all) >= longList }

// matching are the choices that the filter leaves.
func (l list) matching() []choice {
	if l.filter == "" {
		return l.all
	}
	var matching []choice
	for _, c := range l.all {
		if contains(c.Value, l.filter) || contains(c.Meaning, l.filter) {
			matching = append(matching, c)
		}
	}
	return matching
}

// fitting are those, and what was typed where that is a choice, too.
func (l list) fitting() []choice {
	fit := l.matching()
	if l.free && l.filter != "" && !slices.ContainsFunc(fit, func(c choice) bool { return c.Value == l.filter }) {
		fit = append(slices.Clone(fit), choice{Value: l.filter, Meaning: "as you typed it"})
	}
	return fit
}

func contains(words, part string) bool {
	return strings.Contains(strings.ToLower(words), strings.ToLower(part))
}

func (l list) value() string {
	if fit := l.fitting(); l.cursor < len(fit) {
		return fit[l.cursor].Value
	}
	return ""
}

// nothingFits reports whether the filter leaves nothing of what there is.
func (l list) nothingFits() bool { return len(l.all) > 0 && len(l.fitting()) == 0 }

func (l list) move(by int) list {
	l.cursor, l.moved = max(min(l.cursor+by, len(l.fitting())-1), 0), true
	return l
}

func (l list) narrow(filter string) list {
	l.filter, l.cursor, l.moved = filter, 0, true
	return l
}

// offer takes other choices and keeps the chosen one: the person's, or else
// the answer as it stands now.
func (l list) offer(choices []choice, answer string) list {
	if l.moved {
		answer = l.value()
	}
	fresh := newList(choices, answer, l.free)
	if l.filter != "" {
		fresh.filter = l.filter
		fresh.cursor = max(slices.IndexFunc(fresh.fitting(), func(c choice) bool { return c.Value == answer }), 0)
	}
	fresh.moved = l.moved
	return fresh
}

// name is how a choice is called; an empty one decides by itself.
func name(c choice) string {
	if c.Value == "" {
		return "automatic"
	}
	return text.Line(c.Value)
}

// listLines show the part of the list around the cursor, and say which line
// that is.
func (m Model) listLines(l list, width int) (lines []string, at int) {
	fit := l.fitting()
	room := max(m.height-16, 4)
	top := min(max(l.cursor-room/2, 0), max(len(fit)-room, 0))
	shown := fit[top:min(top+room, len(fit))]
	if l.typed() {
		lines = append(lines, m.theme.faint.Render("    "+l.told()))
	}
	if top > 0 {
		lines = append(lines, m.theme.faint.Render(fmt.Sprintf("    ↑ %d more", top)))
	}
	column := 9
	for _, c := range fit {
		column = max(column, ansi.StringWidth(name(c)))
	}
	column = min(column, width/2)
	for i, c := range shown {
		if top+i == l.cursor {
			at = len(lines)
			mark := m.theme.selected.Render("  " + glyphCursor + " " + pad(name(c), column))
			lines = append(lines, hang(mark+"  ", c.Meaning, width, "")...)
			continue
		}
		line := "    " + pad(name(c), column) + "  " + m.theme.faint.Render(text.Line(c.Meaning))
		lines = append(lines, ansi.Truncate(line, width, "…"))
	}
	if len(fit) == 0 {
		lines = append(lines, m.theme.faint.Render("    nothing to choose from"))
	}
	if below := len(fit) - top - len(shown); below > 0 {
		lines = append(lines, m.theme.faint.Render(fmt.Sprintf("    ↓ %d more", below)))
	}
	return lines, at
}

// told says how the list is narrowed down.
func (l list) told() string {
	if l.filter == "" {
		return fmt.Sprintf("%d to choose from; type to filter%s", len(l.all), map[bool]string{true: ", or another"}[l.free])
	}
	return fmt.Sprintf("filter: %s (%d of %d)", l.filter, len(l.matching()), len(l.all))
}
