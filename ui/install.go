package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

// install is the screen of a running or ended installation.
type install struct {
	generation int
	running    bool
	ending     ending // what the person wants of the running one
	cancel     context.CancelCauseFunc
	feed       *feed
	began      time.Time
	now        time.Time
	progress   progress
	rows       rows
	pane       pane
	failure    failure
}

type installedMsg struct {
	generation int
	result     release.Result
	err        error
}

type tickMsg struct {
	generation int
	now        time.Time
}

// startInstall begins the installation of the answers as they are. In a dry run
// nothing does.
func (m Model) startInstall() (Model, tea.Cmd) {
	built, err := plan.Build(m.state.Answers, m.state.Found.Sources)
	if err != nil || m.deps.DryRun {
		next, command := m.goTo(m.reviewPage())
		return next.(Model), command
	}
	m.outcome.Plan = built
	m.at, m.overlay = m.installPage(), overlay{}
	m.session.Stage = session.Installing
	m = m.save()
	ctx, cancel := context.WithCancelCause(m.ctx)
	now := m.deps.Now()
	m.install = install{generation: m.install.generation + 1, running: true, cancel: cancel, feed: newFeed(), began: now, now: now, progress: newProgress()}
	engine, generation, events := m.deps.Engine, m.install.generation, m.install.feed
	run := func() (msg tea.Msg) {
		defer events.close()
		defer func() {
			if cause := recover(); cause != nil {
				msg = installedMsg{generation: generation, err: Broke(cause)}
			}
		}()
		result, err := engine.Install(ctx, built, events.add)
		return installedMsg{generation: generation, result: result, err: err}
	}
	return m, tea.Batch(run, events.next(generation), tick(generation))
}

func tick(generation int) tea.Cmd {
	return tea.Tick(time.Second, func(now time.Time) tea.Msg { return tickMsg{generation, now} })
}

func (m Model) ticked(msg tickMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation || !m.install.running {
		return m, nil
	}
	m.install.now = m.deps.Now()
	m = m.arrangeRows()
	m, look := m.lookAgain()
	return m, tea.Batch(tick(msg.generation), look)
}

func (m Model) installEvents(msg eventsMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation {
		return m, nil
	}
	m.install.progress = m.install.progress.after(msg.events)
	m.install.now = m.deps.Now()
	m = m.arrangeRows()
	if msg.closed {
		return m, nil
	}
	return m, m.install.feed.next(msg.generation)
}

// arrangeRows gives each object its line. What was seen of one from near is not
// shown of another.
func (m Model) arrangeRows() Model {
	before := m.install.rows.selected
	m.install.rows = m.install.rows.after(m.install.progress.shown(), m.install.now, m.rowRoom())
	if m.install.rows.selected != before {
		return m.freshPane(m.install.pane.kind)
	}
	return m
}

// resized fits what depends on the terminal's size.
func (m Model) resized() Model {
	m.form = m.fitInputs(m.form.clone())
	m.welcome.input = fitInput(m.welcome.input, m.bodyWidth()-len("    ")-14)
	m.checklist.deed.input = fitInput(m.checklist.deed.input, m.bodyWidth()-4)
	if m.at == m.installPage() {
		return m.arrangeRows()
	}
	return m
}

// installed ends the installation: on to the checklist, to the problem, or out
// of the program when that was wanted.
func (m Model) installed(msg installedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation {
		return m, nil
	}
	m.install.cancel(nil)
	m.install.running, m.install.now = false, m.deps.Now()
	m.overlay = overlay{}
	if msg.err != nil && m.install.ending.leaves() && problem.KindOf(msg.err) == problem.Interrupted {
		return m.detached()
	}
	if msg.err != nil {
		m.install.failure = failure{problem: problem.All(msg.err)[0], err: msg.err}
		m.session.Stage = session.Failed
		m.outcome.Err = msg.err
		return m.save(), nil
	}
	m.session.Stage = session.Installed
	m.outcome.Err = nil
	m.at = m.checklistPage()
	m = m.save()
	return m.startListing()
}
