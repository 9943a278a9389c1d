package steps

import (
	"context"
	"os"
	"slices"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// accountInputs are the answers that say which account it is.
var accountInputs = []string{keyContext, "codefresh.url", "codefresh.apiKey"}

func accountStep() Step {
	return Step{
		ID: "account", Title: "Account",
		Why: "The runtime registers with your Codefresh account, with a key of an account admin.",
		Fields: []Field{
			keyContextField(),
			{Path: "codefresh.url", Kind: Text},
			{Path: "tls.platformCA", Kind: File, Optional: true, Applies: onPremises},
			{Path: "codefresh.apiKey", Kind: Hidden, Origin: keyOrigin, Applies: asksForKey},
		},
		Probes: []Probe{{
			ID: "account", Title: "Asking Codefresh whose key it is", Needed: true, Run: askAccount,
			Inputs: append([]string{"tls.platformCA"}, accountInputs...),
		}},
	}
}

func onPremises(s State) bool { return s.Answers.OnPremises() || s.Answers.TLS.PlatformCA != "" }

func keyOrigin(s State) string {
	ref := s.Answers.Codefresh.APIKey
	if ref.Env != "" && !s.Typed["codefresh.apiKey"] && os.Getenv(ref.Env) != "" {
		return "taken from " + ref.Env
	}
	return ""
}

func askAccount(ctx context.Context, e Engine, s State) Outcome {
	if c, found := contextOf(s); found {
		e.KeepSecret("codefresh.apiKey", c.Key)
	}
	standing, err := e.Standing(ctx, s.Answers)
	if err != nil && problem.All(err)[0].Cause == "secret-missing" && !s.Unattended {
		return Outcome{} // nobody was asked for it yet
	}
	if err != nil {
		return Outcome{Checks: check.FromError("account.key", "account", err), Learn: func(s *State) { s.Found.Account = nil }}
	}
	s.Found.Account, s.Found.Runtimes, s.Found.Limits = &standing.Account, standing.Runtimes, standing.Limits
	account := slices.DeleteFunc(judgeAccount(s), func(c check.Check) bool { return c.ID == "runtime.name" })
	account = append(account, otherRepository(s)...)
	return Outcome{Checks: account, Learn: func(s *State) {
		s.Found.Account, s.Found.Runtimes, s.Found.Limits = &standing.Account, standing.Runtimes, standing.Limits
		if !s.Unattended || s.Answers.Codefresh.AccountID == "" {
			s.Answers.Codefresh.AccountID = standing.Account.ID
		}
	}}
}

// otherRepository tells when the answers name another repository than the one
// that the account has: that one stays.
func otherRepository(s State) []check.Check {
	repo, _, _ := s.Answers.SharedConfig()
	own, _, err := git.ParseSharedConfig(s.Found.Account.SharedConfigRepo, "")
	if s.Answers.Git.SharedConfigRepo == "" || s.Found.Account.SharedConfigRepo == "" || (err == nil && own.String() == repo.String()) {
		return nil
	}
	return []check.Check{{ID: "account.other-config", Scope: "account", Status: check.Warn, Field: "git.sharedConfigRepo",
		Title: "the account has its shared configuration elsewhere", Why: "It is " + s.Found.Account.SharedConfigRepo + ", which stays.",
		Fix: "Leave git.sharedConfigRepo out; to change the account's, ask Codefresh support."}}
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
