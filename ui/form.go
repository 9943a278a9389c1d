package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

// form is the fields of the step that is shown.
type form struct {
	fields  []field
	focus   int
	waiting bool // for a needed probe, to go on by itself
}

// field is one question on the screen.
type field struct {
	spec    steps.Field
	input   textinput.Model
	choices []answers.Choice
	cursor  int
	problem *problem.Problem
}

// newForm builds the fields of the current step from the answers and from
// what was typed before.
func (m Model) newForm() form {
	if !m.onStep() {
		return form{}
	}
	var f form
	for _, spec := range m.steps[m.at].Asked(m.state) {
		f.fields = append(f.fields, m.newField(spec))
	}
	f.focusOn(0)
	return f
}

func (m Model) newField(spec steps.Field) field {
	value := m.state.Answers.Get(spec.Path)
	fresh := field{spec: spec}
	if spec.Kind == steps.Choice {
		fresh.choices = spec.Choices(m.state)
		for i, choice := range fresh.choices {
			if choice.Value == value {
				fresh.cursor = i
			}
		}
		return fresh
	}
	fresh.input = textinput.New()
	fresh.input.Prompt = ""
	fresh.input.Cursor.SetMode(cursor.CursorStatic) // nothing moves that one is reading
	if spec.Kind == steps.Hidden {
		fresh.input.EchoMode = textinput.EchoPassword
		return fresh
	}
	if draft, ok := m.drafts[spec.Path]; ok {
		value = draft
	}
	fresh.input.SetValue(value)
	fresh.input.CursorEnd()
	return fresh
}

// value is what the field says now.
func (f field) value() string {
	if f.spec.Kind == steps.Choice {
		if f.cursor < len(f.choices) {
			return f.choices[f.cursor].Value
		}
		return ""
	}
	return strings.TrimSpace(f.input.Value())
}

func (f *form) focusOn(index int) {
	f.focus = max(min(index, len(f.fields)-1), 0)
	for i := range f.fields {
		if i == f.focus && f.fields[i].spec.Kind != steps.Choice {
			f.fields[i].input.Focus()
		} else if f.fields[i].spec.Kind != steps.Choice {
			f.fields[i].input.Blur()
		}
	}
}

// clone copies the fields, so that a change does not reach an older model.
func (f form) clone() form {
	f.fields = append([]field{}, f.fields...)
	return f
}

func (f form) current() *field {
	if f.focus < len(f.fields) {
		return &f.fields[f.focus]
	}
	return nil
}

func (f form) typing() bool {
	current := f.current()
	return current != nil && current.spec.Kind != steps.Choice
}

// formMessage hands other messages, such as a paste that comes later, to the
// field that has the focus.
func (m Model) formMessage(msg tea.Msg) (tea.Model, tea.Cmd) {
	if !m.onStep() || !m.form.typing() {
		return m, nil
	}
	m.form = m.form.clone()
	current := m.form.current()
	var command tea.Cmd
	current.input, command = current.input.Update(msg)
	return m, command
}
