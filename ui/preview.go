package ui

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// openPreview shows what would run. What changed since the person last looked
// is marked.
func (m Model) openPreview() Model {
	before := m.previewed
	m.previewed = m.planned()
	m.overlay = overlay{kind: showPreview, before: before}
	return m
}

// planned is the command and the values as they stand now, or what is missing.
func (m Model) planned() []string {
	built, err := plan.Build(m.state.Answers, m.state.Found.Sources)
	if err != nil {
		lines := []string{"Still missing:"}
		for _, p := range problem.All(err) {
			lines = append(lines, p.Field+": "+p.What)
		}
		return lines
	}
	command, err := built.Command()
	if err != nil {
		return []string{err.Error()}
	}
	values, err := built.ValuesYAML()
	if err != nil {
		return []string{err.Error()}
	}
	lines := append([]string{"# The command"}, textLines(command)...)
	return append(append(lines, "", "# The values"), textLines(values)...)
}

func textLines(data []byte) []string {
	return strings.Split(strings.TrimSpace(text.Block(string(data))), "\n")
}

// previewText marks the lines that were not there when the person last looked,
// and lists those that are gone.
func (m Model) previewText() []string {
	lines := []string{m.theme.title.Render("What would run, as it stands now")}
	body, changed := m.marked(m.previewed, m.overlay.before, m.theme.pass.Render("+ "))
	gone, removed := m.marked(m.overlay.before, m.previewed, m.theme.fail.Render("- "))
	switch {
	case m.overlay.before == nil:
		lines = append(lines, "")
	case changed+removed == 0:
		lines = append(lines, m.theme.faint.Render("Nothing changed since you last looked."), "")
	default:
		lines = append(lines, m.theme.faint.Render("Since you last looked: + is new, - is gone."), "")
	}
	lines = append(lines, body...)
	if removed > 0 {
		lines = append(lines, "", m.theme.strong.Render("No longer there"))
		lines = append(lines, slices.DeleteFunc(gone, func(line string) bool { return strings.HasPrefix(line, "  ") })...)
	}
	return lines
}

// marked puts a mark before each line that the others do not have, as often as
// they do not have it.
func (m Model) marked(lines, others []string, mark string) (marked []string, count int) {
	left := map[string]int{}
	for _, line := range others {
		left[line]++
	}
	for _, line := range lines {
		left[line]--
		if left[line] >= 0 || others == nil || line == "" {
			marked = append(marked, "  "+line)
			continue
		}
		marked = append(marked, mark+line)
		count++
	}
	return marked, count
}
