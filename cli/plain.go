package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/cfwizard/cfwizard/ui"
	"github.com/cfwizard/cfwizard/ui/plain"
)

const plainUsage = "ask line by line, for screen readers and terminals that can only scroll"

// plainly reports whether the questions are asked line by line: because the
// person wants it, or because the terminal can do nothing else. Windows has no
// TERM.
func (a *app) plainly() bool {
	terminal := a.Getenv("TERM")
	return a.inputs.plain || terminal == "dumb" || (terminal == "" && runtime.GOOS != "windows")
}

// canSit reports whether the wizard has a person at both ends. Line by line it
// needs no terminal on standard error.
func (a *app) canSit() bool {
	if a.plainly() {
		return isTerminal(a.In) && isTerminal(a.Out)
	}
	return a.canAsk()
}

// sitPlainly runs the wizard line by line. Ctrl+c comes to it as often as it
// is pressed, since it asks before it stops an install.
func (a *app) sitPlainly(ctx context.Context, deps ui.Deps) ui.Outcome {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ended, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out := a.Err
	if !isTerminal(out) {
		out = a.Out
	}
	if !a.inputs.plain {
		fmt.Fprintln(out, "TERM says that this terminal can only scroll: asking line by line, as --plain does.")
	}
	return plain.Run(ctx, deps, plain.Terminal{In: a.In, Out: out, Interrupts: interrupts, Ended: ended.Done()})
}
