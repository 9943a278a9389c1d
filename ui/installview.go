package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

const barWidth = 22

// installView has lines at fixed places: nothing moves but when a problem
// needs to be seen.
func (m Model) installView() page {
	if m.install.failure.problem != nil {
		return m.failureView()
	}
	width := m.bodyWidth()
	p := page{body: m.installTop(width), help: m.installHelp()}
	if m.paneAlone() {
		p.body = append(p.body, m.paneLines(width, m.bodyRoom()-len(p.body))...)
		return p
	}
	first := m.install.rows.scrolled(m.rowRoom()).top
	for i, line := range m.rowLines(width) {
		p.body = append(p.body, line)
		if first+i < len(m.install.rows.keys) {
			p.aim(len(p.body)-1, first+i)
		}
	}
	if room := m.paneRoom(); room > 0 {
		for len(p.body) < m.bodyRoom()-room {
			p.body = append(p.body, "")
		}
		p.body = append(p.body, m.paneLines(width, room)...)
	}
	return p
}

// installTop is what stands above the objects.
func (m Model) installTop(width int) []string {
	lines := m.gap([]string{m.installTitle(width)})
	lines = append(lines, m.phaseLines(width)...)
	lines = append(lines, m.troubleLines(width)...)
	return m.gap(lines)
}

// paneAlone is for terminals that have no room for the objects and the pane.
func (m Model) paneAlone() bool { return m.height < roomyHeight && m.install.pane.kind != paneNotes }

// paneRoom is how many lines the pane has below the objects.
func (m Model) paneRoom() int {
	if m.height < roomyHeight {
		return 0
	}
	return min(m.bodyRoom()/3, 14)
}

// rowRoom is how many objects have a line. One more line counts the others.
func (m Model) rowRoom() int {
	return max(m.bodyRoom()-len(m.installTop(m.bodyWidth()))-m.paneRoom()-1, 1)
}

func (m Model) installTitle(width int) string {
	share := m.install.progress.reached
	full := int(share * barWidth)
	bar := strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	right := fmt.Sprintf("%s %3.0f %%  %s", m.theme.accent.Render(bar), share*100, clock(m.install.now.Sub(m.install.began)))
	return m.spread(m.theme.title.Render("Installing "+m.state.Answers.Runtime.Name), right, width)
}

// spread puts one text to the left and one to the right; the left one is cut
// where there is no room for both.
func (m Model) spread(left, right string, width int) string {
	left = ansi.Truncate(left, max(width-ansi.StringWidth(right)-1, 0), "…")
	return left + strings.Repeat(" ", max(width-ansi.StringWidth(left)-ansi.StringWidth(right), 1)) + right
}

// clock writes a span as minutes and seconds.
func clock(d time.Duration) string {
	d = max(d, 0)
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// troubleLines show the newest problem that may yet mend itself, and its fix.
func (m Model) troubleLines(width int) []string {
	troubles := m.install.progress.troubles
	if len(troubles) == 0 {
		return nil
	}
	last := troubles[len(troubles)-1]
	what, limit := last.problem.What, 2
	if len(troubles) > 1 {
		what += fmt.Sprintf(" (and %s)", text.Plural(len(troubles)-1, "more problem"))
	}
	if m.height < roomyHeight {
		limit = 1
	}
	lines := cutLines(hang(m.theme.warn.Render(glyphWarn)+" ", "problem: "+what, width, ""), limit, width)
	if last.problem.Fix != "" {
		lines = append(lines, cutLines(hang("  ", "fix: "+last.problem.Fix, width, ""), limit, width)...)
	}
	return lines
}

// cutLines makes wrapped lines fewer: the last one is filled and says that
// something is left out.
func cutLines(lines []string, limit, width int) []string {
	if len(lines) <= limit {
		return lines
	}
	last := lines[limit-1]
	for _, more := range lines[limit:] {
		last += " " + strings.TrimSpace(more)
	}
	return append(lines[:limit-1:limit-1], ansi.Truncate(last, width, "…"))
}

// rowLines are a line for each object that has one, and a count of the others.
func (m Model) rowLines(width int) []string {
	group, room := m.install.progress.shown(), m.rowRoom()
	visible := m.install.rows.visible(room)
	longest := 0
	for key := range group {
		longest = max(longest, ansi.StringWidth(group[key].object.Name))
	}
	var lines []string
	for _, key := range visible {
		lines = append(lines, m.objectLine(group[key], key == m.install.rows.selected, min(longest, width*2/5), width))
	}
	hidden := map[release.State]int{}
	for _, key := range m.install.rows.keys {
		hidden[group[key].state]++
	}
	for _, key := range visible {
		hidden[group[key].state]--
	}
	if more := len(m.install.rows.keys) - len(visible); more > 0 {
		ready := hidden[release.Ready]
		lines = append(lines, m.theme.faint.Render(fmt.Sprintf("  %s %d more: %d ready, %d waiting", glyphAhead, more, ready, more-ready)))
	}
	return lines
}

// objectLine shows an object and, while it is not ready, what it waits for.
func (m Model) objectLine(o objectState, selected bool, nameWidth, width int) string {
	glyph, word := m.theme.accent.Render(glyphHere), o.message
	switch o.state {
	case release.Ready:
		glyph, word = m.theme.pass.Render(glyphPass), "ready"
		if m.install.progress.now == release.Hooks {
			word = "done"
		}
	case release.Failed:
		glyph, word = m.theme.fail.Render(glyphFail), "failed: "+o.message
	case release.Ahead:
		glyph, word = m.theme.faint.Render(glyphAhead), "comes later"
	default:
		word = waitingWord(word)
	}
	name := pad(text.Line(o.object.Name), nameWidth)
	cursor := "  "
	if selected {
		cursor, name = m.theme.selected.Render(glyphCursor+" "), m.theme.strong.Render(name)
	}
	waited := ""
	if span := m.install.now.Sub(o.since).Round(time.Second); rank(o.state) == 1 && span >= 5*time.Second {
		waited = fmt.Sprintf(" (%d s)", int(span.Seconds()))
	}
	word = text.Line(word)
	mark := cursor + glyph + " " + name + "  "
	room := max(width-ansi.StringWidth(mark)-len(waited), 0)
	return mark + ansi.Truncate(withoutReason(word, room), room, "…") + m.theme.faint.Render(waited)
}

// withoutReason leaves out Kubernetes' one-word reason where there is no room
// for it and for what follows.
func withoutReason(words string, room int) string {
	reason, rest, found := strings.Cut(words, ": ")
	if !found || ansi.StringWidth(words) <= room || strings.Contains(reason, " ") {
		return words
	}
	return rest
}

func waitingWord(message string) string {
	switch message {
	case "", "created":
		return "starting"
	}
	return message
}
