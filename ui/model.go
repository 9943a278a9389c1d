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
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// Engine does the work that the wizard asks for.
type Engine interface {
	steps.Engine
	steps.Machine
	Repair(context.Context, answers.Answers, check.Repair) (repair.Record, error)
	Install(context.Context, plan.Plan, release.Sink) (release.Result, error)
	CloseUp(context.Context, answers.Answers, release.Object) (release.CloseUp, error)
	Bundle(ctx context.Context, p plan.Plan, failure error) (path string, err error)
	Checklist(context.Context, answers.Answers) ([]checklist.Item, error)
	DoItem(ctx context.Context, a answers.Answers, id string, given checklist.Given) (told string, err error)
	ChooseItem(ctx context.Context, a answers.Answers, id, choice string) error
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
	Open  func(id string) (session.Session, plan.Sources, error)
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
	Detached // from an installation that goes on in the cluster
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
	work      work // that a repair or an item is

	session session.Session
	resumed bool // it was there before this sitting
	unsaved error
	outcome Outcome
}

// New makes the wizard. The context ends its background work.
func New(ctx context.Context, deps Deps, r *lipgloss.Renderer) Model {
	deps = deps.Held()
	m := Model{ctx: ctx, deps: deps, keys: newKeyMap(), theme: newTheme(r), steps: steps.List(), width: 80, height: 24}
	m.welcome = newWelcome(deps, m.theme)
	return m.begin(deps.Session, deps.Resume, deps.Sources)
}

// begin takes up a session from its answers on.
func (m Model) begin(s session.Session, resumed bool, sources plan.Sources) Model {
	m.session, m.resumed = s, resumed
	m.state = steps.Begin(m.ctx, m.deps.Engine, s.Answers)
	m.state.Found.Sources, m.state.Found.Earlier = sources, m.deps.Earlier
	m.drafts, m.probes = map[string]string{}, m.forgotten()
	m.done = m.savedDone()
	m.at = m.startPage()
	m.form = m.newForm()
	m.review = m.newReview()
	return m
}

// startPage is the first, or where a resumed sitting goes on.
func (m Model) startPage() int {
	if !m.resumed {
		return 0
	}
	at := steps.StartAt(m.steps, m.session, func(field string) bool {
		return m.deps.Engine.SecretMissing(m.ctx, m.state.Answers, field) != nil
	})
	if at == m.reviewPage() && m.session.Stage == session.Installed {
		return m.checklistPage()
	}
	return at
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
	for i := range steps.StartAt(m.steps, m.session, func(string) bool { return false }) {
		if len(m.session.Done) == 0 {
			done[m.steps[i].ID] = true
		}
	}
	return done
}

func (m Model) stepIndex(id string) int { return steps.Place(m.steps, id) }

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
