//go:build unix

package ui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// suspendGrace is how long the process may take to be stopped. Where no shell
// would continue it, it is not stopped at all, and the screen comes back.
const suspendGrace = 300 * time.Millisecond

// suspend gives the terminal back, stops the process until the shell continues
// it, and takes the terminal again. The library's own way waits for ever where
// the process cannot be stopped.
func suspend(program *tea.Program) {
	if program.ReleaseTerminal() != nil {
		return
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-continued:
	case <-time.After(suspendGrace):
	}
	_ = program.RestoreTerminal()
	program.Send(tea.EnableMouseCellMotion())
}
