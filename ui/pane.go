package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

type paneKind int

const (
	paneNotes  paneKind = iota // what the installation told
	paneEvents                 // what Kubernetes says
	paneLog
)

var paneTitles = map[paneKind]string{paneNotes: "what happened", paneEvents: "events", paneLog: "log"}

const (
	lookTimeout = 5 * time.Second
	lookPause   = 2 * time.Second
)

// pane is the lower part of the install screen: one object from near.
type pane struct {
	kind       paneKind
	generation int
	looking    bool
	looked     time.Time
	back       int // lines before the newest that are looked at
	seen       release.CloseUp
	err        error
}

type lookedMsg struct {
	generation int
	seen       release.CloseUp
	err        error
}

func (m Model) openPane(kind paneKind) (tea.Model, tea.Cmd) {
	m.install.rows.held = true
	return m.freshPane(kind).look()
}

// freshPane forgets what was seen: a close-up that is still on its way is of
// something else.
func (m Model) freshPane(kind paneKind) Model {
	m.install.pane = pane{kind: kind, generation: m.install.pane.generation + 1}
	return m
}

// scrollPane goes back in the pane, or forth to the newest words.
func (m Model) scrollPane(by int) Model {
	object := m.install.progress.shown()[m.install.rows.selected]
	most := max(len(m.paneContent(m.paneWords(object), m.bodyWidth()))-m.paneHeight()+1, 0)
	m.install.pane.back = min(max(m.install.pane.back+by, 0), most)
	return m
}

// look reads the selected object's events and log.
func (m Model) look() (Model, tea.Cmd) {
	object, known := m.install.progress.shown()[m.install.rows.selected]
	if m.install.pane.kind == paneNotes || !known || object.state == release.Ahead {
		return m, nil
	}
	m.install.pane.generation++
	m.install.pane.looking = true
	engine, a, parent, generation := m.deps.Engine, m.state.Answers.Clone(), m.ctx, m.install.pane.generation
	return m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, lookTimeout)
		defer cancel()
		seen, err := engine.CloseUp(ctx, a, object.object)
		return lookedMsg{generation: generation, seen: seen, err: err}
	}
}

// lookAgain keeps an open pane fresh.
func (m Model) lookAgain() (Model, tea.Cmd) {
	p := m.install.pane
	if p.kind == paneNotes || p.looking || m.install.now.Sub(p.looked) < lookPause {
		return m, nil
	}
	return m.look()
}

func (m Model) looked(msg lookedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.pane.generation {
		return m, nil
	}
	m.install.pane.looking, m.install.pane.looked = false, m.deps.Now()
	m.install.pane.seen, m.install.pane.err = msg.seen, msg.err
	return m, nil
}

// paneHeight is how many lines the pane has where it is shown.
func (m Model) paneHeight() int {
	if m.paneAlone() {
		return m.bodyRoom() - len(m.installTop(m.bodyWidth()))
	}
	return m.paneRoom()
}

// paneLines are the pane in so many lines, the newest words last.
func (m Model) paneLines(width, room int) []string {
	object, known := m.install.progress.shown()[m.install.rows.selected]
	if !known || room < 2 {
		return nil
	}
	title := fmt.Sprintf("─ %s ─ %s ", text.Line(object.object.Name), paneTitles[m.install.pane.kind])
	title += strings.Repeat("─", max(width-ansi.StringWidth(title), 0))
	lines := []string{m.theme.faint.Render(ansi.Truncate(title, width, "…"))}
	content := m.paneContent(newest(m.paneWords(object), room+m.install.pane.back), width)
	content = content[:len(content)-min(m.install.pane.back, max(len(content)-room+1, 0))]
	return append(lines, newest(content, room-1)...)
}

// paneContent are lines of the pane, wrapped.
func (m Model) paneContent(lines []string, width int) []string {
	var content []string
	for _, words := range lines {
		content = append(content, hang("", words, width-2, "  ")...)
	}
	return content
}

// paneWords are the pane's lines before they are wrapped.
func (m Model) paneWords(object objectState) []string {
	p := m.install.pane
	var words []string
	switch {
	case p.kind == paneNotes:
		words = noteWords(object.notes)
	case p.err != nil:
		words = []string{"could not be read: " + p.err.Error()}
	case p.kind == paneEvents:
		for _, e := range p.seen.Events {
			words = append(words, e.Time.Format("15:04:05")+" "+e.Reason+": "+e.Message)
		}
	case p.kind == paneLog && len(p.seen.Log) > 0:
		words = p.seen.Log
	case p.kind == paneLog:
		words = object.log
	}
	switch {
	case len(words) > 0:
		return words
	case p.looking:
		return []string{"reading…"}
	}
	return []string{"nothing yet"}
}

func noteWords(notes []note) []string {
	words := make([]string, 0, len(notes))
	for _, n := range notes {
		words = append(words, n.time.Format("15:04:05")+" "+n.words)
	}
	return words
}
