package ui

import (
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Terminal is where the wizard is shown.
type Terminal struct {
	In       io.Reader
	Out      io.Writer
	Renderer *lipgloss.Renderer
	// Ended is closed when the process is asked to end by a signal.
	Ended <-chan struct{}
}

// Run shows the wizard until it ends, and gives the terminal back whatever
// happens.
func Run(ctx context.Context, deps Deps, t Terminal) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	model := New(ctx, deps, t.Renderer)
	program := tea.NewProgram(model, tea.WithAltScreen(), tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithoutSignalHandler())
	go func() {
		select {
		case <-t.Ended:
			program.Send(InterruptMsg{})
		case <-ctx.Done():
		}
	}()
	last, err := program.Run()
	if final, ok := last.(Model); ok {
		return final.Outcome(), ignoreKilled(err)
	}
	return Outcome{Ending: Interrupted, Session: deps.Session}, err
}

func ignoreKilled(err error) error {
	if errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		return nil
	}
	return err
}
