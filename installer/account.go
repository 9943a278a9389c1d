package installer

import (
	"context"
	"os"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Standing asks Codefresh whose API key it is, and where its account stands.
func (e *Engine) Standing(ctx context.Context, a answers.Answers) (platform.Standing, error) {
	client, err := e.platform(ctx, a)
	if err != nil {
		return platform.Standing{}, err
	}
	return client.Standing(ctx)
}

// Account asks Codefresh whose API key it is.
func (e *Engine) Account(ctx context.Context, a answers.Answers) (platform.Account, error) {
	client, err := e.platform(ctx, a)
	if err != nil {
		return platform.Account{}, err
	}
	return client.Account(ctx)
}

// Runtime asks Codefresh for the runtime of the wanted name.
func (e *Engine) Runtime(ctx context.Context, a answers.Answers) (runtime platform.Runtime, found bool, err error) {
	client, err := e.platform(ctx, a)
	if err != nil {
		return platform.Runtime{}, false, err
	}
	return client.Runtime(ctx, a.Runtime.Name)
}

func (e *Engine) platform(ctx context.Context, a answers.Answers) (*platform.Client, error) {
	key, err := e.Vault.Find(ctx, a, "codefresh.apiKey", a.Codefresh.APIKey)
	if err != nil {
		return nil, err
	}
	if key.Empty() {
		return nil, &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: "codefresh.apiKey",
			What: "there is no API key", Fix: "Create one under User Settings, API Keys, in Codefresh."}
	}
	if a.TLS.PlatformCA == "" {
		return platform.New(a.Codefresh.URL, key), nil
	}
	ca, err := os.ReadFile(a.TLS.PlatformCA)
	if err != nil {
		return nil, &problem.Problem{Kind: problem.Invalid, Cause: "file-unreadable", Field: "tls.platformCA", What: a.TLS.PlatformCA + " cannot be read",
			Why: err.Error(), Fix: "Check the path and its rights."}
	}
	return platform.New(a.Codefresh.URL, key, platform.WithCA(ca)), nil
}

// confirmAccount asks once more right before anything is written: a key can be
// revoked, and a plan fill up, between the check and the install.
func (e *Engine) confirmAccount(ctx context.Context, p plan.Plan) error {
	client, err := e.platform(ctx, p.Answers())
	if err != nil {
		return err
	}
	standing, err := client.Standing(ctx)
	if err != nil {
		return err
	}
	a := p.Answers()
	runtimes := standing.Runtimes
	if same, found, err := client.Runtime(ctx, a.Runtime.Name); err == nil && found {
		runtimes = append(runtimes, same)
	}
	want := platform.Wanted{AccountID: a.Codefresh.AccountID, RuntimeName: a.Runtime.Name, Namespace: a.Runtime.Namespace}
	for _, c := range platform.Judge(standing.Account, want, runtimes, standing.Limits) {
		if c.Status == check.Fail {
			return &problem.Problem{Kind: problem.Refused, Cause: c.ID, Field: c.Field, What: c.Title, Why: c.Why, Fix: c.Fix}
		}
	}
	return e.shareConfiguration(ctx, p, client, standing.Account)
}

// shareConfiguration sets the account's Git provider and shared repository
// once, for the first runtime of an account. One that is set stays.
func (e *Engine) shareConfiguration(ctx context.Context, p plan.Plan, client *platform.Client, account platform.Account) error {
	if p.Git.SharedConfigRepo == "" || account.SharedConfigRepo != "" {
		return nil
	}
	provider, _ := git.ProviderByID(p.Git.Provider)
	return client.ShareConfiguration(ctx, provider.Platform, p.Git.APIURL, p.Git.SharedConfigRepo)
}
