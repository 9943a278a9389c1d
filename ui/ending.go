package ui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// ending is what the person wants of a running installation.
type ending int

const (
	stays ending = iota
	stops
	detaches
	hangsUp // the terminal or the session is going away
)

// How long an installation may take to come to a safe point before the program
// leaves without it. The next run takes it up all the same.
const (
	DetachLimit = 10 * time.Second
	HangUpLimit = 1500 * time.Millisecond
)

// leaves reports whether the program ends with the installation.
func (e ending) leaves() bool { return e == detaches || e == hangsUp }

func (e ending) words() string {
	switch e {
	case stops:
		return "stopping after this"
	case detaches, hangsUp:
		return "detaching"
	}
	return ""
}

type overdueMsg struct{ generation int }

// endingKey answers what shall become of the running installation. Who wants
// to leave without an answer is let go, and nothing is taken back.
func (m Model) endingKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.detach), key.Matches(msg, m.keys.interrupt):
		return m.detach(detaches, DetachLimit)
	case key.Matches(msg, m.keys.stop):
		m.overlay = overlay{}
		m.install.ending = stops
		m.install.cancel(context.Canceled)
	case key.Matches(msg, m.keys.confirmNo):
		m.overlay = overlay{}
	}
	return m, nil
}

// detach ends the installation at the next safe point, and then the program.
func (m Model) detach(how ending, limit time.Duration) (tea.Model, tea.Cmd) {
	m.overlay = overlay{}
	m.install.ending = how
	m.install.cancel(release.ErrDetach)
	generation := m.install.generation
	return m, tea.Tick(limit, func(time.Time) tea.Msg { return overdueMsg{generation} })
}

func (m Model) overdue(msg overdueMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation || !m.install.running {
		return m, nil
	}
	return m.detached()
}

// detached leaves an installation that goes on in the cluster.
func (m Model) detached() (tea.Model, tea.Cmd) {
	m.session.Stage = session.Installing
	m.outcome.Err = nil
	return m.leave(Detached)
}

// hungUp is for a signal or a terminal that is gone. Answers are on disk; an
// installation gets a moment to come to a safe point.
func (m Model) hungUp() (tea.Model, tea.Cmd) {
	if m.install.running && !m.install.ending.leaves() {
		return m.detach(hangsUp, HangUpLimit)
	}
	if m.install.running {
		return m.detached()
	}
	if m.work.running && !m.work.leaving {
		return m.hangUpWork()
	}
	return m.leave(Interrupted)
}

func (m Model) endingText() []string {
	width := m.bodyWidth()
	lines := m.gap([]string{m.theme.title.Render("Leave the installation?")})
	for _, choice := range []struct {
		key   key.Binding
		words string
	}{
		{named(m.keys.detach, "detach"), "Leave now, at a safe point. What was applied goes on in the cluster; `cfwizard resume " + m.session.ID + "` comes back to it."},
		{named(m.keys.stop, "stop"), "End the installation after what Helm is doing now. What is in the cluster stays, and you can retry."},
		{named(m.keys.back, "stay"), "Go on watching."},
	} {
		mark := m.theme.strong.Render(pad(choice.key.Help().Key+" "+choice.key.Help().Desc, 11))
		lines = m.gap(append(lines, hang(mark, choice.words, width, "")...))
	}
	return lines
}
