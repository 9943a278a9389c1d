package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/answers"
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
}

func newList(choices []choice, chosen string) list {
	return list{all: choices, cursor: max(slices.IndexFunc(choices, func(c choice) bool { return c.Value == chosen }), 0)}
}

func (l list) long() bool { return len(l.all) >= longList }

// fitting are the choices that the filter leaves.
func (l list) fitting() []choice {
	if l.filter == "" {
		return l.all
	}
	var fit []choice
	for _, c := range l.all {
		if contains(c.Value, l.filter) || contains(c.Meaning, l.filter) {
			fit = append(fit, c)
		}
	}
	return fit
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

func (l list) value() string {
	if fit := l.fitting(); l.cursor < len(fit) {
		return fit[l.cursor].Value
	}
	return ""
}

// empty reports whether there is nothing to choose.
func (l list) empty() bool { return len(l.fitting()) == 0 }

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
	fresh := newList(choices, answer)
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
	return c.Value
}

// listLines show the part of the list around the cursor.
func (m Model) listLines(l list, width int) []string {
	fit := l.fitting()
	room := max(m.height-16, 4)
	top := min(max(l.cursor-room/2, 0), max(len(fit)-room, 0))
	shown := fit[top:min(top+room, len(fit))]
	var lines []string
	if l.long() {
		lines = append(lines, m.theme.faint.Render("    "+l.told()))
	}
	column := 9
	for _, c := range fit {
		column = max(column, ansi.StringWidth(name(c)))
	}
	for i, c := range shown {
		lines = append(lines, ansi.Truncate(m.choiceLine(c, top+i == l.cursor, min(column, width/2)), width, "…"))
	}
	if len(fit) == 0 {
		lines = append(lines, m.theme.faint.Render("    nothing to choose from"))
	}
	if below := len(fit) - top - len(shown); below > 0 {
		lines = append(lines, m.theme.faint.Render(fmt.Sprintf("    ↓ %d more", below)))
	}
	return lines
}

// told says how the list is narrowed down.
func (l list) told() string {
	if l.filter == "" {
		return fmt.Sprintf("%d to choose from; type to filter", len(l.all))
	}
	return fmt.Sprintf("filter: %s (%d of %d)", l.filter, len(l.fitting()), len(l.all))
}

func (m Model) choiceLine(c choice, selected bool, column int) string {
	if selected {
		return m.theme.selected.Render("  "+glyphCursor+" "+pad(name(c), column)) + "  " + c.Meaning
	}
	return "    " + pad(name(c), column) + "  " + m.theme.faint.Render(c.Meaning)
}
