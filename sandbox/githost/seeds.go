package githost

import (
	"strings"
	"time"
)

// seed fills the host with what the package comment promises.
func (h *Host) seed() {
	for _, provider := range Providers() {
		h.seedRepos(provider)
	}
	for _, provider := range []Provider{GitHub, GitHubEnterprise} {
		h.seedTokens(provider, h.gitHubTokens())
	}
	for _, provider := range []Provider{GitLab, GitLabServer} {
		h.seedTokens(provider, h.gitLabTokens())
	}
	h.seedTokens(Bitbucket, h.bitbucketTokens())
	h.seedTokens(BitbucketServer, h.dataCenterTokens())
}

func (h *Host) seedRepos(provider Provider) {
	owner := "acme"
	if provider == BitbucketServer {
		owner = strings.ToUpper(owner)
	}
	h.AddRepo(Repo{Provider: provider, FullName: owner + "/isc", Branches: []string{"main", "develop", "feature/x"},
		Paths: []string{"README.md", "resources/codefresh/runtime.yaml"}})
	h.AddRepo(Repo{Provider: provider, FullName: owner + "/empty", Empty: true})
	h.AddRepo(Repo{Provider: provider, FullName: owner + "/protected", Protected: true})
	h.AddRepo(Repo{Provider: provider, FullName: owner + "/archived", Archived: true})
}

func (h *Host) seedTokens(provider Provider, tokens []Token) {
	for _, token := range tokens {
		token.Provider = provider
		if token.Login == "" {
			token.Login = "ada"
		}
		h.AddToken(token)
	}
}

func (h *Host) yesterday() time.Time { return h.now().Add(-24 * time.Hour) }

func (h *Host) inTenDays() time.Time { return h.now().Add(10 * 24 * time.Hour) }

func (h *Host) gitHubTokens() []Token {
	good := []string{"repo", "admin:repo_hook"}
	return []Token{
		{Value: "ghp_sandboxgood", Scopes: good},
		{Value: "ghp_sandboxuser", Scopes: []string{"repo"}},
		{Value: "ghp_sandboxbadscopes", Scopes: []string{"read:user"}},
		{Value: "ghp_sandboxreadonly", Scopes: good, ReadOnly: true},
		{Value: "ghp_sandboxexpired", Scopes: good, ExpiresAt: h.yesterday()},
		{Value: "ghp_sandboxexpiring", Scopes: good, ExpiresAt: h.inTenDays()},
		{Value: "ghp_sandboxrevoked", Scopes: good, Revoked: true},
		{Value: "ghp_sandboxsso", Scopes: good, SSORequired: true},
		{Value: "github_pat_sandboxgood", FineGrained: true, ExpiresAt: h.inTenDays().AddDate(0, 6, 0)},
		{Value: "github_pat_sandboxreadonly", FineGrained: true, ReadOnly: true, ExpiresAt: h.inTenDays().AddDate(0, 6, 0)},
	}
}

// gitLabTokens all end some day, because GitLab has no others since 16.0.
func (h *Host) gitLabTokens() []Token {
	good, later := []string{"api"}, h.inTenDays().AddDate(0, 6, 0)
	return []Token{
		{Value: "glpat-sandboxgood", Scopes: good, ExpiresAt: later},
		{Value: "glpat-sandboxuser", Scopes: []string{"write_repository", "read_api"}, ExpiresAt: later},
		{Value: "glpat-sandboxbadscopes", Scopes: []string{"read_user"}, ExpiresAt: later},
		{Value: "glpat-sandboxreadonly", Scopes: good, ExpiresAt: later, ReadOnly: true},
		{Value: "glpat-sandboxexpired", Scopes: good, ExpiresAt: h.yesterday()},
		{Value: "glpat-sandboxexpiring", Scopes: good, ExpiresAt: h.inTenDays()},
		{Value: "glpat-sandboxrevoked", Scopes: good, ExpiresAt: later, Revoked: true},
		{Value: "glpat-sandboxproject", Scopes: good, ExpiresAt: later, Bot: true, Login: "project_1_bot_sandbox"},
		{Value: "glpat-sandboxgroup", Scopes: good, ExpiresAt: later, Bot: true, Login: "group_1_bot_sandbox"},
	}
}

func (h *Host) bitbucketTokens() []Token {
	good := []string{"read:user:bitbucket", "read:workspace:bitbucket", "read:repository:bitbucket",
		"write:repository:bitbucket", "admin:repository:bitbucket", "read:webhook:bitbucket", "write:webhook:bitbucket",
		"delete:webhook:bitbucket", "read:pullrequest:bitbucket", "write:pullrequest:bitbucket"}
	return []Token{
		{Value: "ATATTsandboxgood", Scopes: good},
		{Value: "ATATTsandboxbadscopes", Scopes: []string{"read:user:bitbucket"}},
		{Value: "ATATTsandboxreadonly", Scopes: good, ReadOnly: true},
		{Value: "ATATTsandboxexpired", Scopes: good, ExpiresAt: h.yesterday()},
		{Value: "ATCTTsandboxgood", Scopes: []string{"account:read", "team", "webhook", "repository:write", "repository:admin"}},
		{Value: "ATBBsandboxold", Scopes: good, Revoked: true},
	}
}

func (h *Host) dataCenterTokens() []Token {
	good := []string{"PROJECT_ADMIN", "REPO_ADMIN"}
	return []Token{
		{Value: "BBDC-sandboxgood", Scopes: good},
		{Value: "BBDC-sandboxbadscopes", Scopes: []string{"PROJECT_READ", "REPO_WRITE"}},
		{Value: "BBDC-sandboxreadonly", Scopes: []string{"PROJECT_READ", "REPO_READ"}, ReadOnly: true},
		{Value: "BBDC-sandboxexpired", Scopes: good, ExpiresAt: h.yesterday()},
		{Value: "BBDC-sandboxproject", Scopes: good, Bot: true},
	}
}
