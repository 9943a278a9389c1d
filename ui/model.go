// Package ui is the full-screen face of the wizard, drawn with bubbletea. It
// knows no cluster, no Helm and no HTTP: it shows steps and asks an engine.
package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// Engine does the work that the wizard asks for.
type Engine interface {
	steps.Engine
	Contexts(kubeconfig string) ([]string, string, error)
	KeyContexts() ([]platform.Context, error)
	SecretMissing(ctx context.Context, a answers.Answers, field string) error
	Repair(context.Context, answers.Answers, check.Repair) (repair.Record, error)
	Install(context.Context, plan.Plan, release.Sink) (release.Result, error)
	Checklist(context.Context, answers.Answers) ([]checklist.Item, error)
}

// Deps is what the wizard is given.
type Deps struct {
	Engine  Engine
	Session session.Session
	Sources plan.Sources // of the answers, read before the screen opens
	// Earlier are texts from other sittings, to begin from.
	Earlier map[string][]string
	Save    func(session.Session) error
	// Write saves a printed form to a new file and gives the name it chose.
	Write  func(name string, data []byte) (string, error)
	DryRun bool
	Resume bool
	Now    func() time.Time

	// Saved are the sessions that the welcome page offers; without any there is
	// no such page. Open goes over to one of them, Read takes answers from a file.
	Saved []session.Session
	Open  func(id string) (session.Session, error)
	Read  func(name string) (answers.Answers, error)
}

// Ending is how a sitting ended.
type Ending int

// The endings.
const (
	Left Ending = iota // by the person; the session is saved
	Interrupted
	Printed // the dry run's command is wanted
	Finished
	InstallFailed
)

// Outcome is what came of a sitting.
type Outcome struct {
	Ending  Ending
	Session session.Session
	Plan    plan.Plan
	Items   []checklist.Item
	Err     error
	Unsaved error // the last save failed
	// Untouched: nothing was begun, and so nothing saved.
	Untouched bool
}

// Model is the whole screen.
type Model struct {
	ctx   context.Context
	deps  Deps
	keys  keyMap
	theme theme

	width, height int

	steps     []steps.Step
	at        int // the page: a step, then review, install, checklist
	state     steps.State
	form      form
	done      map[string]bool   // the steps that were answered, by ID
	drafts    map[string]string // typed but not yet accepted, by field
	probes    map[string]probe
	overlay   overlay
	previewed []string // what the preview said last

	welcome   welcome
	review    review
	install   install
	checklist todo

	session session.Session
	resumed bool // it was there before this sitting
	unsaved error
	outcome Outcome
}

// New makes the wizard. The context ends its background work.
func New(ctx context.Context, deps Deps, r *lipgloss.Renderer) Model {
	m := Model{ctx: ctx, deps: deps, keys: newKeyMap(), theme: newTheme(r), steps: steps.List(), width: 80, height: 24}
	m.welcome = newWelcome(deps)
	return m.begin(deps.Session, deps.Resume, deps.Sources)
}

// begin takes up a session from its answers on.
func (m Model) begin(s session.Session, resumed bool, sources plan.Sources) Model {
	m.session, m.resumed = s, resumed
	m.state = steps.State{Answers: s.Answers.Clone(), Typed: map[string]bool{}, Found: steps.Found{Sources: sources, Earlier: m.deps.Earlier}}
	m.drafts, m.probes = map[string]string{}, m.forgotten()
	m.done = m.savedDone()
	m.findContexts()
	m.findKeys()
	m.at = m.startPage()
	m.form = m.newForm()
	return m
}

// findContexts offers what the kubeconfig holds. A kubeconfig that cannot be
// used shows as the cluster probe's problem.
func (m *Model) findContexts() {
	names, current, err := m.deps.Engine.Contexts(m.state.Answers.Cluster.Kubeconfig)
	if err != nil {
		return
	}
	m.state.Found.Contexts, m.state.Found.Current = names, current
	if m.state.Answers.Cluster.Context == "" {
		m.state.Answers.Cluster.Context = current
	}
}

// findKeys offers the Codefresh CLI's keys where no other is given. A file of
// its that cannot be read is as good as none.
func (m *Model) findKeys() {
	if m.deps.Engine.SecretMissing(m.ctx, m.state.Answers, "codefresh.apiKey") != nil {
		m.state.Found.KeyContexts, _ = m.deps.Engine.KeyContexts()
	}
}

// startPage is where a resumed sitting goes on: at the step it had reached,
// or earlier where a secret must be typed again.
func (m Model) startPage() int {
	if !m.resumed {
		return 0
	}
	if err := m.deps.Engine.SecretMissing(m.ctx, m.state.Answers, "codefresh.apiKey"); err != nil {
		return min(m.stepIndex("account"), m.savedPage())
	}
	if ref := m.state.Answers.Git.RuntimeToken; !ref.IsZero() && m.deps.Engine.SecretMissing(m.ctx, m.state.Answers, "git.runtimeToken") != nil {
		return min(m.stepIndex("tokens"), m.savedPage())
	}
	return m.savedPage()
}

// savedDone are the steps that were answered before. Older sessions do not
// name them: those are the ones before the step that was reached.
func (m Model) savedDone() map[string]bool {
	done := map[string]bool{}
	if !m.resumed {
		return done
	}
	for _, id := range m.session.Done {
		done[id] = true
	}
	for i := range m.savedPage() {
		if len(m.session.Done) == 0 {
			done[m.steps[i].ID] = true
		}
	}
	return done
}

func (m Model) savedPage() int {
	if m.session.Stage != session.Asking {
		return m.reviewPage()
	}
	return m.stepIndex(m.session.Step)
}

// stepIndex finds a step's page; an unknown one is the review when it is
// called so, else the first.
func (m Model) stepIndex(id string) int {
	for i, step := range m.steps {
		if step.ID == id {
			return i
		}
	}
	if id == "review" {
		return m.reviewPage()
	}
	return 0
}

func (m Model) reviewPage() int    { return len(m.steps) }
func (m Model) installPage() int   { return len(m.steps) + 1 }
func (m Model) checklistPage() int { return len(m.steps) + 2 }
func (m Model) pageCount() int     { return len(m.steps) + 3 }
func (m Model) onStep() bool       { return m.at < len(m.steps) }

// Outcome tells what came of the sitting, once the program has ended.
func (m Model) Outcome() Outcome {
	o := m.outcome
	o.Session, o.Unsaved = m.session, m.unsaved
	return o
}

// Init starts the probes that can run before anything is asked.
func (m Model) Init() tea.Cmd {
	return func() tea.Msg { return startedMsg{} }
}

type startedMsg struct{}
