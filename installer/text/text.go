// Package text makes words from elsewhere safe to show. What the cluster, a
// Git host or a file says must not move the cursor or fake the screen.
package text

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Line makes s one safe line: escape sequences and control characters are
// gone, line breaks and tabs are single spaces.
func Line(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return visible(r)
	}, ansi.Strip(s)))
}

// Block makes s safe and keeps its line breaks.
func Block(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n':
			return r
		case '\t':
			return ' '
		}
		return visible(r)
	}, ansi.Strip(s))
}

// HasControl reports whether s holds a character that does not print.
func HasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return visible(r) < 0 })
}

// visible is r, or -1 for control characters and for the marks that turn the
// direction of writing, which can make a line read as something else.
func visible(r rune) rune {
	switch {
	case unicode.IsControl(r), r == unicode.ReplacementChar:
		return -1
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0xFEFF:
		return -1
	}
	return r
}

// Plural counts things: 1 node, 3 nodes.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// Shorten cuts s to at most width runes and marks the cut.
func Shorten(s string, width int) string {
	return ansi.Truncate(s, width, "…")
}

// Sentences puts what was said after each other, each with one end. An end of
// its own, such as a command has, is left as it is for the last.
func Sentences(parts ...string) string {
	var said []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			said = append(said, part)
		}
	}
	for i := range said[:max(len(said)-1, 0)] {
		if !strings.ContainsAny(said[i][len(said[i])-1:], ".!?") {
			said[i] += "."
		}
	}
	return Line(strings.Join(said, " "))
}
