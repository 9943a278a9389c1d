package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/installer/valuesfile"
	"github.com/cfwizard/cfwizard/steps"
)

func (a *app) checkCommand() *cobra.Command {
	var output, values string
	var strict bool
	cmd := &cobra.Command{Use: "check [-f FILE]", Short: "Check cluster, account and answers; writes nothing", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "table" && output != "json" {
				return unknownOutput(output, "table, json")
			}
			checks, err := a.runChecks(cmd, values)
			if err != nil {
				return err
			}
			if err := a.showChecks(checks, output); err != nil {
				return err
			}
			return verdict(checks, strict)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	cmd.Flags().StringVar(&values, "values", "", "judge a Helm values file instead")
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with 4 when there are only warnings")
	return cmd
}

func (a *app) runChecks(cmd *cobra.Command, values string) ([]check.Check, error) {
	if values != "" {
		file, err := a.parseValues(values)
		if err != nil {
			return nil, err
		}
		return valuesfile.Judge(file), nil
	}
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return nil, err
	}
	return a.checkAnswers(cmd.Context(), cmd, gathered), nil
}

// checkAnswers runs the wizard's own probes, then judges the answers with what
// they found out.
func (a *app) checkAnswers(ctx context.Context, cmd *cobra.Command, gathered answers.Answers) []check.Check {
	state := steps.State{Answers: gathered}
	var checks []check.Check
	for _, step := range steps.List() {
		for _, probe := range step.Probes {
			outcome := probe.Run(ctx, &a.engine, state)
			checks = append(checks, outcome.Checks...)
			if outcome.Learn != nil {
				outcome.Learn(&state)
			}
		}
	}
	if err := a.engine.SecretMissing(ctx, gathered, "codefresh.apiKey"); err != nil {
		checks = append(checks, check.FromError("account.key", "account", err)...)
	}
	_, err := a.engine.Plan(state.Answers, true)
	for _, p := range problem.All(a.withPlaces(cmd, err)) {
		checks = append(checks, check.Check{ID: "answers." + p.Field, Title: p.What, Scope: "answers", Status: check.Fail, Why: p.Why, Fix: p.Fix, Evidence: p.Place})
	}
	if err == nil {
		checks = append(checks, check.Check{ID: "answers", Title: "the answers are complete", Scope: "answers", Status: check.Pass})
	}
	return checks
}

func (a *app) showChecks(checks []check.Check, output string) error {
	if output == "json" {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(map[string]any{"ok": check.Worst(checks) != check.Fail, "checks": checks})
	}
	marks := map[check.Status]string{check.Pass: "✓ pass", check.Warn: "! warn", check.Fail: "✗ fail", check.Skip: "– skip"}
	scope := ""
	for _, c := range checks {
		if c.Scope != scope {
			scope = c.Scope
			fmt.Fprintf(a.Out, "%s\n", scope)
		}
		fmt.Fprintf(a.Out, "  %s  %s\n", marks[c.Status], text.Line(c.Title))
		for _, line := range [][2]string{{"at", c.Evidence}, {"why", c.Why}, {"fix", c.Fix}} {
			if line[1] != "" && (c.Status == check.Warn || c.Status == check.Fail) {
				fmt.Fprintf(a.Out, "          %s: %s\n", line[0], text.Line(line[1]))
			}
		}
	}
	return nil
}

// verdict is the exit code's reason: the checks themselves were shown.
func verdict(checks []check.Check, strict bool) error {
	failed, warned := 0, 0
	unreachable := false
	for _, c := range checks {
		switch c.Status {
		case check.Fail:
			failed++
			unreachable = unreachable || c.ID == "cluster.reachable"
		case check.Warn:
			warned++
		}
	}
	switch {
	case unreachable:
		return alreadyTold{&problem.Problem{Kind: problem.Unreachable, Cause: "cluster-unreachable", What: "the cluster does not answer"}}
	case failed > 0:
		return alreadyTold{&problem.Problem{Kind: problem.CheckFailed, Cause: "check-failed", What: fmt.Sprintf("%d checks failed", failed)}}
	case warned > 0 && strict:
		return alreadyTold{&problem.Problem{Kind: problem.WarningsOnly, Cause: "warnings", What: fmt.Sprintf("%d warnings", warned)}}
	}
	return nil
}
