package ui

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// theme is how things look. It uses only the terminal's own sixteen colours,
// so that it follows the person's light or dark scheme without asking the
// terminal, and never colour alone: every glyph has a word beside it.
type theme struct {
	title, strong, faint, accent      lipgloss.Style
	pass, warn, fail, selected, input lipgloss.Style
	plain                             bool // nothing can be shown in another style
}

func newTheme(r *lipgloss.Renderer) theme {
	plain := r.NewStyle()
	return theme{
		title:    plain.Bold(true),
		strong:   plain.Bold(true),
		faint:    plain.Faint(true),
		accent:   plain.Foreground(lipgloss.Color("6")),
		pass:     plain.Foreground(lipgloss.Color("2")),
		warn:     plain.Foreground(lipgloss.Color("3")),
		fail:     plain.Foreground(lipgloss.Color("1")),
		selected: plain.Bold(true).Foreground(lipgloss.Color("6")),
		input:    plain.Underline(true),
		plain:    r.ColorProfile() == termenv.Ascii,
	}
}

// NewRenderer makes a renderer for an output without asking the terminal
// anything. NO_COLOR and TERM decide the colours.
func NewRenderer(out io.Writer, getenv func(string) string) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(out)
	r.SetHasDarkBackground(true)
	switch {
	case getenv("NO_COLOR") != "" || getenv("TERM") == "dumb":
		r.SetColorProfile(termenv.Ascii)
	default:
		r.SetColorProfile(termenv.ANSI)
	}
	return r
}

// The glyphs, each always with a word beside it.
const (
	glyphPass    = "✓"
	glyphWarn    = "!"
	glyphFail    = "✗"
	glyphHere    = "●"
	glyphAhead   = "○"
	glyphSkipped = "–"
	glyphCursor  = "›"
	glyphTyping  = "▏"
)
