package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

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
	input   textinput.Model // of a text, a file or a secret
	list    list            // of a choice
	yes     bool            // of a confirmation
	problem *problem.Problem
}

// typed reports whether the field is answered by typing into a line.
func (f field) typed() bool {
	return f.spec.Kind == steps.Text || f.spec.Kind == steps.Hidden || f.spec.Kind == steps.File
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
	return m.fitInputs(f)
}

// newInput is a line to type into. Nothing moves that one is reading. Where the
// cursor cannot be shown in reverse, it is a sign.
func (t theme) newInput(width int) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.Cursor.SetMode(cursor.CursorStatic)
	if t.plain {
		input.Cursor.Style = input.Cursor.Style.Transform(func(char string) string { return glyphTyping + char })
	}
	return fitInput(input, width)
}

// fitInput makes the part of a text that is in sight fit the width, with its
// cursor: it is found when the cursor moves, not when it is drawn.
func fitInput(input textinput.Model, width int) textinput.Model {
	input.Width = max(width-ansi.StringWidth(glyphTyping+" "), 10)
	at := input.Position()
	input.CursorEnd()
	input.SetCursor(at)
	return input
}

// fitInputs makes the inputs fit the form.
func (m Model) fitInputs(f form) form {
	for i := range f.fields {
		if f.fields[i].typed() {
			f.fields[i].input = fitInput(f.fields[i].input, m.answerWidth(f))
		}
	}
	return f
}

func (m Model) newField(spec steps.Field) field {
	value := spec.Value(m.state)
	fresh := field{spec: spec}
	switch spec.Kind {
	case steps.Choice:
		fresh.list = newList(spec.Choices(m.state), value, spec.Free)
		return fresh
	case steps.Confirm:
		fresh.yes = value == "true"
		return fresh
	}
	fresh.input = m.theme.newInput(0)
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
	switch f.spec.Kind {
	case steps.Choice:
		return f.list.value()
	case steps.Confirm:
		return strconv.FormatBool(f.yes)
	}
	return strings.TrimSpace(f.input.Value())
}

func (f *form) focusOn(index int) {
	f.focus = max(min(index, len(f.fields)-1), 0)
	for i := range f.fields {
		if !f.fields[i].typed() {
			continue
		}
		if i == f.focus {
			f.fields[i].input.Focus()
		} else {
			f.fields[i].input.Blur()
		}
	}
}

// clone copies the fields, so that a change does not reach an older model.
func (f form) clone() form {
	f.fields = append([]field{}, f.fields...)
	return f
}

// index finds a field on the page, or gives -1.
func (f form) index(spec steps.Field) int {
	return slices.IndexFunc(f.fields, func(each field) bool { return each.spec.Path == spec.Path && each.spec.Kind == spec.Kind })
}

// nearest finds a field, or the one that asks the same in another way.
func (f form) nearest(spec steps.Field) int {
	if exact := f.index(spec); exact >= 0 {
		return exact
	}
	return slices.IndexFunc(f.fields, func(each field) bool { return each.spec.Path == spec.Path })
}

func (f form) current() *field {
	if f.focus < len(f.fields) {
		return &f.fields[f.focus]
	}
	return nil
}

// typing reports whether letters go into the field, so that they are no keys.
func (f form) typing() bool {
	current := f.current()
	return current != nil && (current.typed() || current.list.typed())
}

// formMessage hands other messages, such as a paste that comes later, to the
// field that has the focus.
func (m Model) formMessage(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.form = m.form.clone()
	current := m.form.current()
	if !m.onStep() || current == nil || !current.typed() {
		return m, nil
	}
	var command tea.Cmd
	current.input, command = current.input.Update(msg)
	return m, command
}
