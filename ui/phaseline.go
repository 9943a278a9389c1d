package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// phaseNames are short enough for one line of all phases.
var phaseNames = map[release.Phase]string{release.Fetch: "chart", release.Setup: "namespace and secrets", release.Render: "render",
	release.CRDs: "CRDs", release.Hooks: "hooks", release.Apply: "apply", release.Wait: "workloads", release.Verify: "verify"}

// phaseHeight is how many lines the phases that are done have, so that what is
// below stays where it is.
const phaseHeight = 2

// phaseLines name the phases: what is done with its time, and what runs on a
// line of its own.
func (m Model) phaseLines(width int) []string {
	var done []string
	for _, phase := range release.Phases {
		if state := m.install.progress.phases[phase]; state.state == release.Ready {
			words := m.theme.pass.Render(glyphPass) + " " + phaseNames[phase] + m.phaseCount(phase)
			if state.took >= time.Second {
				words += m.theme.faint.Render(" " + clock(state.took))
			}
			done = append(done, words)
		}
	}
	lines := pack(done, " · ", width)
	for len(lines) < phaseHeight {
		lines = append(lines, "")
	}
	return append(lines[:phaseHeight], m.currentLine(width))
}

// pack joins words into lines, and breaks only between them.
func pack(words []string, between string, width int) []string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && ansi.StringWidth(lines[last]+between+word) <= width {
			lines[last] += between + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

func (m Model) phaseCount(phase release.Phase) string {
	p := m.install.progress
	switch {
	case phase == release.Hooks && len(p.hooks) > 0:
		return fmt.Sprintf(" %d/%d", count(p.hooks, release.Ready), len(p.hooks))
	case phase == release.CRDs && p.crds > 0:
		return fmt.Sprintf(" %d", p.crds)
	case phase == release.Wait && len(p.workloads) > 0:
		return fmt.Sprintf(" %d/%d", count(p.workloads, release.Ready), len(p.workloads))
	}
	return ""
}

// currentLine is what runs now, and until when it may.
func (m Model) currentLine(width int) string {
	p := m.install.progress
	state := p.phases[p.now]
	words := phaseNames[p.now]
	switch {
	case p.now == "":
		words = "starting"
	case p.now == release.Wait:
		words = fmt.Sprintf("waiting for workloads, %d of %d ready", count(p.workloads, release.Ready), len(p.workloads))
	case p.now == release.Hooks && len(p.hooks) > 0:
		words = fmt.Sprintf("hooks, %d of %d done", count(p.hooks, release.Ready), len(p.hooks))
	case state.message != "":
		words += ": " + text.Line(state.message)
	}
	glyph := m.theme.accent.Render(glyphHere)
	if state.state == release.Ready {
		glyph = m.theme.pass.Render(glyphPass)
	}
	return m.spread(glyph+" "+words, m.untilWhen(), width)
}

// untilWhen says when the installation gives up, or that it is to end sooner.
func (m Model) untilWhen() string {
	if words := m.install.ending.words(); words != "" {
		return m.theme.warn.Render(words)
	}
	p := m.install.progress
	began := p.phases[p.now].began
	switch p.now {
	case release.Hooks:
		for _, hook := range p.hooks {
			if hook.state == release.Waiting {
				began = hook.since
			}
		}
	case release.Wait:
	default:
		return ""
	}
	limit := began.Add(time.Duration(m.state.Answers.Options.Timeout))
	return m.theme.faint.Render(strings.TrimSpace("gives up at " + limit.Format("15:04")))
}
