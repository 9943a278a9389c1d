package steps

import (
	"context"
	"os"
	"slices"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/platform"
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
	standing, err := e.Standing(ctx, s.Answers)
	if err != nil && problem.All(err)[0].Cause == "secret-missing" {
		return Outcome{} // nobody was asked for it yet
	}
	if err != nil {
		return Outcome{Checks: check.FromError("account.key", "account", err), Learn: func(s *State) { s.Found.Account = nil }}
	}
	s.Found.Account, s.Found.Runtimes, s.Found.Limits = &standing.Account, standing.Runtimes, standing.Limits
	account := slices.DeleteFunc(judgeAccount(s), func(c check.Check) bool { return c.ID == "runtime.name" })
	return Outcome{Checks: account, Learn: func(s *State) {
		s.Found.Account, s.Found.Runtimes, s.Found.Limits = &standing.Account, standing.Runtimes, standing.Limits
		if !s.Unattended || s.Answers.Codefresh.AccountID == "" {
			s.Answers.Codefresh.AccountID = standing.Account.ID
		}
	}}
}

// judgeAccount applies the platform's rules. A person at the wizard installs
// into the key's account; an answers file may name another, which is told.
func judgeAccount(s State) []check.Check {
	want := platform.Wanted{RuntimeName: s.Answers.Runtime.Name, Namespace: s.Answers.Runtime.Namespace}
	if s.Unattended {
		want.AccountID = s.Answers.Codefresh.AccountID
	}
	return platform.Judge(*s.Found.Account, want, s.Found.Runtimes, s.Found.Limits)
}
