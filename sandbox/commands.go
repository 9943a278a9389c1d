package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/sandbox/scenario"
	"github.com/cfwizard/cfwizard/sandbox/supervisor"
)

func command() *cobra.Command {
	root := &cobra.Command{Use: "sandbox", Short: "A Kubernetes cluster to try cfwizard on", SilenceUsage: true, SilenceErrors: true}
	dir := root.PersistentFlags().String("dir", filepath.Join(os.TempDir(), fmt.Sprintf("cfwizard-sandbox-%d", os.Getuid())), "the sandbox's folder")
	root.AddCommand(runCommand(), upCommand(dir), superviseCommand(dir), downCommand(dir), envCommand(dir), scenarioCommand(dir))
	return root
}

func downCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "down", Short: "Stop the sandbox", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		state, err := supervisor.ReadState(*dir)
		if err != nil {
			return err
		}
		// The supervisor may be gone before it has answered.
		_, _ = state.Ask("/stop", nil)
		return waitUntilGone(*dir, state.PID)
	}}
}

func waitUntilGone(dir string, pid int) error {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil {
			return os.RemoveAll(dir)
		}
	}
	return fmt.Errorf("the sandbox in %s did not stop within 30 s", dir)
}

func envCommand(dir *string) *cobra.Command {
	return &cobra.Command{Use: "env", Short: "Print what a shell needs: eval \"$(sandbox env)\"", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		state, err := supervisor.ReadState(*dir)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(state.Env)) {
			fmt.Printf("export %s='%s'\n", name, strings.ReplaceAll(state.Env[name], "'", `'\''`))
		}
		return nil
	}}
}

func scenarioCommand(dir *string) *cobra.Command {
	list := "The scenarios:\n"
	for _, name := range scenario.Names() {
		list += fmt.Sprintf("  %-20s %s\n", name, scenario.All[name].Meaning)
	}
	list += "  codefresh.SWITCH=VALUE and git.SWITCH=VALUE set a switch of a stand-in.\n"
	return &cobra.Command{Use: "scenario NAME…", Short: "Switch to other scenarios while it runs", Long: list, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			state, err := supervisor.ReadState(*dir)
			if err != nil {
				return err
			}
			text, err := state.Ask("/scenario", names)
			fmt.Print(text)
			return err
		}}
}
