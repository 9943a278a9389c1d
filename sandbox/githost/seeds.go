package githost

import (
	"slices"
	"strings"
	"time"
)

// SeededToken finds a token that every new host knows, by its name. Every
// provider has good, missing-scope, read-only, expired and revoked.
func SeededToken(provider Provider, name string) (Token, bool) {
	tokens := seededTokens(time.Now())
	index := slices.IndexFunc(tokens, func(t Token) bool { return t.Provider == provider && t.Name == name })
	if index < 0 {
		return Token{}, false
	}
	return tokens[index], true
}

// seededTokens are the tokens of a new host. A cloud provider and its server
// edition know the same ones, but for single sign-on.
func seededTokens(now time.Time) []Token {
	var all []Token
	for _, provider := range Providers() {
		for _, token := range tokensOf(provider, now.UTC()) {
			token.Provider = provider
			if !token.SSORequired || provider == GitHub {
				all = append(all, token.completed())
			}
		}
	}
	return all
}

func tokensOf(provider Provider, now time.Time) []Token {
	switch provider {
	case GitHub, GitHubEnterprise:
		return gitHubTokens(now)
	case GitLab, GitLabServer:
		return gitLabTokens(now)
	case Bitbucket:
		return bitbucketTokens(now)
	default:
		return dataCenterTokens(now)
	}
}

func yesterday(now time.Time) time.Time { return now.AddDate(0, 0, -1) }

func inTenDays(now time.Time) time.Time { return now.AddDate(0, 0, 10) }

func inHalfAYear(now time.Time) time.Time { return now.AddDate(0, 6, 0) }

// gitHubTokens: the expiring one tells its end with an offset, the fine-grained
// ones in UTC, since GitHub does both.
func gitHubTokens(now time.Time) []Token {
	good := []string{"repo", "admin:repo_hook"}
	elsewhere := inTenDays(now).In(time.FixedZone("", 2*60*60))
	permissions := []string{"administration=write", "contents=write", "metadata=read", "pull_requests=write",
		"repository_hooks=write", "statuses=write"}
	return []Token{
		{Name: "good", Value: "ghp_sandboxgood", Scopes: good, Meaning: "enough for the runtime"},
		{Name: "user", Value: "ghp_sandboxuser", Scopes: []string{"repo"}, Meaning: "enough for a user, not for the runtime"},
		{Name: "missing-scope", Value: "ghp_sandboxbadscopes", Scopes: []string{"read:user"}, Meaning: "sees no private repository"},
		{Name: "read-only", Value: "ghp_sandboxreadonly", Scopes: good, Role: Reader, Meaning: "the right scopes of somebody who may only read"},
		{Name: "writer", Value: "ghp_sandboxwriter", Scopes: good, Role: Writer, Meaning: "may push, but not manage webhooks"},
		{Name: "expired", Value: "ghp_sandboxexpired", Scopes: good, ExpiresAt: yesterday(now), Meaning: "refused"},
		{Name: "expiring", Value: "ghp_sandboxexpiring", Scopes: good, ExpiresAt: elsewhere, Meaning: "good for ten more days"},
		{Name: "revoked", Value: "ghp_sandboxrevoked", Scopes: good, Revoked: true, Meaning: "refused"},
		{Name: "sso", Value: "ghp_sandboxsso", Scopes: good, SSORequired: true, Meaning: "not authorised for the organisation's single sign-on"},
		{Name: "fine-grained", Value: "github_pat_sandboxgood", FineGrained: true, Scopes: permissions,
			ExpiresAt: inHalfAYear(now), Meaning: "fine-grained, with every permission"},
		{Name: "fine-grained-read", Value: "github_pat_sandboxreadonly", FineGrained: true,
			Scopes: []string{"contents=read", "metadata=read"}, ExpiresAt: inHalfAYear(now), Meaning: "fine-grained, of an administrator, for reading only"},
	}
}

// gitLabTokens all end some day, because GitLab has no others since 16.0. They
// end at the beginning of that day.
func gitLabTokens(now time.Time) []Token {
	today := now.Truncate(24 * time.Hour)
	good, later := []string{"api"}, inHalfAYear(today)
	return []Token{
		{Name: "good", Value: "glpat-sandboxgood", Scopes: good, ExpiresAt: later, Meaning: "enough for the runtime"},
		{Name: "user", Value: "glpat-sandboxuser", Scopes: []string{"write_repository", "read_api"}, ExpiresAt: later,
			Meaning: "enough for a user, not for the runtime"},
		{Name: "missing-scope", Value: "glpat-sandboxbadscopes", Scopes: []string{"read_user"}, ExpiresAt: later, Meaning: "sees no project"},
		{Name: "read-only", Value: "glpat-sandboxreadonly", Scopes: good, ExpiresAt: later, Role: Reader, Meaning: "of a Reporter"},
		{Name: "writer", Value: "glpat-sandboxwriter", Scopes: good, ExpiresAt: later, Role: Writer, Meaning: "of a Developer, who may not manage webhooks"},
		{Name: "expired", Value: "glpat-sandboxexpired", Scopes: good, ExpiresAt: yesterday(today), Meaning: "refused"},
		{Name: "expiring", Value: "glpat-sandboxexpiring", Scopes: good, ExpiresAt: inTenDays(today), Meaning: "good for ten more days"},
		{Name: "revoked", Value: "glpat-sandboxrevoked", Scopes: good, ExpiresAt: later, Revoked: true, Meaning: "refused"},
		{Name: "project", Value: "glpat-sandboxproject", Scopes: good, ExpiresAt: later, Bot: true, Login: "project_1_bot_sandbox",
			Meaning: "a project token, which Codefresh refuses"},
		{Name: "group", Value: "glpat-sandboxgroup", Scopes: good, ExpiresAt: later, Bot: true, Login: "group_1_bot_sandbox", Meaning: "a group token"},
	}
}

