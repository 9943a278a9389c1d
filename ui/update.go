package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// Update hands each message to the part that it is for.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case startedMsg:
		return m.started()
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.resized(), nil
	case tea.KeyMsg:
		return m.key(msg)
	case openedMsg:
		return m.opened(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case probedMsg:
		return m.probed(msg)
	case eventsMsg:
		return m.installEvents(msg)
	case installedMsg:
		return m.installed(msg)
	case listedMsg:
		return m.listed(msg)
	case lookAgainMsg:
		return m.lookedAgain(msg)
	case doneMsg:
		return m.itemDone(msg)
	case writtenMsg:
		return m.written(msg)
	case repairedMsg:
		return m.repaired(msg)
	case workOverdueMsg:
		return m.workOverdue(msg)
	case tickMsg:
		return m.ticked(msg)
	case lookedMsg:
		return m.looked(msg)
	case bundledMsg:
		return m.bundled(msg)
	case overdueMsg:
		return m.overdue(msg)
	case InterruptMsg:
		return m.hungUp()
	}
	return m.formMessage(msg)
}

// InterruptMsg is sent when the process is asked to end by a signal.
type InterruptMsg struct{}

// started runs every probe whose answers are there: a resumed sitting, or one
// with everything given, shows what it knows at once.
func (m Model) started() (tea.Model, tea.Cmd) {
	m, probes := m.startProbes(func(p steps.Probe) bool { return len(p.After) == 0 })
	commands := []tea.Cmd{probes}
	if m.resumed && m.at == m.reviewPage() && m.session.Stage == session.Installing && !m.deps.DryRun {
		var command tea.Cmd
		m, command = m.startInstall()
		commands = append(commands, command)
	}
	if m.at == m.checklistPage() {
		next, listing := m.startListing()
		return next, tea.Batch(append(commands, listing)...)
	}
	return m, tea.Batch(commands...)
}

func (m Model) key(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	if key.Matches(msg, m.keys.suspend) {
		return m, tea.Suspend
	}
	if m.overlay.open() {
		return m.overlayKey(msg)
	}
	switch {
	case key.Matches(msg, m.keys.interrupt):
		return m.interrupted()
	case m.welcome.shown:
		return m.welcomeKey(msg)
	case key.Matches(msg, m.keys.saveAndLeave) && !m.install.running:
		return m.leave(Left)
	case key.Matches(msg, m.keys.jump) && m.at <= m.reviewPage():
		return m.openJump(), nil
	}
	switch m.at {
	case m.reviewPage():
		return m.reviewKey(msg)
	case m.installPage():
		return m.installKey(msg)
	case m.checklistPage():
		return m.checklistKey(msg)
	}
	return m.formKey(msg)
}

// interrupted leaves at once while questions are asked, since every answer is
// on disk. During an install it asks; what writes otherwise ends first.
func (m Model) interrupted() (tea.Model, tea.Cmd) {
	if m.work.running && !m.work.leaving {
		return m.leaveAfterWork(), nil
	}
	if m.install.running && m.install.ending.leaves() {
		return m.detached()
	}
	if m.install.running {
		m.overlay = overlay{kind: askStop}
		return m, nil
	}
	return m.leave(Interrupted)
}

func (m Model) leave(how Ending) (tea.Model, tea.Cmd) {
	if m.welcome.shown {
		m.outcome.Ending, m.outcome.Untouched = how, true
		return m, tea.Quit
	}
	m = m.keepDrafts()
	m = m.save()
	m.outcome.Ending = how
	return m, tea.Quit
}

// save writes the session. A failure is shown, and the sitting goes on.
func (m Model) save() Model {
	m.session = m.session.Reached(steps.IDAt(m.steps, m.at), m.state.Answers, m.deps.Now())
	m.session.Done = nil
	for _, step := range m.steps {
		if m.done[step.ID] {
			m.session.Done = append(m.session.Done, step.ID)
		}
	}
	m.unsaved = m.deps.Save(m.session)
	return m
}

// View draws the page, or what lies over it.
func (m Model) View() string {
	if m.overlay.open() {
		return m.draw(m.overlayPage())
	}
	return m.draw(m.page())
}

// page is the page without what lies over it.
func (m Model) page() page {
	if m.welcome.shown {
		return m.welcomeView()
	}
	switch m.at {
	case m.reviewPage():
		return m.reviewView()
	case m.installPage():
		return m.installView()
	case m.checklistPage():
		return m.checklistView()
	}
	return m.formView()
}
