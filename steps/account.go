package steps

import (
	"context"
	"os"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func accountStep() Step {
	return Step{
		ID: "account", Title: "Account",
		Why: "The runtime registers with your Codefresh account, with a key of an account admin.",
		Fields: []Field{
			{Path: "codefresh.url", Kind: Text},
			{Path: "codefresh.apiKey", Kind: Hidden, Origin: keyOrigin},
		},
		Probes: []Probe{{
			ID: "account", Title: "Asking Codefresh whose key it is", Inputs: []string{"codefresh.url", "codefresh.apiKey"}, Needed: true, Run: askAccount,
		}},
	}
}

func keyOrigin(s State) string {
	ref := s.Answers.Codefresh.APIKey
	if ref.Env != "" && !s.Typed["codefresh.apiKey"] && os.Getenv(ref.Env) != "" {
		return "taken from " + ref.Env
	}
	return ""
}

func askAccount(ctx context.Context, e Engine, s State) Outcome {
	account, err := e.Account(ctx, s.Answers)
	if err != nil && problem.All(err)[0].Cause == "secret-missing" {
		return Outcome{} // nobody was asked for it yet
	}
	if err != nil {
		return Outcome{Checks: check.FromError("account.key", "account", err), Learn: func(s *State) { s.Found.Account = nil }}
	}
	checks := []check.Check{{ID: "account.key", Scope: "account", Status: check.Pass, Field: "codefresh.apiKey",
		Title: "account " + account.Name + ", as " + account.User, Evidence: account.ID}}
	if !account.Admin {
		checks = append(checks, check.Check{ID: "account.admin", Scope: "account", Status: check.Fail, Field: "codefresh.apiKey",
			Title: account.User + " is not an admin of account " + account.Name, Why: "The chart refuses the key of anyone else.",
			Fix: "Use a key of an account admin."})
	}
	return Outcome{Checks: checks, Learn: func(s *State) {
		s.Found.Account = &account
		s.Answers.Codefresh.AccountID = account.ID
	}}
}
