package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/cfwizard/cfwizard/installer/answers"
)

const reviewWords = "Every line leads to its step: move to it and press enter. Nothing is written to the cluster before you choose Install."

// helpText is what is to be known about the field in focus, and the keys.
func (m Model) helpText() []string {
	current, width := m.form.current(), m.bodyWidth()
	if !m.onStep() || current == nil {
		return append(wrap(reviewWords, width, ""), m.keyLines(width)...)
	}
	about, help := current.spec.About(), current.spec.Help()
	lines := []string{m.theme.title.Render(about.Title)}
	lines = append(lines, wrap(about.Meaning, width, "")...)
	for _, each := range []struct{ label, words string }{{"Where", help.Where}, {"Example", about.Example}, {"Read on", help.Link}} {
		lines = append(lines, hang(m.theme.strong.Render(pad(each.label, 13)), each.words, width, "")...)
	}
	lines = m.gap(lines)
	if _, answer := answers.FieldAt(current.spec.Path); answer {
		lines = append(lines, "Answers file "+about.Path, "Flag         "+about.Flag(), "Environment  "+about.Env())
	}
	if about.HelmValue != "" {
		lines = append(lines, "Helm value   "+about.HelmValue)
	}
	return append(lines, m.keyLines(width)...)
}

// keyLines are all keys that work on a page of questions.
func (m Model) keyLines(width int) []string {
	keys := []key.Binding{m.keys.nextField, m.keys.prevField, m.keys.earlier, m.keys.eraseAll, m.keys.jump, m.keys.details, m.keys.repair,
		m.keys.previewAnywhere, m.keys.saveAndLeave, m.keys.interrupt}
	return append(m.gap(nil), hang(m.theme.strong.Render(pad("Keys", 13)), helpLine(keys...), width, "")...)
}
