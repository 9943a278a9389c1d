package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	minWidth     = 60
	minHeight    = 15
	sideWidth    = 20
	sideFromCols = 76
	roomyHeight  = 20
)

// page is one screenful before it is fitted into the terminal.
type page struct {
	body  []string
	focus int // the line of the body that must stay visible
	help  string

	bare    bool     // without the steps at its side, so that what it shows can be copied
	targets []target // of the mouse
}

// draw fits a page into the terminal: header, steps at the side when there is
// room, body, key help. It never gives more lines or columns than there are.
func (m Model) draw(p page) string {
	if m.tooSmallNow() {
		return m.tooSmall()
	}
	rule := m.theme.faint.Render(strings.Repeat("─", m.width-2))
	lines := []string{" " + m.header(), " " + rule}
	wide := m.width >= sideFromCols
	if !wide {
		lines = append(lines, " "+m.progressLine())
	}
	room := m.bodyRoom()
	body := scroll(p.body, p.focus, room)
	side := m.sidebar()
	for i := range room {
		line := ""
		if i < len(body) {
			line = body[i]
		}
		if wide && !p.bare {
			left := ""
			if i < len(side) {
				left = side[i]
			}
			line = pad(left, sideWidth) + " " + line
		}
		if !p.bare {
			line = " " + line
		}
		lines = append(lines, line)
	}
	lines = append(lines, " "+rule, " "+m.footer(p.help))
	for i, line := range lines {
		lines[i] = ansi.Truncate(unbroken.Replace(line), m.width, "…")
	}
	return strings.Join(lines, "\n")
}

// unbroken keeps a line a line, whatever got into it.
var unbroken = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// bodyWidth is how wide the text of a page may be.
func (m Model) bodyWidth() int {
	if m.width >= sideFromCols {
		return m.width - sideWidth - 3
	}
	return max(m.width-2, 20)
}

// bareWidth is how wide the text of a bare page may be.
func (m Model) bareWidth() int { return max(m.width, 20) }

// bodyRoom is how many lines of a page can be seen.
func (m Model) bodyRoom() int {
	if m.width >= sideFromCols {
		return m.height - 4
	}
	return m.height - 5
}

// gap adds a blank line where the terminal is high enough for air.
func (m Model) gap(lines []string) []string {
	if m.height < roomyHeight {
		return lines
	}
	return append(lines, "")
}

func (m Model) header() string {
	left := m.theme.title.Render("cfwizard")
	if m.deps.DryRun {
		left += m.theme.warn.Render("  dry run: nothing is written")
	}
	right := ""
	if facts := m.state.Found.Cluster; facts != nil {
		right = text.Line(facts.Fingerprint())
	}
	room := m.width - 3 - ansi.StringWidth(left)
	right = ansi.Truncate(right, max(room, 0), "…")
	return left + strings.Repeat(" ", max(room-ansi.StringWidth(right)+1, 1)) + m.theme.faint.Render(right)
}

func (m Model) footer(help string) string {
	where := fmt.Sprintf("%d of %d", m.at+1, m.pageCount())
	if m.welcome.shown {
		where = ""
	}
	room := m.width - 3 - ansi.StringWidth(where)
	help = ansi.Truncate(help, max(room-1, 0), "…")
	return m.theme.faint.Render(help + strings.Repeat(" ", max(room-ansi.StringWidth(help)+1, 1)) + where)
}

func (m Model) tooSmallNow() bool { return m.width < minWidth || m.height < minHeight }

func (m Model) tooSmall() string {
	words := fmt.Sprintf("This terminal is %d×%d. cfwizard needs %d×%d. Make it larger; nothing is lost.", m.width, m.height, minWidth, minHeight)
	lines := strings.Split(ansi.Wrap(words, max(m.width, 1), ""), "\n") // may be narrower than wrap allows
	return strings.Join(lines[:min(len(lines), max(m.height, 1))], "\n")
}

// scroll cuts a body to the room there is, keeps the focus in sight, and says
// what is above and below.
func scroll(body []string, focus, room int) []string {
	if len(body) <= room || room < 3 {
		return body[:min(len(body), max(room, 0))]
	}
	top := scrollTop(len(body), focus, room)
	cut := append([]string{}, body[top:top+room]...)
	if top > 0 {
		cut[0] = fmt.Sprintf("  ↑ %d more lines", top+1)
	}
	if rest := len(body) - top - room; rest > 0 {
		cut[room-1] = fmt.Sprintf("  ↓ %d more lines", rest+1)
	}
	return cut
}

// scrollTop is the first line of a body that is seen.
func scrollTop(lines, focus, room int) int {
	if lines <= room || room < 3 {
		return 0
	}
	return min(max(focus-room/2, 0), lines-room)
}

// pad fills or cuts a text to exactly width columns.
func pad(s string, width int) string {
	s = ansi.Truncate(s, width, "…")
	return s + strings.Repeat(" ", max(width-ansi.StringWidth(s), 0))
}

// wrap breaks a text into lines of at most width columns, each indented. It
// breaks at blanks only, so that names and URLs stay whole where they fit. The
// text may come from anywhere: it is made safe to show.
func wrap(s string, width int, indent string) []string {
	room := max(width-ansi.StringWidth(indent), 10)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text.Line(s)) {
		if line != "" && ansi.StringWidth(line)+1+ansi.StringWidth(word) > room {
			lines = append(lines, indent+line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
		for ansi.StringWidth(line) > room {
			lines = append(lines, indent+ansi.Cut(line, 0, room))
			line = ansi.Cut(line, room, ansi.StringWidth(line))
		}
	}
	return append(lines, indent+line)
}
