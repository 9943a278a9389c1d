package ui

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// install is the screen of a running or ended installation.
type install struct {
	generation int
	running    bool
	stopping   bool
	cancel     context.CancelFunc
	feed       *feed
	began      time.Time
	now        time.Time
	progress   progress
	problem    *problem.Problem
	selected   int
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

// startInstall begins the installation of the answers as they are.
func (m Model) startInstall() (Model, tea.Cmd) {
	built, err := plan.Build(m.state.Answers, m.state.Found.Sources)
	if err != nil {
		next, command := m.goTo(m.reviewPage())
		return next.(Model), command
	}
	m.outcome.Plan = built
	m.at = m.installPage()
	m.session.Stage = session.Installing
	m = m.save()
	ctx, cancel := context.WithCancel(m.ctx)
	now := m.deps.Now()
	m.install = install{generation: m.install.generation + 1, running: true, cancel: cancel, feed: newFeed(), began: now, now: now, progress: newProgress()}
	engine, generation, events := m.deps.Engine, m.install.generation, m.install.feed
	run := func() (msg tea.Msg) {
		defer events.close()
		defer func() {
			if cause := recover(); cause != nil {
				msg = installedMsg{generation: generation, err: fmt.Errorf("the installer broke: %v\n%s", cause, debug.Stack())}
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
	return m, tick(msg.generation)
}

func (m Model) installEvents(msg eventsMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation {
		return m, nil
	}
	m.install.progress = m.install.progress.after(msg.events)
	m.install.now = m.deps.Now()
	if msg.closed {
		return m, nil
	}
	return m, m.install.feed.next(msg.generation)
}

// installed ends the installation: on to the checklist, or to the problem.
func (m Model) installed(msg installedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation {
		return m, nil
	}
	m.install.cancel()
	m.install.running, m.install.now = false, m.deps.Now()
	if msg.err != nil {
		m.install.problem = problem.All(msg.err)[0]
		m.session.Stage = session.Failed
		m.outcome.Err = msg.err
		m.overlay = overlay{}
		return m.save(), nil
	}
	m.session.Stage = session.Installed
	m.outcome.Err = nil
	m.overlay = overlay{}
	m.at = m.checklistPage()
	m = m.save()
	return m.startListing()
}

func (m Model) installKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if m.install.running {
		switch {
		case key.Matches(msg, m.keys.up):
			m.install.selected = max(m.install.selected-1, 0)
		case key.Matches(msg, m.keys.down):
			m.install.selected++
		}
		return m, nil
	}
	switch {
	case key.Matches(msg, m.keys.retry):
		return m.startInstall()
	case key.Matches(msg, m.keys.next):
		return m.backToCause()
	case key.Matches(msg, m.keys.back):
		return m.goTo(m.reviewPage())
	}
	return m, nil
}

// backToCause leads to the answer that made the installation fail.
func (m Model) backToCause() (tea.Model, tea.Cmd) {
	if m.install.problem == nil {
		return m, nil
	}
	if at, found := steps.PlaceOf(m.steps, m.install.problem.Field); found {
		next, command := m.goTo(at)
		return next.(Model).showProblem(m.install.problem), command
	}
	return m.goTo(m.reviewPage())
}
