package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/release"
)

const barWidth = 22

func (m Model) installView() page {
	width := m.bodyWidth()
	p := page{body: []string{m.installTitle(width), ""}}
	if m.install.problem != nil {
		p.body = append(p.body, m.failureLines(width)...)
		p.help = helpLine(named(m.keys.next, "back to the answer"), named(m.keys.retry, "retry as it is"), named(m.keys.back, "review"), named(m.keys.interrupt, "keep and leave"))
		return p
	}
	p.body = append(p.body, m.phaseLines(width)...)
	p.body = append(p.body, "")
	p.body = append(p.body, m.workloadLines(width)...)
	p.help = helpLine(named(m.keys.interrupt, "stop or stay"))
	return p
}

func (m Model) installTitle(width int) string {
	name := m.theme.title.Render("Installing " + m.state.Answers.Runtime.Name)
	if m.install.problem != nil {
		name = m.theme.fail.Render(glyphFail) + " " + m.theme.title.Render("Installing "+m.state.Answers.Runtime.Name+" failed")
		return name + m.theme.faint.Render("   after "+clock(m.install.now.Sub(m.install.began)))
	}
	share := m.install.progress.share()
	full := int(share * barWidth)
	bar := strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	right := fmt.Sprintf("%s %3.0f %%  %s", m.theme.accent.Render(bar), share*100, clock(m.install.now.Sub(m.install.began)))
	gap := max(width-ansi.StringWidth(name)-ansi.StringWidth(right), 1)
	return name + strings.Repeat(" ", gap) + right
}

// clock writes a span as minutes and seconds.
func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// phaseLines name the phases: what is done on one line, what runs on its own.
func (m Model) phaseLines(width int) []string {
	var done []string
	var lines []string
	for _, phase := range release.Phases {
		state := m.install.progress.phases[phase]
		switch state.state {
		case release.Ready:
			done = append(done, m.theme.pass.Render(glyphPass)+" "+string(phase))
		case release.Started:
			text := string(phase)
			if phase == release.Wait {
				text = fmt.Sprintf("waiting for workloads, %d of %d ready", count(m.install.progress.workloads, release.Ready), len(m.install.progress.workloads))
				deadline := state.began.Add(time.Duration(m.state.Answers.Options.Timeout))
				text += m.theme.faint.Render("   gives up at " + deadline.Format("15:04"))
			} else if state.message != "" {
				text += ": " + state.message
			}
			if m.install.stopping {
				text += m.theme.warn.Render("   stopping after this")
			}
			lines = append(lines, m.theme.accent.Render(glyphHere)+" "+text)
		}
	}
	return append(wrap(strings.Join(done, " · "), width, ""), lines...)
}

func (m Model) workloadLines(width int) []string {
	group := m.install.progress.workloads
	if len(group) == 0 {
		group = m.install.progress.hooks
	}
	longest := 0
	for _, o := range group {
		longest = max(longest, ansi.StringWidth(o.object.Name))
	}
	var lines []string
	for _, o := range sorted(group) {
		lines = append(lines, m.objectLines(o, min(longest, width/2), width)...)
	}
	return lines
}

// objectLines show an object and, while it is not ready, what it waits for.
func (m Model) objectLines(o objectState, nameWidth, width int) []string {
	glyph, word := m.theme.accent.Render(glyphHere), "waiting"
	switch o.state {
	case release.Ready:
		return []string{"  " + m.theme.pass.Render(glyphPass) + " " + pad(o.object.Name, nameWidth) + " ready"}
	case release.Failed:
		glyph, word = m.theme.fail.Render(glyphFail), "failed"
	}
	if o.message != "" {
		word += ": " + o.message
	}
	if waited := m.install.now.Sub(o.since).Round(time.Second); waited >= 5*time.Second {
		word += fmt.Sprintf(" (%d s)", int(waited.Seconds()))
	}
	return hang(glyph+" "+pad(o.object.Name, nameWidth)+" ", word, width, "  ")
}

// failureLines say what happened, why and how to fix it.
func (m Model) failureLines(width int) []string {
	p := m.install.problem
	var lines []string
	for _, part := range []struct{ label, text string }{{"What", p.What}, {"Why", p.Why}, {"Fix", p.Fix}} {
		if part.text != "" {
			lines = append(lines, hang(m.theme.strong.Render(pad(part.label, 6)), part.text, width, "")...)
			lines = append(lines, "")
		}
	}
	if p.Field != "" {
		lines = append(lines, hang("", "enter leads to "+p.Field+"; everything else is kept.", width, "")...)
	}
	if tail := m.install.progress.log; len(tail) > 0 {
		lines = append(lines, "", m.theme.faint.Render("Last lines of the log"))
		for _, line := range tail[max(len(tail)-6, 0):] {
			lines = append(lines, m.faintWrap(line, width, "  ")...)
		}
	}
	return lines
}
