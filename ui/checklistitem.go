package ui

import (
	"fmt"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/text"
)

// itemText is one item: what it is, what it asks for, and before a yes all
// that would be done.
func (m Model) itemText() []string {
	d, width := m.checklist.deed, m.bodyWidth()
	lines := append([]string{m.theme.title.Render(text.Line(d.item.Title)), ""}, wrap(fmt.Sprintf("%s: %s", d.item.State, d.item.Detail), width, "")...)
	if d.item.CanDo() {
		lines = append(lines, wrap("It "+d.item.Does+".", width, "")...)
	}
	if d.item.CanDo() && m.deps.DryRun {
		lines = append(lines, wrap(DryRunWords, width, "")...)
	}
	if d.item.Warning != "" {
		lines = append(lines, hang(m.theme.warn.Render(glyphWarn)+" ", "warning: "+d.item.Warning, width, "")...)
	}
	if d.told != "" {
		lines = append(lines, "", m.theme.fail.Render(glyphFail)+" not done")
		lines = append(lines, wrap(d.told, width, "  ")...)
	}
	if input, asks := m.asking(); asks {
		return append(lines, "", inputTitle(input), "  "+d.input.View())
	}
	if m.work.running {
		return append(lines, "", m.workLine())
	}
	return append(append(lines, m.agreedTo(width)...), m.alternatives(d.item)...)
}

// agreedTo is what a yes means: what the item was told, and what it would write.
func (m Model) agreedTo(width int) []string {
	d := m.checklist.deed
	var lines []string
	for i, told := range d.shown {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrap(told, width, "")...)
	}
	preview := d.item.Preview
	if m.canDo(d.item) {
		preview = d.item.PreviewWith(d.given)
	}
	for i, line := range preview {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrapIndented(line, width)...)
	}
	return lines
}

func inputTitle(input checklist.Input) string {
	if input.Optional {
		return text.Line(input.Title) + " (may stay empty)"
	}
	return text.Line(input.Title)
}

// alternatives are the ways of a person without this program.
func (m Model) alternatives(item checklist.Item) []string {
	var lines []string
	if item.Fix != "" {
		lines = append(append(lines, ""), wrap("fix: "+item.Fix, m.bodyWidth(), "")...)
	}
	if item.Link != "" {
		lines = append(append(lines, ""), m.faintWrap("page: "+item.Link, m.bodyWidth(), "")...)
	}
	return lines
}

func (m Model) itemHelp() string {
	d := m.checklist.deed
	_, asks := m.asking()
	switch {
	case m.work.running:
		return helpLine(named(m.keys.interrupt, "leave"))
	case asks:
		return helpLine(m.keys.next, m.keys.back)
	case m.canDo(d.item):
		return helpLine(named(m.keys.confirmYes, "do it"), named(m.keys.confirmNo, "later"), named(m.keys.up, "↓ scroll"))
	}
	return helpLine(m.keys.close, named(m.keys.up, "↓ scroll"))
}
