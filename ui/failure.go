package ui

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

const (
	bundleTimeout = 40 * time.Second
	evidenceLines = 6
)

// failure is the end of an installation that did not go well.
type failure struct {
	problem *problem.Problem
	err     error
	line    int    // that is kept in sight
	saving  bool   // the evidence
	told    string // what came of that
}

type bundledMsg struct {
	generation int
	path       string
	err        error
}

func (m Model) failureKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.retry):
		return m.startInstall()
	case key.Matches(msg, m.keys.next):
		return m.backToCause()
	case key.Matches(msg, m.keys.back):
		return m.goTo(m.reviewPage())
	case key.Matches(msg, m.keys.bundle):
		return m.saveEvidence()
	case key.Matches(msg, m.keys.keep):
		return m.leave(InstallFailed)
	case key.Matches(msg, m.keys.down):
		m.install.failure.line = min(m.install.failure.line+1, max(len(m.failureView().body)-1, 0))
	case key.Matches(msg, m.keys.up):
		m.install.failure.line = max(m.install.failure.line-1, 0)
	}
	return m, nil
}

// backToCause leads to the answer that made the installation fail.
func (m Model) backToCause() (tea.Model, tea.Cmd) {
	if m.install.failure.problem == nil {
		return m, nil
	}
	at, known := m.causePage()
	if !known {
		return m.goTo(m.reviewPage())
	}
	next, command := m.goTo(at)
	return next.(Model).showProblem(m.install.failure.problem), command
}

// causePage is the step that asks for the answer which the failure is about.
func (m Model) causePage() (int, bool) {
	return steps.PlaceOf(m.steps, m.install.failure.problem.Field)
}

// saveEvidence keeps what can be seen of the failure in an archive.
func (m Model) saveEvidence() (tea.Model, tea.Cmd) {
	if m.install.failure.saving || m.install.failure.problem == nil {
		return m, nil
	}
	m.install.failure.saving, m.install.failure.told = true, "saving the evidence…"
	engine, built, failed, parent, generation := m.deps.Engine, m.outcome.Plan, m.install.failure.err, m.ctx, m.install.generation
	return m, func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, bundleTimeout)
		defer cancel()
		path, err := engine.Bundle(ctx, built, failed)
		return bundledMsg{generation: generation, path: path, err: err}
	}
}

func (m Model) bundled(msg bundledMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.install.generation || m.install.running {
		return m, nil
	}
	m.install.failure.saving = false
	m.install.failure.told = "The evidence, without secrets, is in " + msg.path
	if msg.err != nil {
		m.install.failure.told = "The evidence could not be saved: " + msg.err.Error()
	}
	return m, nil
}

func (m Model) failureView() page {
	width, f := m.bodyWidth(), m.install.failure
	title := m.theme.fail.Render(glyphFail) + " " + m.theme.title.Render("Installing "+m.state.Answers.Runtime.Name+" failed")
	if f.problem.Kind == problem.Interrupted {
		title = m.theme.warn.Render(glyphWarn) + " " + m.theme.title.Render("Installing "+m.state.Answers.Runtime.Name+" was stopped")
	}
	p := page{focus: f.line, help: m.failureHelp()}
	p.body = m.gap([]string{m.spread(title, m.theme.faint.Render("after "+clock(m.install.now.Sub(m.install.began))), width)})
	if f.told != "" {
		p.body = m.gap(append(p.body, hang("", f.told, width, "")...))
	}
	for _, part := range []struct{ label, text string }{{"What", sentence(f.problem.What)}, {"Why", f.problem.Why}, {"Fix", f.problem.Fix}} {
		if part.text != "" {
			p.body = m.gap(append(p.body, hang(m.theme.strong.Render(pad(part.label, 6)), part.text, width, "")...))
		}
	}
	p.body = append(p.body, m.evidence(width)...)
	if m.height >= roomyHeight {
		p.body = append(p.body, m.failureChoices(width)...)
	}
	return p
}

// sentence begins with a capital and ends with a point.
func sentence(words string) string {
	runes := []rune(words)
	if len(runes) == 0 {
		return ""
	}
	runes[0] = unicode.ToUpper(runes[0])
	return strings.TrimRight(string(runes), ".") + "."
}

// evidence is what could be seen last: of the object that failed, else of all.
func (m Model) evidence(width int) []string {
	seen := m.install.progress.log
	for _, hook := range m.install.progress.hooks {
		if hook.state == release.Failed && len(hook.log) > 0 {
			seen = hook.log
		}
	}
	if len(seen) == 0 {
		return nil
	}
	var lines []string
	for i, line := range newest(seen, evidenceLines) {
		label := pad("", 6)
		if i == 0 {
			label = m.theme.strong.Render(pad("Seen", 6))
		}
		lines = append(lines, ansi.Truncate(label+m.theme.faint.Render(text.Line(line)), width, "…"))
	}
	return m.gap(lines)
}

// causeName is what enter leads to.
func (m Model) causeName() string {
	if _, known := m.causePage(); known {
		about, _ := answers.FieldAt(m.install.failure.problem.Field)
		return about.Title
	}
	return "the review"
}

func (m Model) failureHelp() string {
	keys := []key.Binding{named(m.keys.next, m.causeName()), m.keys.retry, named(m.keys.bundle, "evidence"), named(m.keys.keep, "leave"), named(m.keys.back, "review")}
	if m.width < sideFromCols {
		keys = append([]key.Binding{named(m.keys.next, "back")}, keys[1:4]...)
	}
	return helpLine(keys...)
}

// failureChoices say in full what the keys do.
func (m Model) failureChoices(width int) []string {
	var words []string
	for _, b := range []key.Binding{named(m.keys.next, "back to "+m.causeName()), named(m.keys.retry, "retry as it is"), named(m.keys.bundle, "save the evidence"),
		named(m.keys.keep, "keep what is there and leave")} {
		words = append(words, pad(m.theme.strong.Render(pad(b.Help().Key, 6))+" "+b.Help().Desc, 42))
	}
	return pack(words, " ", width)
}
