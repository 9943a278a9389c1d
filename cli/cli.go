// Package cli is the program's commands: it reads flags, environment and
// files, and shows results. main decides the exit codes.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Program is what the commands work with.
type Program struct {
	Version  string
	In       io.Reader
	Out      io.Writer // results
	Err      io.Writer // the interface and messages
	Getenv   func(string) string
	ExitCode func(error) int
}

// app is one run of the program.
type app struct {
	Program
	engine installer.Engine
	args   []string
	inputs inputs
	root   *cobra.Command
	lines  *bufio.Reader // what a person types to questions of a line
	log    runLog
}

// Run does what the arguments say and returns the exit code.
func Run(ctx context.Context, args []string, p Program) int {
	silenceLibraries()
	a := &app{Program: p, args: args}
	a.engine.Version = p.Version
	a.root = a.rootCommand()
	a.root.SetArgs(args)
	a.root.SetIn(p.In)
	a.root.SetOut(p.Out)
	a.root.SetErr(p.Err)
	code := a.ended(a.execute(ctx))
	a.endJournal(code)
	return code
}

// ended shows what went wrong, unless that was done, and gives the exit code.
func (a *app) ended(err error) int {
	if err == nil {
		return 0
	}
	var told alreadyTold
	if errors.As(err, &told) {
		return a.ExitCode(told.error)
	}
	err = asUsage(err)
	a.showProblems(err)
	return a.ExitCode(err)
}

// silenceLibraries keeps Helm and the Kubernetes client from writing over the
// screen. What they would say, our events and problems say.
func silenceLibraries() {
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}

// alreadyTold wraps an error that the command has shown itself.
type alreadyTold struct{ error }

func (a alreadyTold) Unwrap() error { return a.error }

// asUsage gives the errors of the flag parser, which are plain, the form and
// the kind that all others have.
func asUsage(err error) error {
	var list problem.List
	var one *problem.Problem
	if errors.As(err, &list) || errors.As(err, &one) {
		return err
	}
	message := err.Error()
	for _, usage := range []string{"unknown flag", "unknown shorthand", "unknown command", "flag needs an argument", "invalid argument", "accepts ", "requires ", "required flag"} {
		if strings.HasPrefix(message, usage) {
			return &problem.Problem{Kind: problem.Invalid, Cause: "usage", What: message, Fix: "See `cfwizard --help`.", Err: err}
		}
	}
	return err
}

// showProblems writes what happened, why, and how to fix it.
func (a *app) showProblems(err error) {
	for _, p := range problem.All(err) {
		journal.Note("problem", "cause", p.Cause, "what", p.Error(), "fix", p.Fix, "error", p.Err)
		where := strings.TrimPrefix(strings.Trim(p.Place+": "+p.Field, ": "), ": ")
		if where != "" {
			where += ": "
		}
		fmt.Fprintf(a.Err, "✗ %s%s\n", text.Line(where)+spaceAfter(where), text.Line(p.What))
		if p.Why != "" {
			fmt.Fprintf(a.Err, "  why: %s\n", text.Line(p.Why))
		}
		if p.Fix != "" {
			fmt.Fprintf(a.Err, "  fix: %s\n", text.Line(p.Fix))
		}
	}
}

func spaceAfter(s string) string {
	if s == "" {
		return ""
	}
	return " "
}

// canAsk reports whether there is a person at both ends.
func (a *app) canAsk() bool { return isTerminal(a.In) && isTerminal(a.Out) && isTerminal(a.Err) }

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "cfwizard", Short: "Install the Codefresh GitOps Runtime, guided and verified",
		Long: "cfwizard installs the Codefresh GitOps Runtime into a Kubernetes cluster.\n\n" +
			"Run it in a terminal for the wizard, or give an answers file to plan and install.\n" +
			"Every answer is also a flag (--runtime.name) and an environment variable (CFWIZARD_RUNTIME_NAME): see `cfwizard explain`.",
		SilenceUsage: true, SilenceErrors: true, Version: a.Version, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runWizard(cmd) },
	}
	root.SetVersionTemplate("cfwizard {{.Version}}\n")
	a.log.addTo(root)
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Flags().BoolVar(&a.inputs.dryRun, "dry-run", false, "everything but writing; ends by printing what would run")
	root.Flags().BoolVar(&a.inputs.plain, "plain", false, plainUsage)
	a.inputs.addTo(root)
	root.AddCommand(a.checkCommand(), a.doctorCommand(), a.planCommand(), a.imagesCommand(), a.installCommand(), a.upgradeCommand(), a.uninstallCommand(), a.checklistCommand(), a.resumeCommand(), a.sessionsCommand(), a.explainCommand(), a.versionCommand())
	return root
}

func (a *app) versionCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		return a.printVersion(output)
	}}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
