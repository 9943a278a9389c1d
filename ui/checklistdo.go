package ui

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// deed is an item that is about to be done: what it was told so far, and what
// came of it.
type deed struct {
	item  checklist.Item
	given checklist.Given
	shown []string // what it was told, in words
	asked int      // how many of its inputs
	input textinput.Model
	told  string
}

// doneMsg tells what came of an item that the person agreed to.
type doneMsg struct {
	generation int
	told       string
	err        error
}

// canDo reports whether enter does something: in a dry run nothing does.
func (m Model) canDo(item checklist.Item) bool { return item.CanDo() && !m.deps.DryRun }

// openItem shows what the item would do, and asks for what it must be told.
func (m Model) openItem(item checklist.Item) (tea.Model, tea.Cmd) {
	m.overlay = overlay{kind: showItem}
	m.checklist.told = ""
	m.checklist.deed = deed{item: item, given: checklist.Given{}}
	return m.askNext()
}

// asking is the input that is asked for now.
func (m Model) asking() (checklist.Input, bool) {
	d := m.checklist.deed
	if !m.canDo(d.item) || d.asked >= len(d.item.Inputs) {
		return checklist.Input{}, false
	}
	return d.item.Inputs[d.asked], true
}

func (m Model) askNext() (tea.Model, tea.Cmd) {
	input, asks := m.asking()
	if !asks {
		return m, nil
	}
	field := m.theme.newInput(m.bodyWidth() - 4)
	if input.Secret {
		field.EchoMode = textinput.EchoPassword
		field.EchoCharacter = '•'
	} else {
		field.SetValue(text.Line(input.Default))
	}
	command := field.Focus()
	m.checklist.deed.input = field
	return m, command
}

func (m Model) itemKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	d := m.checklist.deed
	_, asks := m.asking()
	switch {
	case key.Matches(msg, m.keys.interrupt):
		return m.interrupted()
	case m.work.running:
		return m, nil
	case key.Matches(msg, m.keys.back):
		m.overlay = overlay{}
		return m, nil
	case asks && key.Matches(msg, m.keys.next):
		return m.acceptInput()
	case asks:
		var command tea.Cmd
		m.checklist.deed.input, command = d.input.Update(msg)
		return m, command
	case key.Matches(msg, m.keys.down):
		return m.scrolled(1), nil
	case key.Matches(msg, m.keys.up):
		return m.scrolled(-1), nil
	case m.canDo(d.item) && key.Matches(msg, m.keys.confirmYes):
		return m.doItem()
	case key.Matches(msg, m.keys.confirmNo), !m.canDo(d.item) && key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

// acceptInput takes what was typed. A secret goes to the engine and nowhere
// else; one that the answers refer to may stay empty.
func (m Model) acceptInput() (tea.Model, tea.Cmd) {
	d := m.checklist.deed
	input, _ := m.asking()
	value := strings.TrimSpace(d.input.Value())
	known := input.Secret && m.state.Answers.Get(input.Name) != ""
	if value == "" && !input.Optional && !known {
		m.checklist.deed.told = "It is needed."
		return m, nil
	}
	shown := value
	switch {
	case input.Secret && value != "":
		m.deps.Engine.KeepSecret(input.Name, secret.New(value))
		shown = "•••"
	case input.Secret && known:
		shown = "••• as it is known"
	case !input.Secret:
		d.given = maps.Clone(d.given)
		d.given[input.Name] = value
	}
	if shown == "" {
		shown = "none"
	}
	d.shown = append(slices.Clone(d.shown), input.Title+": "+shown)
	d.asked, d.told, d.input = d.asked+1, "", textinput.Model{}
	m.checklist.deed = d
	return m.askNext()
}

func (m Model) doItem() (tea.Model, tea.Cmd) {
	m.checklist.deed.told = ""
	ctx, cancel := context.WithCancel(m.ctx)
	m.work = m.work.begun(cancel)
	d, generation := m.checklist.deed, m.work.generation
	engine, a, given := m.deps.Engine, m.state.Answers.Clone(), maps.Clone(d.given)
	return m, func() tea.Msg {
		defer cancel()
		told, err := engine.DoItem(ctx, a, d.item.ID, given)
		return doneMsg{generation: generation, told: told, err: err}
	}
}

// itemDone looks again: only what is seen counts.
func (m Model) itemDone(msg doneMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.work.generation {
		return m, nil
	}
	m.work.running = false
	if m.work.leaving {
		return m.leave(Interrupted)
	}
	if msg.err != nil {
		p := problem.All(msg.err)[0]
		m.checklist.deed.told = text.Sentences(p.What, p.Why, p.Fix)
		return m, nil
	}
	m.overlay, m.checklist.told = overlay{}, msg.told
	return m.startListing()
}
