package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/githost"
)

// promptly is how soon after the last answer a check has to end.
const promptly = 20 * time.Second

// gitCase is one way for a token, a repository or a host to be, and what has
// to be said of it. A provider that tells more or less has words of its own.
type gitCase struct {
	name  string
	asked gitQuestion
	want  findings
	own   map[githost.Provider]findings
	why   string // words of the reason
}

const (
	github, enterprise, gitlab = githost.GitHub, githost.GitHubEnterprise, githost.GitLab
	gitlabServer, bitbucket    = githost.GitLabServer, githost.Bitbucket
	bitbucketServer            = githost.BitbucketServer
)

// findings are "STATUS words of the title" by check.
type findings = map[string]string

var gitCases = []gitCase{
	{name: "good"},
	{name: "bad token", asked: gitQuestion{token: "unknown"}, want: findings{"git.token": "fail does not accept the Git runtime token"}},
	{name: "revoked", asked: gitQuestion{token: "revoked"}, want: findings{"git.token": "fail does not accept the Git runtime token"}},
	{name: "missing scope", asked: gitQuestion{token: "missing-scope"}, want: findings{"git.scopes": "fail lacks repo, admin:repo_hook"},
		own: map[githost.Provider]findings{
			gitlab:          {"git.scopes": "fail lacks api"},
			gitlabServer:    {"git.scopes": "fail lacks api"},
			bitbucket:       {"git.scopes": "fail lacks read:workspace:bitbucket, read:repository:bitbucket"},
			bitbucketServer: {"git.scopes": "fail may not administer ACME/isc"},
		}},
	{name: "expired", asked: gitQuestion{token: "expired"}, want: findings{"git.token": "fail does not accept the Git runtime token"},
		own: map[githost.Provider]findings{
			gitlab:       {"git.token": "fail does not accept", "git.expiry": "fail has ended"},
			gitlabServer: {"git.token": "fail does not accept", "git.expiry": "fail has ended"},
		}},
	{name: "no repo", asked: gitQuestion{repo: "none.git"}, want: findings{"git.repo": "fail there is no repository acme/none"},
		own: map[githost.Provider]findings{bitbucketServer: {"git.repo": "fail there is no repository ACME/none"}}},
	{name: "no branch", asked: gitQuestion{repo: "isc.git?ref=nowhere"}, want: findings{"git.branch": "fail there is no branch nowhere"}},
	{name: "read-only repo", asked: gitQuestion{repo: "readonly.git"}, want: findings{"git.write": "fail may not push to acme/readonly"},
		own: map[githost.Provider]findings{
			bitbucketServer: {"git.write": "fail may not push to ACME/readonly", "git.scopes": "fail may not administer ACME/readonly"},
		}},
	{name: "read-only token", asked: gitQuestion{token: "read-only"}, want: findings{"git.write": "fail may not push to acme/isc"},
		own: map[githost.Provider]findings{
			bitbucketServer: {"git.write": "fail may not push to ACME/isc", "git.scopes": "fail may not administer ACME/isc"},
			bitbucket:       {"git.write": "fail may not push to acme/isc", "git.validator": "warn would refuse this token"},
		}},
	{name: "empty repo", asked: gitQuestion{repo: "empty.git"}, want: findings{"git.repo": "warn the repository acme/empty is empty"},
		own: map[githost.Provider]findings{bitbucketServer: {"git.repo": "warn the repository ACME/empty is empty"}}},
	{name: "protected branch", asked: gitQuestion{repo: "protected.git"}, want: findings{"git.protection": "warn the branch main is protected: pushes of Codefresh may be refused"},
		own: map[githost.Provider]findings{
			gitlab:       {"git.protection": "fail pushes of Codefresh will be refused"},
			gitlabServer: {"git.protection": "fail pushes of Codefresh will be refused"},
		}},
	{name: "unknown CA", asked: gitQuestion{env: map[string]string{"SSL_CERT_FILE": ""}}, want: findings{"git.tls": "fail comes from a CA that this machine does not know"}},
	{name: "good user token", asked: gitQuestion{user: "user"}},
	{name: "user token without scopes", asked: gitQuestion{user: "missing-scope"}, want: findings{"git.user-scopes": "fail the Git user token lacks"},
		own: map[githost.Provider]findings{
			bitbucket:       {"git.user-repo": "fail there is no repository acme/isc, or this token does not see it"},
			bitbucketServer: {"git.user-scopes": "fail the Git user token may not administer"},
		}},
	{name: "expired user token", asked: gitQuestion{user: "expired"}, want: findings{"git.user-token": "fail does not accept the Git user token"},
		own: map[githost.Provider]findings{
			gitlab:       {"git.user-token": "fail does not accept", "git.user-expiry": "fail the Git user token has ended"},
			gitlabServer: {"git.user-token": "fail does not accept", "git.user-expiry": "fail the Git user token has ended"},
		}},
}

