package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/githost"
)

// forge is one of the six Git providers, as answers name it.
type forge struct {
	provider githost.Provider
	title    string // in docs/git-providers.md
	owner    string // where the URLs of its repositories begin
	username string // that git wants
	email    string // that REST wants in its place, with a token of a person
	unknown  string // a token of the right form that nobody has
}

var forges = []forge{
	{provider: githost.GitHub, title: "GitHub", owner: "https://github.com/acme", unknown: "ghp_nobodyhasthisone"},
	{provider: githost.GitHubEnterprise, title: "GitHub Enterprise", owner: "${SANDBOX_GIT_GITHUB_ENTERPRISE}/acme", unknown: "ghp_nobodyhasthisone"},
	{provider: githost.GitLab, title: "GitLab", owner: "https://gitlab.com/acme", unknown: "glpat-nobodyhasthisone"},
	{provider: githost.GitLabServer, title: "GitLab Server", owner: "${SANDBOX_GIT_GITLAB_SERVER}/acme", unknown: "glpat-nobodyhasthisone"},
	{provider: githost.Bitbucket, title: "Bitbucket Cloud", owner: "https://bitbucket.org/acme",
		username: "x-token-auth", email: "ada@sandbox.test", unknown: "ATATTnobodyhasthisone"},
	{provider: githost.BitbucketServer, title: "Bitbucket Server", owner: "${SANDBOX_GIT_BITBUCKET_SERVER}/scm/ACME",
		username: "ada", unknown: "BBDC-nobodyhasthisone"},
}

// token finds a token of the sandbox by its name, and the user name for it. At
// Bitbucket Cloud only an access token has one name for REST and for git.
func (f forge) token(t testing.TB, name string) (value, username string) {
	t.Helper()
	switch {
	case name == "unknown":
		return f.unknown, cmp.Or(f.email, f.username)
	case f.provider == githost.Bitbucket && name == "api-token":
		name = "good"
	case f.provider == githost.Bitbucket && (name == "good" || name == "user"):
		name = "access-token"
	case f.provider == githost.BitbucketServer && name == "user":
		name = "good"
	}
	token, found := githost.SeededToken(f.provider, name)
	if !found {
		t.Fatalf("%s has no token %s", f.provider, name)
	}
	if strings.HasPrefix(token.Value, "ATATT") {
		return token.Value, f.email
	}
	return token.Value, f.username
}

// gitQuestion is a check of a repository: what differs from a good one.
type gitQuestion struct {
	repo     string            // isc
	token    string            // good
	user     string            // the user token; none
	username string            // the one that fits the token
	env      map[string]string // in place of the sandbox's; ${NAME} is one of those
}

// gitAnswers writes answers about a repository. They name an ingress without a
// host, so that they are not complete and nothing is rehearsed, which would be
// most of the time that a check takes.
func (s *sandbox) gitAnswers(f forge, url, username string, withUser bool) string {
	s.t.Helper()
	user := ""
	if withUser {
		user = ", userToken: {env: GIT_USER_TOKEN}"
	}
	return writeFile(s.t, filepath.Join(s.t.TempDir(), "answers.yaml"), fmt.Sprintf(`apiVersion: cfwizard/v1
kind: Answers
codefresh: {url: %q}
runtime: {name: payments}
access: {mode: ingress}
git: {provider: %q, sharedConfigRepo: %q, username: %q, runtimeToken: {env: GIT_RUNTIME_TOKEN}%s}
`, s.env["CF_URL"], f.provider, url, username, user))
}

// askGit asks about a repository and gives what is said of Git, and how long
// it took.
func (s *sandbox) askGit(f forge, q gitQuestion) (gitFindings, time.Duration) {
	s.t.Helper()
	token, username := f.token(s.t, cmp.Or(q.token, "good"))
	own := s.with(map[string]string{"GIT_RUNTIME_TOKEN": token})
	if q.user != "" {
		own.env["GIT_USER_TOKEN"], _ = f.token(s.t, q.user)
	}
	for name, value := range q.env {
		own.env[name] = s.expand(value)
	}
	file := s.gitAnswers(f, s.url(f, q.repo), cmp.Or(q.username, username), q.user != "")
	began := time.Now()
	r := own.run("cfwizard", "check", "-o", "json", "-f", file)
	took := time.Since(began)
	for _, name := range []string{"GIT_RUNTIME_TOKEN", "GIT_USER_TOKEN"} {
		if value := own.env[name]; value != "" && strings.Contains(r.stdout+r.stderr, value) {
			s.t.Errorf("%s: %s is repeated\n%s%s", f.provider, name, r.stdout, r.stderr)
		}
	}
	return readGit(s.t, r), took
}

func readGit(t testing.TB, r result) gitFindings {
	t.Helper()
	var all verdict
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatalf("ended with %d and did not print JSON: %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	return gitFindings{all, r}
}

// with is the same sandbox with more in the environment of the program.
func (s *sandbox) with(env map[string]string) *sandbox {
	own := *s
	own.env = maps.Clone(s.env)
	maps.Copy(own.env, env)
	return &own
}

// gitFindings are the checks of Git.
type gitFindings struct {
	verdict
	result result
}

// untold is what a check says of which a provider does not speak.
var untold = regexp.MustCompile("^when the Git (runtime|user) token ends is not known$|^the scopes of the Git runtime token cannot be read$")

// expect compares everything that does not pass. Where something is wrong, what
// depends on it may be skipped; else only what a provider does not tell. A
// wanted finding is "STATUS words of the title".
func (found gitFindings) expect(t testing.TB, want map[string]string) {
	t.Helper()
	seen := 0
	for _, c := range found.Checks {
		if !strings.HasPrefix(c.ID, "git.") && !strings.HasPrefix(c.ID, "answers.git.") {
			continue
		}
		seen++
		status, words, named := strings.Cut(want[c.ID], " ")
		switch {
		case named && (c.Status != status || !strings.Contains(c.Title, words)):
			t.Errorf("%s is %s: %s\nwant %s: %s\n%s", c.ID, c.Status, c.Title, status, words, c.Why)
		case !named && c.Status != "pass" && (c.Status != "skip" || len(want) == 0 && !untold.MatchString(c.Title)):
			t.Errorf("%s is %s, want pass: %s\n%s\n%s", c.ID, c.Status, c.Title, c.Why, c.Fix)
		case (c.Status == "fail" || c.Status == "warn") && c.Fix == "":
			t.Errorf("%s is %s and has no fix", c.ID, c.Status)
		}
	}
	for id := range want {
		if status, _, _ := found.find(id); status == "" {
			t.Errorf("%s is not there", id)
		}
	}
	if seen == 0 {
		t.Errorf("nothing is said about Git\n%s%s", found.result.stdout, found.result.stderr)
	}
}

// control asks the sandbox's control port.
func (s *sandbox) control(path string, into any) {
	s.t.Helper()
	var state struct{ Control, ControlToken string }
	data, err := os.ReadFile(filepath.Join(s.dir, "state.json"))
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, state.Control+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", state.ControlToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
}

// gitCalls is what reached the providers so far.
func (s *sandbox) gitCalls() map[githost.Provider]githost.Calls {
	s.t.Helper()
	var calls map[githost.Provider]githost.Calls
	s.control("/git-calls", &calls)
	return calls
}

// because looks for words in the reason of a check.
func (found gitFindings) because(t testing.TB, id, words string) {
	t.Helper()
	for _, c := range found.Checks {
		if c.ID == id && !strings.Contains(c.Why, words) {
			t.Errorf("%s does not say %q: %s", id, words, c.Why)
		}
	}
}
