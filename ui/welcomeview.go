package ui

import (
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
)

const welcomeWords = "Nothing is written before you confirm the review. Every answer is saved."

func (m Model) welcomeView() page {
	width := m.bodyWidth()
	p := page{body: []string{m.theme.title.Render("Welcome")}, help: m.welcomeHelp()}
	p.body = append(p.body, m.faintWrap(welcomeWords, width, "")...)
	p.body = append(m.gap(p.body), m.clusterLines(width)...)
	p.body = m.gap(p.body)
	for i, entry := range m.welcomeEntries() {
		if i == m.welcome.cursor {
			p.focus = len(p.body)
			p.body = append(p.body, hang(m.theme.selected.Render(glyphCursor+" "), entry, width, "")...)
			p.body = append(p.body, m.welcomeAnswer(width)...)
			continue
		}
		p.body = append(p.body, hang("  ", entry, width, "")...)
	}
	return p
}

func (m Model) welcomeHelp() string {
	if m.welcome.typing {
		return helpLine(named(m.keys.next, "read it"), m.keys.back, m.keys.interrupt)
	}
	return helpLine(m.keys.next, named(m.keys.up, "↓ choose"), m.keys.interrupt)
}

// clusterLines say which cluster a new installation would go to, so that
// nobody begins with the wrong one.
func (m Model) clusterLines(width int) []string {
	state := m.probes["cluster"]
	words := m.state.Answers.Cluster.Context
	switch facts := m.state.Found.Cluster; {
	case state.running:
		words += ", reading it…"
	case facts != nil:
		words = facts.Fingerprint() + ", " + text.Line(facts.Server)
	case check.Worst(state.checks) == check.Fail:
		words += ", problem: " + state.checks[0].Title
	}
	return hang(pad("Cluster", 9), words, width, "  ")
}

func (m Model) welcomeEntries() []string {
	entries := []string{"New installation"}
	for _, s := range m.deps.Saved {
		entries = append(entries, "Resume "+m.sessionWords(s))
	}
	return append(entries, "From an answers file")
}

// sessionWords tell a session from others: what, where, how far, how old.
func (m Model) sessionWords(s session.Session) string {
	words := []string{s.Answers.Runtime.Name}
	if s.Answers.Cluster.Context != "" {
		words[0] += " in " + text.Line(s.Answers.Cluster.Context)
	}
	reached := string(s.Stage)
	if s.Stage == session.Asking {
		reached = "at " + m.pageTitles()[m.stepIndex(s.Step)]
	}
	return strings.Join(append(words, reached, ago(m.deps.Now().Sub(s.Updated))), ", ")
}

// ago says how long something is past, as one would in speaking.
func ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return text.Plural(int(d/time.Minute), "minute") + " ago"
	case d < day:
		return text.Plural(int(d/time.Hour), "hour") + " ago"
	}
	return text.Plural(int(d/day), "day") + " ago"
}

// welcomeAnswer stands below the chosen entry: the file's name, or what went
// wrong.
func (m Model) welcomeAnswer(width int) []string {
	var lines []string
	if m.welcome.typing {
		lines = append(lines, "    "+m.theme.strong.Render(pad("Answers file", 14))+m.welcome.input.View())
	}
	if m.welcome.opening {
		lines = append(lines, "    "+m.theme.accent.Render(glyphHere)+" opening it…")
	}
	if m.welcome.problem != nil {
		lines = append(lines, m.problemLines(m.welcome.problem, width, "    ")...)
	}
	return lines
}
