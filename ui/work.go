package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// work is something that writes and that the person agreed to: a repair, or an
// item of the checklist. It is never broken off: who leaves waits for its end.
type work struct {
	generation int
	running    bool
	cancel     context.CancelFunc // asks it to end sooner
	leaving    bool               // the program ends with it
}

// begun is the next work.
func (w work) begun(cancel context.CancelFunc) work {
	return work{generation: w.generation + 1, running: true, cancel: cancel}
}

// workLine says that something is done, and what becomes of it.
func (m Model) workLine() string {
	words := "doing it…"
	if m.work.leaving {
		words = "leaving after what it is doing; " + m.keys.interrupt.Help().Key + " leaves at once"
	}
	return m.theme.accent.Render(glyphHere) + " " + words
}

// leaveAfterWork asks the work to end, and leaves with it.
func (m Model) leaveAfterWork() Model {
	m.work.leaving = true
	m.work.cancel()
	return m
}

type workOverdueMsg struct{ generation int }

// hangUpWork gives the work a moment before the program leaves without it.
func (m Model) hangUpWork() (tea.Model, tea.Cmd) {
	m = m.leaveAfterWork()
	generation := m.work.generation
	return m, tea.Tick(HangUpLimit, func(time.Time) tea.Msg { return workOverdueMsg{generation} })
}

func (m Model) workOverdue(msg workOverdueMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.work.generation || !m.work.running {
		return m, nil
	}
	return m.leave(Interrupted)
}
