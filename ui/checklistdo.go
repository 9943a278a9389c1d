package ui

import (
	"fmt"
	"maps"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// deed is an item that is about to be done: what it was told so far, and what
// came of it.
type deed struct {
	generation int
	item       checklist.Item
	given      checklist.Given
	asked      int // how many of its inputs
	input      textinput.Model
	running    bool
	told       string
}

// doneMsg tells what came of an item that the person agreed to.
type doneMsg struct {
	generation int
	told       string
	err        error
}

// openItem shows what the item would do, and asks for what it must be told.
func (m Model) openItem(item checklist.Item) (tea.Model, tea.Cmd) {
	m.overlay = overlay{kind: showItem}
	m.checklist.deed = deed{generation: m.checklist.deed.generation + 1, item: item, given: checklist.Given{}}
	return m.askNext()
}

// asking is the input that is asked for now.
func (d deed) asking() (checklist.Input, bool) {
	if !d.item.CanDo() || d.asked >= len(d.item.Inputs) {
		return checklist.Input{}, false
	}
	return d.item.Inputs[d.asked], true
}

func (m Model) askNext() (tea.Model, tea.Cmd) {
	input, asks := m.checklist.deed.asking()
	if !asks {
		return m, nil
	}
	field := textinput.New()
	field.Prompt = ""
	field.Width = max(m.bodyWidth()-4, 10)
	if input.Secret {
		field.EchoMode = textinput.EchoPassword
		field.EchoCharacter = '•'
	} else {
		field.SetValue(input.Default)
	}
	command := field.Focus()
	m.checklist.deed.input = field
	return m, command
}

func (m Model) itemKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	d := m.checklist.deed
	_, asks := d.asking()
	switch {
	case key.Matches(msg, m.keys.interrupt):
		m.overlay = overlay{}
		return m.interrupted()
	case d.running:
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
		m.overlay.lines++
	case key.Matches(msg, m.keys.up):
		m.overlay.lines = max(m.overlay.lines-1, 0)
	case d.item.CanDo() && key.Matches(msg, m.keys.confirmYes):
		return m.doItem()
	case key.Matches(msg, m.keys.confirmNo), !d.item.CanDo() && key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

// acceptInput takes what was typed. A secret goes to the engine and nowhere
// else; one that the answers refer to may stay empty.
func (m Model) acceptInput() (tea.Model, tea.Cmd) {
	d := m.checklist.deed
	input, _ := d.asking()
	value := strings.TrimSpace(d.input.Value())
	known := input.Secret && m.state.Answers.Get(input.Name) != ""
	if value == "" && !input.Optional && !known {
		m.checklist.deed.told = "It is needed."
		return m, nil
	}
	if input.Secret && value != "" {
		m.deps.Engine.KeepSecret(input.Name, secret.New(value))
	}
	if !input.Secret {
		d.given = maps.Clone(d.given)
		d.given[input.Name] = value
	}
	d.asked, d.told, d.input = d.asked+1, "", textinput.Model{}
	m.checklist.deed = d
	return m.askNext()
}

func (m Model) doItem() (tea.Model, tea.Cmd) {
	m.checklist.deed.running, m.checklist.deed.told = true, ""
	d := m.checklist.deed
	ctx, engine, a, given := m.ctx, m.deps.Engine, m.state.Answers.Clone(), maps.Clone(d.given)
	return m, func() tea.Msg {
		told, err := engine.DoItem(ctx, a, d.item.ID, given)
		return doneMsg{generation: d.generation, told: told, err: err}
	}
}

// itemDone looks again: only what is seen counts.
func (m Model) itemDone(msg doneMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.checklist.deed.generation {
		return m, nil
	}
	m.checklist.deed.running = false
	if msg.err != nil {
		p := problem.All(msg.err)[0]
		m.checklist.deed.told = strings.TrimSpace(p.What + ". " + p.Why + " " + p.Fix)
		return m, nil
	}
	m.overlay = overlay{}
	return m.startListing()
}

func (m Model) itemText() []string {
	d, width := m.checklist.deed, m.bodyWidth()
	lines := append([]string{m.theme.title.Render(d.item.Title), ""}, wrap(fmt.Sprintf("%s: %s", d.item.State, d.item.Detail), width, "")...)
	if d.item.CanDo() {
		lines = append(lines, wrap("It "+d.item.Does+".", width, "")...)
	}
	if d.item.Warning != "" {
		lines = append(lines, hang(m.theme.warn.Render(glyphWarn)+" ", "warning: "+d.item.Warning, width, "")...)
	}
	if d.told != "" {
		lines = append(lines, "", m.theme.fail.Render(glyphFail)+" not done")
		lines = append(lines, wrap(d.told, width, "  ")...)
	}
	if input, asks := d.asking(); asks {
		return append(lines, "", inputTitle(input), "  "+d.input.View())
	}
	if d.running {
		return append(lines, "", m.theme.accent.Render(glyphHere)+" doing it…")
	}
	if len(d.item.Preview) > 0 {
		lines = append(lines, "")
	}
	for _, line := range d.item.Preview {
		lines = append(lines, wrapIndented(line, width)...)
	}
	return append(lines, m.alternatives(d.item)...)
}

func inputTitle(input checklist.Input) string {
	if input.Optional {
		return input.Title + " (may stay empty)"
	}
	return input.Title
}

// alternatives are the ways of a person without this program.
func (m Model) alternatives(item checklist.Item) []string {
	var lines []string
	if item.Fix != "" {
		lines = append(append(lines, ""), wrap("fix: "+item.Fix, m.bodyWidth(), "")...)
	}
	if item.Link != "" {
		lines = append(append(lines, ""), m.faintWrap("page: "+item.Link, m.bodyWidth(), "")...)
	}
	return lines
}

func (m Model) itemHelp() string {
	d := m.checklist.deed
	_, asks := d.asking()
	switch {
	case d.running:
		return "one moment"
	case asks:
		return helpLine(m.keys.next, m.keys.back)
	case d.item.CanDo():
		return helpLine(named(m.keys.confirmYes, "do it"), named(m.keys.confirmNo, "later"), named(m.keys.up, "↓ scroll"))
	}
	return helpLine(m.keys.close, named(m.keys.up, "↓ scroll"))
}
