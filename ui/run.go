package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

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
// happens. A defect of the program comes back as a *Crash.
func Run(ctx context.Context, deps Deps, t Terminal) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return New(ctx, deps, t.Renderer).show(ctx, t)
}

// show runs the model on the terminal.
func (m Model) show(ctx context.Context, t Terminal) (Outcome, error) {
	screen := &guarded{model: m, broken: make(chan *Crash, 1)}
	input := watchInput(t.In)
	var program *tea.Program
	program = tea.NewProgram(screen, tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithInput(input.reader()), tea.WithOutput(t.Out), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if _, is := msg.(tea.SuspendMsg); !is {
				return msg
			}
			go suspend(program)
			return nil
		}))
	go screen.watch(ctx, program, t.Ended, input.gone)
	_, err := program.Run()
	outcome := screen.model.Outcome()
	if screen.crash != nil {
		outcome.Ending = Interrupted
		return outcome, screen.crash
	}
	return outcome, ignoreKilled(err)
}

// framesPerSecond is twice the library's: a key must be seen within a frame of
// the terminal.
const framesPerSecond = 120

// watch tells the model what does not come as a message: signals, a terminal
// that is gone, and a frame that could not be drawn.
func (g *guarded) watch(ctx context.Context, program *tea.Program, ended, gone <-chan struct{}) {
	for {
		select {
		case <-ended:
			ended = nil
			program.Send(InterruptMsg{})
		case <-gone:
			gone = nil
			program.Send(InterruptMsg{})
		case crash := <-g.broken:
			program.Send(crashedMsg{crash})
		case <-ctx.Done():
			return
		}
	}
}

func ignoreKilled(err error) error {
	if errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		return nil
	}
	return err
}

// input is what the person types. It notices that nobody will type any more:
// the library would wait for ever.
type input struct {
	*os.File
	other io.Reader
	once  sync.Once
	gone  chan struct{}
}

func watchInput(r io.Reader) *input {
	file, _ := r.(*os.File)
	return &input{File: file, other: r, gone: make(chan struct{})}
}

// reader is the watched file, or what was given where that is no file.
func (i *input) reader() io.Reader {
	if i.File == nil {
		return i.other
	}
	return i
}

func (i *input) Read(p []byte) (int, error) {
	n, err := i.File.Read(p)
	if err != nil {
		i.once.Do(func() { close(i.gone) })
		return n, io.EOF
	}
	return n, nil
}