func (c gitCase) wanted(p githost.Provider) findings {
	if own, has := c.own[p]; has {
		return own
	}
	return c.want
}

// Every provider in every state: what is wrong is named, nothing else is, and
// no more is asked than the documentation says.
func TestGitByProvider(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	everyForge(t, s, "answers", func(t *testing.T, s *sandbox, f forge) {
		for _, c := range gitCases {
			t.Run(c.name, func(t *testing.T) { s.within(t).tryGit(f, c) })
		}
	})
	t.Run("oddities", func(t *testing.T) { s.within(t).tryOddities(t) })
	everyForge(t, s, "missing", func(_ *testing.T, s *sandbox, f forge) { s.makesWhatIsMissing(f) })
	s.scenario("codefresh.fresh-account", "git.unreachable=on")
	everyForge(t, s, "unreachable", func(t *testing.T, s *sandbox, f forge) {
		s.tryGit(f, gitCase{want: findings{"git.reach": "fail does not answer"}})
	})
	// A provider is asked three times one after another at the most.
	s.scenario("codefresh.fresh-account", "git.slow=1s")
	everyForge(t, s, "slow", func(t *testing.T, s *sandbox, f forge) {
		found, took := s.askGit(f, gitQuestion{})
		found.expect(t, nil)
		if took < time.Second || took > 3*time.Second+promptly {
			t.Errorf("took %s; the answers alone take from one to three seconds", took)
		}
	})
	s.scenario("codefresh.fresh-account", "git.old-server=on")
	everyForge(t, s, "old server", func(t *testing.T, s *sandbox, f forge) {
		s.tryGit(f, gitCase{own: map[githost.Provider]findings{gitlabServer: {"git.validator": "skip the chart's own validation was not considered"}}})
	})
	s.scenario("codefresh.fresh-account", "git.rate-limited=60")
	everyForge(t, s, "rate limit", func(t *testing.T, s *sandbox, f forge) {
		before := s.gitCalls()[f.provider].Requests
		found, _ := s.askGit(f, gitQuestion{})
		found.expect(t, findings{"git.token": "warn wants no more requests for now"})
		if sent := s.gitCalls()[f.provider].Requests - before; sent != 1 {
			t.Errorf("%d requests were sent, want one: the first answer names the limit", sent)
		}
	})
}

// everyForge does something with all providers at once.
func everyForge(t *testing.T, s *sandbox, name string, try func(*testing.T, *sandbox, forge)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for _, f := range forges {
			t.Run(string(f.provider), func(t *testing.T) {
				t.Parallel()
				try(t, s.within(t), f)
			})
		}
	})
}

// tryGit asks, compares, and sees that it did not take long. A machine that is
// busy with something else gets a second chance.
func (s *sandbox) tryGit(f forge, c gitCase) {
	s.t.Helper()
	before := s.gitCalls()[f.provider]
	found, took := s.askGit(f, c.asked)
	found.expect(s.t, c.wanted(f.provider))
	for id := range c.wanted(f.provider) {
		found.because(s.t, id, c.why)
	}
	after := s.gitCalls()[f.provider]
	switch sent := after.Requests - before.Requests; {
	case c.name == "good" && sent != documentedRequests(s.t, f):
		s.t.Errorf("%d requests were sent, the documentation says %d: %v", sent, documentedRequests(s.t, f), after.Endpoints)
	case c.name == "unknown CA" && sent != 0:
		s.t.Errorf("%d requests were sent to a host that is not trusted", sent)
	}
	if took > promptly {
		if _, took = s.askGit(f, c.asked); took > promptly {
			s.t.Errorf("took %s, the bound is %s", took, promptly)
		}
	}
}

// documentedRequests is how many requests the documentation promises for a
// good token and repository.
func documentedRequests(t testing.TB, f forge) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "git-providers.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?s)\n## ` + regexp.QuoteMeta(f.title) + `\n.*?\| in sum \| (\d+) \|`).FindSubmatch(text)
	if row == nil {
		t.Fatalf("the documentation has no requests of %s", f.title)
	}
	number, _ := strconv.Atoi(string(row[1]))
	return number
}
