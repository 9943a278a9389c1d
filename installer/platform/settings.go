package platform

import (
	"context"
	"strings"

	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// settings are the account's Git provider and shared-configuration repository.
type settings struct{ provider, apiURL, repository string }

func (a Account) settings() settings {
	return settings{a.GitProvider, a.GitAPIURL, a.SharedConfigRepo}
}

// agree compares what people and platforms write differently.
func (s settings) agree(other settings) bool {
	return strings.EqualFold(s.provider, other.provider) &&
		strings.EqualFold(strings.TrimRight(s.apiURL, "/"), strings.TrimRight(other.apiURL, "/")) &&
		sameRepository(s.repository, other.repository)
}

// open reports whether the wanted settings may be written over these: where
// nothing is set, or only half of just that.
func (s settings) open(wanted settings) bool {
	return s.repository == "" || s.provider == "" && sameRepository(s.repository, wanted.repository)
}

func sameRepository(a, b string) bool {
	first, _, errFirst := git.ParseSharedConfig(a, "")
	second, _, errSecond := git.ParseSharedConfig(b, "")
	if errFirst != nil || errSecond != nil {
		return a == b
	}
	return first.String() == second.String()
}

// ShareConfiguration sets the account's Git provider and shared-configuration
// repository, once: one that is set stays. It reads them back, since the
// answer alone proves nothing, and neither does its loss.
func (c *Client) ShareConfiguration(ctx context.Context, provider, apiURL, repository string) error {
	wanted := settings{provider, apiURL, repository}
	before, err := c.me(ctx)
	switch {
	case err != nil:
		return err
	case before.settings().agree(wanted):
		return nil
	case !before.settings().open(wanted):
		return c.otherwiseSet(before, wanted)
	}
	refusal := c.writeSettings(ctx, wanted)
	after, err := c.me(ctx)
	switch {
	case err == nil && after.settings().agree(wanted):
		return nil
	case err == nil && !after.settings().open(wanted):
		return c.otherwiseSet(after, wanted)
	case refusal != nil:
		return c.locked(refusal)
	case err != nil:
		return err
	}
	return &problem.Problem{Kind: problem.Refused, Cause: "settings-not-kept", Field: "git.sharedConfigRepo",
		What: "Codefresh did not keep the shared-configuration repository", Why: "It took the settings, and does not have them.", Fix: wayOut}
}

func (c *Client) writeSettings(ctx context.Context, s settings) error {
	const mutation = `mutation updateCsdpSettings($gitProvider: GitProviders!, $gitApiUrl: String!, $sharedConfigRepo: String!) {
  updateCsdpSettings(gitProvider: $gitProvider, gitApiUrl: $gitApiUrl, sharedConfigRepo: $sharedConfigRepo) }`
	var ignored struct{}
	return c.mutate(ctx, mutation, map[string]any{"gitProvider": s.provider, "gitApiUrl": s.apiURL, "sharedConfigRepo": s.repository}, &ignored)
}

const wayOut = "As an account admin, set it in Codefresh under Account Settings, and run again. " +
	"Once a runtime of the account has used a repository, only Codefresh support can change it."

// otherwiseSet tells of an account that has other settings than the wanted.
func (c *Client) otherwiseSet(account Account, wanted settings) error {
	p := &problem.Problem{Kind: problem.Refused, Cause: "settings-differ", Field: "git.sharedConfigRepo",
		What: "account " + account.Name + " has a shared-configuration repository already",
		Why:  "It is " + c.quote(account.SharedConfigRepo) + ", and an account has only one.",
		Fix:  "Leave git.sharedConfigRepo empty to use it. " + wayOut}
	if sameRepository(account.SharedConfigRepo, wanted.repository) {
		p.Field, p.What = "git.provider", "account "+account.Name+" has the repository, with another Git provider"
		p.Why = "It is " + c.quote(account.GitProvider+" at "+account.GitAPIURL) + "."
	}
	return p
}

// locked adds the way out to a refused write. What kept the write from
// arriving has its own.
func (c *Client) locked(refusal error) error {
	words, refused := hasSaid(refusal)
	cause := problem.All(refusal)[0].Cause
	if !refused || cause == causeUnauthorized || cause == causeRateLimited {
		return refusal
	}
	return &problem.Problem{Kind: problem.Refused, Cause: "settings-locked", Field: "git.sharedConfigRepo",
		What: "Codefresh refuses to set the shared-configuration repository", Why: "It says: " + words.Error() + ".",
		Fix: wayOut, Err: refusal}
}
