package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

// installFlags are what is agreed to.
type installFlags struct {
	output          string
	yes, skipChecks bool
}

func (a *app) installCommand() *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{Use: "install -f FILE --yes", Short: "Check, install and verify, without questions", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.output != "text" && flags.output != "json" {
				return unknownOutput(flags.output, "text, json")
			}
			return a.toldAsJSON(cmd.Context(), a.install(cmd, flags), flags.output)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().BoolVar(&flags.yes, "yes", false, "install without asking")
	cmd.Flags().BoolVar(&flags.skipChecks, "skip-checks", false, "install although checks would fail")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	return cmd
}

// install checks, installs and verifies. It asks nothing.
func (a *app) install(cmd *cobra.Command, flags installFlags) error {
	if !flags.yes {
		return &problem.Problem{Kind: problem.Invalid, Cause: "not-confirmed", Field: "--yes", What: "nothing is installed without your word",
			Fix: "Look at `cfwizard plan` with the same answers, then add --yes."}
	}
	built, err := a.buildPlan(cmd, true)
	if err != nil {
		return err
	}
	if !flags.skipChecks {
		if built, err = a.checkFirst(cmd, built, flags.output); err != nil {
			return err
		}
	}
	return a.installNew(cmd, built, flags.output)
}

// checkFirst makes every check before anything is written. What fails stops the
// install. What was left for the cluster to tell becomes part of the plan.
func (a *app) checkFirst(cmd *cobra.Command, built plan.Plan, output string) (plan.Plan, error) {
	ctx := cmd.Context()
	if err := a.engine.SecretMissing(ctx, built.Answers(), "codefresh.apiKey"); err != nil {
		return built, a.withPlaces(cmd, err)
	}
	checks, state := steps.Gather(ctx, &a.engine, steps.State{Answers: built.Answers()})
	if ctx.Err() != nil {
		return built, ctx.Err() // checks that were broken off judge nothing
	}
	open := []check.Check{}
	for _, c := range checks {
		if output == "json" {
			a.tellJSON(release.Event{Time: time.Now(), Type: release.CheckEvent, State: checkStates[c.Status], Message: text.Line(c.ID + ": " + c.Title)})
		}
		if c.Status == check.Fail || c.Status == check.Warn {
			open = append(open, c)
		}
	}
	if output == "text" {
		fmt.Fprintf(a.Err, "%s made, %d to look at\n", text.Plural(len(checks), "check"), len(open))
		for _, c := range open {
			a.showCheck(a.Err, c)
		}
	}
	if err := verdict(checks, false); err != nil {
		return built, a.checksFailed(err, open, output)
	}
	if state.Answers.Access.Ingress.Controller == built.Answers().Access.Ingress.Controller {
		return built, nil
	}
	return a.engine.Plan(ctx, state.Answers, false)
}

var checkStates = map[check.Status]release.State{check.Pass: release.Ready, check.Warn: release.Waiting, check.Fail: release.Failed, check.Skip: release.Skipped}

// checksFailed says how to go on, and ends the lines of JSON.
func (a *app) checksFailed(err error, open []check.Check, output string) error {
	if output != "json" {
		fmt.Fprintln(a.Err, "Nothing was written. Mend what failed, or add --skip-checks if you know better.")
		return err
	}
	for _, c := range open {
		if c.Status == check.Fail {
			a.tellJSON(release.Event{Time: time.Now(), Type: release.ProblemEvent, State: release.Failed, Message: text.Sentences(c.Title, c.Why, c.Fix), Cause: c.ID})
		}
	}
	_ = a.doneJSON(err, "checks failed; nothing was written")
	return err
}

// installPlan installs and tells each step as text or as lines of JSON.
func (a *app) installPlan(cmd *cobra.Command, built plan.Plan, output string) error {
	began := time.Now()
	tell := a.tellText(began)
	if output == "json" {
		tell = a.tellJSON
	}
	result, err := a.engine.Install(cmd.Context(), built, tell)
	if err != nil {
		return a.installFailed(cmd, built, err)
	}
	if output != "json" {
		fmt.Fprintf(a.Out, "Release %s, revision %d, chart %s: deployed in %s.\n", result.Release, result.Revision, text.Line(result.Version), time.Since(began).Round(time.Second))
	}
	return nil
}

// installFailed keeps the evidence of what failed by itself.
func (a *app) installFailed(cmd *cobra.Command, built plan.Plan, err error) error {
	err = a.cutOff(cmd.Context(), err)
	if kind := problem.KindOf(err); (kind == problem.InstallFailed || kind == problem.TimedOut) && problem.All(err)[0].Cause != "installing-elsewhere" {
		if path, bundleErr := a.engine.Bundle(cmd.Context(), built, err); bundleErr == nil {
			fmt.Fprintf(a.Err, "The evidence, without secrets, is kept in %s\n", path)
		}
	}
	return err
}

// toldAsJSON tells what went wrong in lines of JSON too, and ends them,
// wherever it went wrong.
func (a *app) toldAsJSON(ctx context.Context, err error, output string) error {
	err = a.cutOff(ctx, err)
	var told alreadyTold
	if err == nil || output != "json" || errors.As(err, &told) {
		return err
	}
	for _, p := range problem.All(err) {
		a.tellJSON(release.Event{Time: time.Now(), Type: release.ProblemEvent, State: release.Failed, Message: text.Sentences(p.Error(), p.Fix), Cause: p.Cause})
	}
	a.showProblems(err)
	_ = a.doneJSON(err, "failed")
	return alreadyTold{err}
}

func (a *app) tellJSON(e release.Event) { _ = json.NewEncoder(a.Out).Encode(e) }

// doneJSON is the last line: whether it went well, and the exit code.
func (a *app) doneJSON(err error, message string) error {
	return json.NewEncoder(a.Out).Encode(map[string]any{
		"time": time.Now(), "type": release.DoneEvent, "ok": err == nil, "exitCode": a.ExitCode(err), "message": message,
	})
}

// tellText writes a line for each phase, and for each change of an object
// that is worth one.
func (a *app) tellText(began time.Time) release.Sink {
	last, problems := map[string]string{}, map[string]bool{}
	return func(e release.Event) {
		line := ""
		switch {
		case e.Type == release.PhaseEvent && e.State == release.Started:
			line = "● " + string(e.Phase)
			if e.Message != "" {
				line += ": " + e.Message
			}
		case e.Type == release.ObjectEvent && e.Notable():
			line = fmt.Sprintf("  %s %s: %s", e.Object.Kind, e.Object.Name, e.Words())
		case e.Type == release.ProblemEvent && e.Problem != nil && !problems[e.Problem.Error()]:
			problems[e.Problem.Error()] = true
			line = "  ! " + e.Problem.Error() + ". " + e.Problem.Fix
		case e.Type == release.LogEvent:
			line = "  | " + e.Message
		}
		if line == "" || (e.Object != nil && last[e.Object.Name] == line) {
			return
		}
		if e.Object != nil {
			last[e.Object.Name] = line
		}
		fmt.Fprintf(a.Err, "%5.1fs %s\n", time.Since(began).Seconds(), text.Line(line))
	}
}
