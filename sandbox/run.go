package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/sandbox/supervisor"
)

// runCommand boots a sandbox for one command and stops it afterwards, however
// this process ends.
func runCommand() *cobra.Command {
	var scenarios []string
	cmd := &cobra.Command{Use: "run -- COMMAND…", Short: "Run a command in a sandbox of its own", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runIn(scenarios, args) }}
	cmd.Flags().StringArrayVar(&scenarios, "scenario", nil, "a scenario to start with; see `sandbox scenario --help`")
	return cmd
}

func runIn(scenarios, args []string) error {
	parent, err := os.MkdirTemp("", "cfwizard-sandbox-")
	if err != nil {
		return fmt.Errorf("making the sandbox folder: %w", err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "sandbox")
	started, err := launch(dir, scenarios, true, 4*time.Hour)
	if err != nil {
		return err
	}
	defer started.stop()
	state, err := supervisor.ReadState(dir)
	if err != nil {
		return err
	}
	command := exec.Command(args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = os.Environ()
	for name, value := range state.Env {
		command.Env = append(command.Env, name+"="+value)
	}
	// The command gets the terminal's signals itself; we stay to clean up.
	signal.Ignore(os.Interrupt, syscall.SIGQUIT)
	err = command.Run()
	if exit, failed := err.(*exec.ExitError); failed {
		started.stop()
		_ = os.RemoveAll(parent)
		os.Exit(max(exit.ExitCode(), 1))
	}
	return err
}
