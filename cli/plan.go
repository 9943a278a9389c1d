package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

func (a *app) planCommand() *cobra.Command {
	var output string
	forms := []string{plan.ManifestForm}
	for _, form := range plan.Forms {
		forms = append(forms, form.Name)
	}
	cmd := &cobra.Command{Use: "plan -f FILE", Short: "Print what an install would do", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			built, err := a.buildPlan(cmd, false)
			if err != nil {
				return err
			}
			printed, err := printPlan(cmd.Context(), built, output)
			if err != nil {
				return err
			}
			_, err = a.Out.Write(printed)
			return err
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "command", strings.Join(forms, ", "))
	return cmd
}

func printPlan(ctx context.Context, built plan.Plan, output string) ([]byte, error) {
	if output != plan.ManifestForm {
		return built.Print(output)
	}
	fetched, err := release.FetchChart(ctx, built.Chart, built.Version)
	if err != nil {
		return nil, err
	}
	manifests, err := release.Manifests(built, fetched.Chart)
	return []byte(manifests), err
}

// buildPlan gathers the answers and makes the plan. Where the account ID is
// missing and may be asked for, the API key tells it.
func (a *app) buildPlan(cmd *cobra.Command, mayAsk bool) (plan.Plan, error) {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return plan.Plan{}, err
	}
	if gathered.Codefresh.AccountID == "" && mayAsk {
		if gathered, err = a.fillAccount(cmd.Context(), gathered); err != nil {
			return plan.Plan{}, err
		}
	}
	built, err := a.engine.Plan(cmd.Context(), gathered, !mayAsk)
	if err != nil {
		return plan.Plan{}, a.withPlaces(cmd, err)
	}
	for _, warning := range built.Warnings {
		fmt.Fprintf(a.Err, "! %s\n", text.Line(warning))
	}
	return built, nil
}

func (a *app) fillAccount(ctx context.Context, given answers.Answers) (answers.Answers, error) {
	account, err := a.engine.Account(ctx, given)
	if err != nil {
		return given, err
	}
	given.Codefresh.AccountID = account.ID
	return given, nil
}

// withPlaces says where in the file an invalid answer stands, or would stand,
// unless a flag or a variable gave it.
func (a *app) withPlaces(cmd *cobra.Command, err error) error {
	for _, p := range problem.All(err) {
		if p.Place != "" || p.Field == "" {
			continue
		}
		if field, known := answers.FieldAt(p.Field); known {
			if _, source := a.given(cmd, field); source != "" {
				p.Place = source
				continue
			}
		}
		if a.inputs.places != nil {
			p.Place = a.inputs.places.Of(p.Field)
		}
	}
	return err
}
