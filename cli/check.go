package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

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
	return a.checkAnswers(cmd, gathered)
}

// checkAnswers runs the wizard's own probes, then judges the answers with what
// they found out. Probes that were broken off judge nothing.
func (a *app) checkAnswers(cmd *cobra.Command, gathered answers.Answers) ([]check.Check, error) {
	ctx := cmd.Context()
	checks, state := steps.Gather(ctx, &a.engine, steps.State{Answers: gathered})
	_, err := a.engine.Plan(ctx, state.Answers, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, p := range problem.All(a.withPlaces(cmd, err)) {
		checks = append(checks, check.Check{ID: "answers." + p.Field, Title: p.What, Scope: "answers", Status: check.Fail, Why: p.Why, Fix: p.Fix, Evidence: p.Place, Field: p.Field})
	}
	if err == nil {
		checks = append(checks, check.Check{ID: "answers", Title: "the answers are complete", Scope: "answers", Status: check.Pass})
	}
	return checks, nil
}

func (a *app) showChecks(checks []check.Check, output string) error {
	if output == "json" {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(map[string]any{"ok": check.Worst(checks) != check.Fail, "checks": append([]check.Check{}, checks...)})
	}
	for _, scope := range scopes(checks) {
		fmt.Fprintf(a.Out, "%s\n", scope)
		for _, c := range checks {
			if c.Scope == scope {
				a.showCheck(a.Out, c)
			}
		}
	}
	return nil
}

var checkMarks = map[check.Status]string{check.Pass: "✓ pass", check.Warn: "! warn", check.Fail: "✗ fail", check.Skip: "– skip"}

// showCheck writes one check; what is wrong comes with why and how to fix it.
func (a *app) showCheck(out io.Writer, c check.Check) {
	fmt.Fprintf(out, "  %s  %s\n", checkMarks[c.Status], text.Line(c.Title))
	if c.Status != check.Warn && c.Status != check.Fail {
		return
	}
	for _, line := range [][2]string{{"at", c.Evidence}, {"why", c.Why}, {"fix", c.Fix}} {
		if line[1] == "" {
			continue
		}
		block := strings.TrimRight(text.Block(line[1]), "\n")
		fmt.Fprintf(out, "          %s: %s\n", line[0], strings.ReplaceAll(block, "\n", "\n            "))
	}
	if c.Repair != nil {
		fmt.Fprintf(out, "          cfwizard can do this: cfwizard doctor --fix\n")
	}
}

// scopes are the groups in the order of their first check.
func scopes(checks []check.Check) []string {
	var order []string
	for _, c := range checks {
		if !slices.Contains(order, c.Scope) {
			order = append(order, c.Scope)
		}
	}
	return order
}

// verdict is the exit code's reason: the checks themselves were shown.
func verdict(checks []check.Check, strict bool) error {
	counts := map[check.Status]int{}
	unreachable, refused := false, 0
	for _, c := range checks {
		counts[c.Status]++
		if c.Status != check.Fail {
			continue
		}
		unreachable = unreachable || (c.ID == "cluster.reachable" && c.Kind == problem.Unreachable)
		if c.Kind == problem.Refused {
			refused++
		}
	}
	failed := counts[check.Fail]
	if index := slices.IndexFunc(checks, func(c check.Check) bool { return c.ID == "cluster.reachable" && c.Kind == problem.Invalid }); index >= 0 {
		return alreadyTold{&problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Field: checks[index].Field, What: checks[index].Title}}
	}
	switch {
	case unreachable:
		return alreadyTold{&problem.Problem{Kind: problem.Unreachable, Cause: "cluster-unreachable", What: "the cluster does not answer"}}
	case failed > 0 && failed == refused:
		return alreadyTold{&problem.Problem{Kind: problem.Refused, Cause: "refused", What: "Codefresh or the Git provider refused"}}
	case failed > 0:
		return alreadyTold{&problem.Problem{Kind: problem.CheckFailed, Cause: "check-failed", What: text.Plural(failed, "check") + " failed"}}
	case counts[check.Warn] > 0 && strict:
		return alreadyTold{&problem.Problem{Kind: problem.WarningsOnly, Cause: "warnings", What: text.Plural(counts[check.Warn], "warning")}}
	}
	return nil
}
