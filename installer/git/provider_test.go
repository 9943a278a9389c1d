package git

import (
	"os"
	"strings"
	"testing"
)

// TestDocs keeps the documentation as the registry says it.
func TestDocs(t *testing.T) {
	const path = "../../docs/git-providers.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != Markdown() {
		t.Error("docs/git-providers.md is stale: UPDATE_GOLDEN=1 go test ./installer/git")
	}
}

func TestRegistry(t *testing.T) {
	for _, p := range Providers {
		described := map[string]bool{}
		for _, v := range p.Verified {
			described[v.Check] = true
		}
		for _, question := range questions[2:] { // host and TLS come with the first request
			if !described[question.id] {
				t.Errorf("%s does not say how %s is verified", p.ID, question.id)
			}
		}
		if len(Needs(p, RuntimeToken)) == 0 || len(Needs(p, UserToken)) == 0 {
			t.Errorf("%s needs nothing", p.ID)
		}
		Needs(p, RuntimeToken)[0] = "changed"
		if Needs(p, RuntimeToken)[0] == "changed" {
			t.Errorf("%s hands out its own list", p.ID)
		}
	}
}

func TestTokenPage(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://github.com/o/r.git": {"https://github.com/settings/tokens/new?description=codefresh-runtime&scopes=repo%2Cadmin%3Arepo_hook",
			"https://github.com/settings/tokens/new?description=codefresh-user&scopes=repo"},
		"https://acme.ghe.com/o/r.git": {"https://acme.ghe.com/settings/tokens/new?description=codefresh-runtime&scopes=repo%2Cadmin%3Arepo_hook",
			"https://acme.ghe.com/settings/tokens/new?description=codefresh-user&scopes=repo"},
		"https://gitlab.com/g/s/r.git": {"https://gitlab.com/-/user_settings/personal_access_tokens?name=codefresh-runtime&scopes=api",
			"https://gitlab.com/-/user_settings/personal_access_tokens?name=codefresh-user&scopes=write_repository%2Cread_api"},
		"https://gitlab.example.com:8443/o/r.git": {"https://gitlab.example.com:8443/-/user_settings/personal_access_tokens?name=codefresh-runtime&scopes=api",
			"https://gitlab.example.com:8443/-/user_settings/personal_access_tokens?name=codefresh-user&scopes=write_repository%2Cread_api"},
		"https://bitbucket.org/o/r.git":             {"https://id.atlassian.com/manage-profile/security/api-tokens", "https://id.atlassian.com/manage-profile/security/api-tokens"},
		"https://example.com/bitbucket/scm/K/s.git": {"https://example.com/bitbucket/plugins/servlet/access-tokens/manage", "https://example.com/bitbucket/plugins/servlet/access-tokens/manage"},
	} {
		repo, _, err := ParseSharedConfig(address, "")
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Recognise(repo)
		for i, need := range []Need{RuntimeToken, UserToken} {
			if got := TokenPage(p, repo, need); got != want[i] {
				t.Errorf("%s\n got %s\nwant %s", address, got, want[i])
			}
		}
	}
	if page := TokenPage(Provider{}, Repo{}, RuntimeToken); page != "" {
		t.Errorf("an unknown provider has the page %s", page)
	}
}

// Servers below a context path call their repositories without it.
func TestRepoName(t *testing.T) {
	for _, test := range []struct{ provider, repo, api, want string }{
		{"github", "https://github.com/acme/isc.git", "https://api.github.com", "acme/isc"},
		{"github-enterprise", "https://h:8080/ghe/acme/isc.git", "https://h:8080/ghe/api/v3", "acme/isc"},
		{"gitlab-server", "https://h/gitlab/a/b/isc.git", "https://h/gitlab/api/v4", "a/b/isc"},
		{"gitlab-server", "https://h/gitlab/a/b/isc.git", "https://h/api/v4/", "gitlab/a/b/isc"},
		{"gitlab-server", "https://h/gitlab/isc.git", "https://other/gitlab/api/v4", "gitlab/isc"},
		{"bitbucket-server", "https://h/code/scm/~ada/isc.git", "https://h/code", "~ada/isc"},
		{"bitbucket", "https://h/bitbucket/acme/isc.git", "https://h/bitbucket/2.0", "acme/isc"},
	} {
		repo, _, err := ParseSharedConfig(test.repo, test.provider)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := ProviderByID(test.provider)
		q := Question{Provider: p, Repo: repo, APIURL: test.api}
		base, err := q.apiBase()
		if err != nil || q.repoName(base) != test.want {
			t.Errorf("%s at %s is %q, %v; want %q", test.repo, test.api, q.repoName(base), err, test.want)
		}
	}
}

func TestServerValidator(t *testing.T) {
	for address, refuses := range map[string]bool{"https://h.example": false, "https://h.example/": true, "https://h.example/rest/api/1.0": false, "https://h.example/code": true} {
		q := Question{APIURL: address}
		base, err := q.apiBase()
		if err != nil {
			t.Fatal(err)
		}
		if got := serverValidator(address, base); (got != "") != refuses || strings.Contains(got, "code") {
			t.Errorf("%s: %q", address, got)
		}
	}
}
