package githost

import (
	"errors"
	"net/url"
	"slices"
	"strings"
)

// ProviderOf finds the provider that an account's settings name.
func ProviderOf(platformName, apiURL string) (Provider, bool) {
	address, err := url.Parse(apiURL)
	if err != nil || address.Host == "" {
		return "", false
	}
	provider := Provider(strings.ReplaceAll(strings.ToLower(platformName), "_", "-"))
	if provider == GitLab && address.Hostname() != webNames[GitLab] {
		provider = GitLabServer
	}
	return provider, slices.Contains(Providers(), provider)
}

// VerifyRuntimeToken judges a runtime's token as the chart's validator does, in
// its words. It knows no fine-grained tokens.
func (h *Host) VerifyRuntimeToken(provider Provider, secret string) error {
	token, standing := h.judge(provider, secret)
	switch provider {
	case GitHub, GitHubEnterprise:
		return gitHubScopes(token, secret)
	case GitLab, GitLabServer:
		return gitLabScopes(token)
	case Bitbucket:
		return bitbucketScopes(token)
	}
	switch {
	case standing != valid:
		return errors.New("invalid token")
	case !token.hasAny("PROJECT_ADMIN"):
		return errors.New(`git-token is invalid or missing required "Project admin" scope`)
	}
	return nil
}

func gitHubScopes(token Token, secret string) error {
	switch {
	case strings.HasPrefix(secret, "github_pat"):
		return errors.New("validation for github fine-grained PAT is not supported yet, please retry with --skip-permissions-validation or use a classic token")
	case token.Value == "":
		return errors.New("missing scopes header on response")
	case !token.hasAny("repo") || !token.hasAny("admin:repo_hook"):
		return errors.New("the provided token is missing one or more of the required scopes: repo, admin:repo_hook")
	}
	return nil
}

func gitLabScopes(token Token) error {
	switch {
	case token.Bot && strings.HasPrefix(token.Login, "project"):
		return errors.New("runtime git-token is invalid, project token is not exceptable")
	case !token.hasAny("api"):
		return errors.New(`git-token is invalid or missing required "api" scope`)
	}
	return nil
}

// bitbucketScopes looks for parts of scope names, as the validator does. It
// knows the names of access tokens, not those of API tokens.
func bitbucketScopes(token Token) error {
	told := strings.Join(token.Scopes, ", ")
	if told == "" {
		return errors.New("invalid token")
	}
	for _, anyOf := range [][]string{{"repository:admin"}, {"account:read", "account:write"}, {"team", "team:write"}, {"webhook"}} {
		if !slices.ContainsFunc(anyOf, func(scope string) bool { return strings.Contains(told, scope) }) {
			return errors.New("the provided token is missing one or more of the required scopes: repository:admin, account:read, team, webhook")
		}
	}
	return nil
}

// GoodForRuntime reports whether app-proxy can work with a runtime's token:
// it makes webhooks, for which a classic token of GitHub has a scope of its own.
func (h *Host) GoodForRuntime(provider Provider, secret string) bool {
	token, standing := h.judge(provider, secret)
	classic := (provider == GitHub || provider == GitHubEnterprise) && !token.FineGrained
	return standing == valid && scopeAccess(token) == adminAccess && (!classic || token.hasAny("admin:repo_hook"))
}

// GoodForUser reports whether app-proxy can commit with a person's own token.
func (h *Host) GoodForUser(provider Provider, secret string) bool {
	token, standing := h.judge(provider, secret)
	return standing == valid && scopeAccess(token) >= writeAccess
}
