package platform

import (
	"context"
	"slices"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Account is who the API key belongs to, and what the account has set.
type Account struct {
	ID               string
	Name             string
	User             string
	Admin            bool
	GitProvider      string
	GitAPIURL        string
	SharedConfigRepo string
}

// Account asks for the key's account.
func (c *Client) Account(ctx context.Context) (Account, error) {
	var data struct {
		Me *struct {
			ID, Name      string
			ActiveAccount *struct {
				ID, Name                                 string
				GitProvider, GitAPIURL, SharedConfigRepo string
				Admins                                   []string
			}
		}
	}
	const query = `query Me { me { id name activeAccount { id name gitProvider gitApiUrl sharedConfigRepo admins } } }`
	if err := c.query(ctx, query, nil, &data); err != nil {
		return Account{}, err
	}
	if data.Me == nil || data.Me.ActiveAccount == nil {
		return Account{}, &problem.Problem{Kind: problem.Refused, Cause: "no-account", Field: "codefresh.apiKey",
			What: "the API key belongs to no account", Fix: "Create a key while the right account is active in Codefresh."}
	}
	account := data.Me.ActiveAccount
	return Account{
		ID: text.Line(account.ID), Name: text.Line(account.Name), User: text.Line(data.Me.Name),
		// isAdmin of the user means admin of the whole platform; this is what counts.
		Admin:       slices.Contains(account.Admins, data.Me.ID),
		GitProvider: text.Line(account.GitProvider), GitAPIURL: text.Line(account.GitAPIURL), SharedConfigRepo: text.Line(account.SharedConfigRepo),
	}, nil
}

// Runtime is what Codefresh knows of a runtime.
type Runtime struct {
	Name               string
	Namespace          string
	IngressHost        string
	InstallationStatus string
	Version            string
}

// Runtime asks for a runtime by name; found is false when there is none.
func (c *Client) Runtime(ctx context.Context, name string) (runtime Runtime, found bool, err error) {
	var data struct {
		Runtime *struct {
			Metadata                                        struct{ Name, Namespace string }
			IngressHost, InstallationStatus, RuntimeVersion string
		}
	}
	const query = `query GetRuntime($name: String!) { runtime(name: $name) { metadata { name namespace } ingressHost installationStatus runtimeVersion } }`
	if err := c.query(ctx, query, map[string]any{"name": name}, &data); err != nil {
		return Runtime{}, false, err
	}
	if data.Runtime == nil {
		return Runtime{}, false, nil
	}
	r := data.Runtime
	return Runtime{Name: text.Line(r.Metadata.Name), Namespace: text.Line(r.Metadata.Namespace), IngressHost: text.Line(r.IngressHost),
		InstallationStatus: text.Line(r.InstallationStatus), Version: text.Line(r.RuntimeVersion)}, true, nil
}

// ShareConfiguration sets the account's Git provider and shared-configuration
// repository, and reads them back: the answer alone proves nothing.
func (c *Client) ShareConfiguration(ctx context.Context, provider, apiURL, repository string) error {
	const mutation = `mutation updateCsdpSettings($gitProvider: GitProviders!, $gitApiUrl: String!, $sharedConfigRepo: String!) {
  updateCsdpSettings(gitProvider: $gitProvider, gitApiUrl: $gitApiUrl, sharedConfigRepo: $sharedConfigRepo) }`
	var ignored struct{}
	if err := c.query(ctx, mutation, map[string]any{"gitProvider": provider, "gitApiUrl": apiURL, "sharedConfigRepo": repository}, &ignored); err != nil {
		return err
	}
	account, err := c.Account(ctx)
	if err != nil {
		return err
	}
	if account.SharedConfigRepo != repository {
		return &problem.Problem{Kind: problem.Refused, Cause: "settings-not-kept", Field: "git.sharedConfigRepo",
			What: "Codefresh did not keep the shared-configuration repository", Why: "It says " + account.SharedConfigRepo + ".",
			Fix: "Set it in Codefresh, under Account Settings, and run again."}
	}
	return nil
}
