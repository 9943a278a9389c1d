package ui

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Crash is a defect of this program that showed itself: what panicked, and
// where. It may hold anything, so it is shown to nobody before it is redacted.
type Crash struct {
	What  string
	Stack string
}

func (c *Crash) Error() string { return "the program broke: " + c.What }

func crashOf(cause any, stack []byte) *Crash {
	return &Crash{What: fmt.Sprint(cause), Stack: string(stack)}
}

// problem is how a crash of an installation is shown: the rest of the program
// is whole, and one may retry.
func (c *Crash) problem() *problem.Problem {
	return &problem.Problem{Kind: problem.Internal, Cause: "crashed", What: "the installer broke", Why: "This is a defect of cfwizard. What is in the cluster stays as it is.",
		Fix: "Retry, or save the evidence and report it.", Err: c}
}

// Broke is how a panic of the engine is told, which nobody else could tell. What
// it was is in the log, without secrets.
func Broke(cause any) error {
	crash := crashOf(cause, debug.Stack())
	journal.Note("crashed", "cause", crash.What, "stack", crash.Stack)
	return crash.problem()
}

type crashedMsg struct{ crash *Crash }

// guarded is the model behind a net: what panics in it, in a command or while
// it is drawn ends the program in the usual way, which gives the terminal back.
type guarded struct {
	model  Model
	crash  *Crash
	broken chan *Crash // holds one that came while a frame was drawn
}

func (g *guarded) Init() tea.Cmd { return g.guard(g.model.Init()) }

func (g *guarded) Update(msg tea.Msg) (next tea.Model, command tea.Cmd) {
	if crashed, is := msg.(crashedMsg); is {
		return g.broke(crashed.crash)
	}
	defer func() {
		if cause := recover(); cause != nil {
			next, command = g.broke(crashOf(cause, debug.Stack()))
		}
	}()
	updated, command := g.model.Update(msg)
	g.model = updated.(Model)
	return g, g.guard(command)
}

func (g *guarded) broke(crash *Crash) (tea.Model, tea.Cmd) {
	if g.crash == nil {
		g.crash = crash
	}
	return g, tea.Quit
}

// View cannot end the program itself: it has that told as a message.
func (g *guarded) View() (frame string) {
	defer func() {
		if cause := recover(); cause != nil {
			frame = ""
			select {
			case g.broken <- crashOf(cause, debug.Stack()):
			default:
			}
		}
	}()
	return g.model.View()
}

// guard has a command tell its panic as a message, also each of a batch.
func (g *guarded) guard(command tea.Cmd) tea.Cmd {
	if command == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = crashedMsg{crashOf(cause, debug.Stack())}
			}
		}()
		msg = command()
		if batch, is := msg.(tea.BatchMsg); is {
			for i := range batch {
				batch[i] = g.guard(batch[i])
			}
		}
		return msg
	}
}
