package ui

import (
	"fmt"

	"github.com/cfwizard/cfwizard/installer/check"
)

// stepMark is how a page stands: a glyph and a word.
type stepMark struct{ glyph, word string }

func (m Model) mark(pageIndex int) stepMark {
	if m.welcome.shown {
		return stepMark{" ", ""}
	}
	if pageIndex == m.at {
		return stepMark{glyphHere, "here"}
	}
	if pageIndex >= len(m.steps) {
		if pageIndex < m.at {
			return stepMark{glyphPass, "done"}
		}
		return stepMark{" ", ""}
	}
	step := m.steps[pageIndex]
	needed, _ := step.Needed(m.state)
	switch worst := m.worst(step.ID); {
	case !needed:
		return stepMark{glyphSkipped, "not needed"}
	case !m.done[step.ID]:
		return stepMark{" ", ""}
	case worst == check.Fail || m.at < m.installPage() && len(step.Problems(m.state)) > 0:
		return stepMark{glyphFail, "problem"}
	case worst == check.Warn:
		return stepMark{glyphWarn, "warning"}
	}
	return stepMark{glyphPass, "done"}
}

func (m Model) pageTitles() []string {
	titles := make([]string, 0, m.pageCount())
	for _, step := range m.steps {
		titles = append(titles, step.Title)
	}
	return append(titles, "Review", "Install", "Checklist")
}

// sidebar lists the pages with their state.
func (m Model) sidebar() []string {
	lines := []string{""}
	for i, title := range m.pageTitles() {
		mark := m.mark(i)
		line := fmt.Sprintf("%s %s", mark.glyph, title)
		switch mark.glyph {
		case glyphHere:
			line = m.theme.selected.Render(line)
		case glyphPass:
			line = m.theme.pass.Render(mark.glyph) + " " + title
		case glyphWarn:
			line = m.theme.warn.Render(line) + m.theme.faint.Render(" warning")
		case glyphFail:
			line = m.theme.fail.Render(line) + m.theme.faint.Render(" problem")
		case glyphSkipped:
			line = m.theme.faint.Render(line + " skipped")
		default:
			line = m.theme.faint.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}

// progressLine stands for the sidebar where there is no room for it.
func (m Model) progressLine() string {
	if m.welcome.shown {
		return ""
	}
	return m.theme.faint.Render(fmt.Sprintf("Step %d of %d: %s", m.at+1, m.pageCount(), m.pageTitles()[m.at]))
}