func bitbucketTokens(now time.Time) []Token {
	good := []string{"read:user:bitbucket", "read:workspace:bitbucket", "read:repository:bitbucket",
		"write:repository:bitbucket", "admin:repository:bitbucket", "read:webhook:bitbucket", "write:webhook:bitbucket",
		"delete:webhook:bitbucket", "read:pullrequest:bitbucket", "write:pullrequest:bitbucket"}
	return []Token{
		{Name: "good", Value: "ATATTsandboxgood", Scopes: good, Meaning: "API token; REST wants the e-mail address as user, git wants ada"},
		{Name: "missing-scope", Value: "ATATTsandboxbadscopes", Scopes: []string{"read:user:bitbucket"}, Meaning: "sees no repository"},
		{Name: "read-only", Value: "ATATTsandboxreadonly", Scopes: good, Role: Reader, Meaning: "the right scopes of somebody who may only read"},
		{Name: "writer", Value: "ATATTsandboxwriter", Scopes: good, Role: Writer, Meaning: "may push, but not manage webhooks"},
		{Name: "expired", Value: "ATATTsandboxexpired", Scopes: good, ExpiresAt: yesterday(now), Meaning: "refused; no API tells when a token ends"},
		{Name: "revoked", Value: "ATATTsandboxrevoked", Scopes: good, Revoked: true, Meaning: "refused"},
		{Name: "access-token", Value: "ATCTTsandboxgood", Scopes: []string{"account:read", "team", "webhook", "repository:write", "repository:admin"},
			Meaning: "access token, with the scope names that the official validator looks for"},
		{Name: "app-password", Value: "ATBBsandboxold", Scopes: good, Revoked: true, Meaning: "an app password: refused since July 2026"},
	}
}

func dataCenterTokens(now time.Time) []Token {
	good := []string{"PROJECT_ADMIN", "REPO_ADMIN"}
	return []Token{
		{Name: "good", Value: "BBDC-sandboxgood", Scopes: good, Meaning: "enough for the runtime"},
		{Name: "missing-scope", Value: "BBDC-sandboxbadscopes", Scopes: []string{"PROJECT_READ", "REPO_WRITE"}, Meaning: "may push, but not administer"},
		{Name: "read-only", Value: "BBDC-sandboxreadonly", Scopes: []string{"PROJECT_READ", "REPO_READ"}, Role: Reader, Meaning: "may only read"},
		{Name: "expired", Value: "BBDC-sandboxexpired", Scopes: good, ExpiresAt: yesterday(now), Meaning: "refused; no API tells when a token ends"},
		{Name: "revoked", Value: "BBDC-sandboxrevoked", Scopes: good, Revoked: true, Meaning: "refused"},
		{Name: "project", Value: "BBDC-sandboxproject", Scopes: good, Bot: true, Meaning: "a project token, which git takes as Bearer only"},
	}
}

// seededRepos are the repositories of a new host. Bitbucket Cloud cannot
// archive any, and only GitHub's moved ones are known to redirect.
func seededRepos() []Repo {
	var all []Repo
	for _, provider := range Providers() {
		owner := "acme"
		if provider == BitbucketServer {
			owner = strings.ToUpper(owner)
		}
		for _, repo := range reposOfOwner(owner) {
			repo.Provider = provider
			archivable := provider != Bitbucket
			redirects := provider == GitHub || provider == GitHubEnterprise
			if (archivable || !repo.Archived) && (redirects || repo.MovedTo == "") {
				all = append(all, repo)
			}
		}
	}
	return all
}

func reposOfOwner(owner string) []Repo {
	return []Repo{
		{FullName: owner + "/isc", Branches: []string{"main", "develop", "feature/x"},
			Paths: []string{"README.md", "resources/codefresh/runtime.yaml"}, Meaning: "good; branches main, develop and feature/x"},
		{FullName: owner + "/empty", Empty: true, Meaning: "no commit, hence no branch"},
		{FullName: owner + "/protected", Protected: true, Meaning: "main takes no direct pushes from anybody"},
		{FullName: owner + "/readonly", Role: Reader, Meaning: "nobody may do more than read"},
		{FullName: owner + "/archived", Archived: true, Meaning: "archived: reading only"},
		{FullName: owner + "/moved", MovedTo: owner + "/isc", Meaning: "301 to " + owner + "/isc"},
	}
}
