package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
)

// welcome is the page before all others: a new installation, one of the saved
// sessions, or an answers file.
type welcome struct {
	shown   bool
	cursor  int  // new, the sessions, the file
	opening bool // until the choice is read
	typing  bool // the name of the file
	input   textinput.Model
	problem *problem.Problem
}

// openedMsg brings the session to go on with.
type openedMsg struct {
	session session.Session
	sources plan.Sources
	resumed bool
	err     error
}

func newWelcome(deps Deps, t theme) welcome {
	return welcome{shown: len(deps.Saved) > 0, input: t.newInput(0)}
}

func (m Model) welcomeKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	last := len(m.deps.Saved) + 1
	switch {
	case m.welcome.opening:
	case key.Matches(msg, m.keys.next):
		return m.welcomeChosen(last)
	case m.welcome.typing && key.Matches(msg, m.keys.back):
		m.welcome.typing, m.welcome.problem = false, nil
	case m.welcome.typing:
		var command tea.Cmd
		m.welcome.input, command = m.welcome.input.Update(msg)
		m.welcome.problem = nil
		return m, command
	case key.Matches(msg, m.keys.up):
		m.welcome.cursor, m.welcome.problem = max(m.welcome.cursor-1, 0), nil
	case key.Matches(msg, m.keys.down):
		m.welcome.cursor, m.welcome.problem = min(m.welcome.cursor+1, last), nil
	case key.Matches(msg, m.keys.saveAndLeave):
		return m.leave(Left)
	}
	return m, nil
}

func (m Model) welcomeChosen(last int) (tea.Model, tea.Cmd) {
	switch {
	case m.welcome.cursor == 0:
		m.welcome.shown = false
		return m, nil
	case m.welcome.cursor < last:
		m.welcome.opening = true
		open, id := m.deps.Open, m.deps.Saved[m.welcome.cursor-1].ID
		return m, func() tea.Msg {
			s, sources, err := open(id)
			return openedMsg{s, sources, true, err}
		}
	case !m.welcome.typing:
		m.welcome.typing = true
		return m, m.welcome.input.Focus()
	}
	name := strings.TrimSpace(m.welcome.input.Value())
	if name == "" {
		m.welcome.problem = &problem.Problem{Kind: problem.Invalid, Cause: "missing-answer", What: "the file has no name yet", Fix: "Type its path, such as answers.yaml."}
		return m, nil
	}
	m.welcome.opening = true
	read, fresh := m.deps.Read, m.session
	return m, func() tea.Msg {
		var err error
		fresh.Answers, err = read(name)
		return openedMsg{session: fresh, err: err}
	}
}

// opened goes on with what was chosen, or tells why that cannot be.
func (m Model) opened(msg openedMsg) (tea.Model, tea.Cmd) {
	m.welcome.opening = false
	if msg.err != nil {
		m.welcome.problem = problem.All(msg.err)[0]
		return m, nil
	}
	m.welcome.shown = false
	return m.begin(msg.session, msg.resumed, msg.sources).started()
}
