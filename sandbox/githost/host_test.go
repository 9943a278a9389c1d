package githost

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestPlaceByHostName(t *testing.T) {
	tests := []struct {
		url    string
		status int
		want   string
	}{
		{"https://api.github.com/meta", 200, `{"verifiable_password_authentication":true}`},
		{"https://github.com/meta", 404, ""},
		{"https://ghe.sandbox.test:8443/api/v3/meta", 200, `{"installed_version":"3.17.2"}`},
		{"https://ghe.sandbox.test/rest/api/1.0/application-properties", 404, ""},
		{"https://gitlab.com/api/v4/version", 401, `{"message":"401 Unauthorized"}`},
		{"https://gitlab.sandbox.test/api/v4/version", 401, `{"message":"401 Unauthorized"}`},
		{"https://bitbucket.org/api/2.0/user", 401, `{"type":"error"}`},
		{"https://API.bitbucket.org/2.0/user", 401, `{"type":"error"}`},
		{"https://bitbucket.sandbox.test/rest/api/1.0/application-properties", 200, `{"displayName":"Bitbucket"}`},
		{"https://elsewhere.test/api/v3/meta", 404, ""},
		{"http://127.0.0.1:9/nothing", 404, ""},
		{"https://github.com/acme/isc.git/info/refs?service=git-upload-pack", 401, ""},
	}
	for _, test := range tests {
		t.Run(test.url, func(t *testing.T) {
			got := do(New(), httptest.NewRequest(http.MethodGet, test.url, nil))
			compare(t, got, exchange{status: test.status, want: test.want})
		})
	}
}

func TestWebAddressesFollowTheName(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "https://api.github.com:8443/repos/acme/isc", nil)
	bearer(r, "ghp_sandboxgood")
	compare(t, do(New(), r), exchange{status: 200, want: `{"clone_url":"https://github.com:8443/acme/isc.git"}`})
}

func TestAddRepo(t *testing.T) {
	h := New()
	h.AddRepo(Repo{Provider: GitLab, FullName: "group/sub/deep", DefaultBranch: "trunk"})
	h.AddRepo(Repo{Provider: GitHub, FullName: "acme/isc", Archived: true})
	deep := request(exchange{path: "/gitlab/api/v4/projects/group%2Fsub%2Fdeep", token: "glpat-sandboxgood"}, privateToken)
	compare(t, do(h, deep), exchange{status: 200, want: `{"default_branch":"trunk","path":"deep"}`})
	replaced := request(exchange{path: "/github/repos/acme/isc", token: "ghp_sandboxgood"}, bearer)
	compare(t, do(h, replaced), exchange{status: 200, want: `{"archived":true}`})
	h.Reset()
	replaced = request(exchange{path: "/github/repos/acme/isc", token: "ghp_sandboxgood"}, bearer)
	compare(t, do(h, replaced), exchange{status: 200, want: `{"archived":false}`})
}

func TestCalls(t *testing.T) {
	h := New()
	for _, x := range []exchange{
		{method: "HEAD", path: "/github"}, {path: "/github/repos/acme/isc"}, {path: "/github/repos/acme/none"},
		{path: "/gitlab/acme/isc.git/info/refs?service=git-upload-pack"}, {path: "/gitlab/api/v4/projects/acme%2Fisc"},
		{path: "/bitbucket-server/rest/api/1.0/nothing"},
	} {
		do(h, request(x, bearer))
	}
	want := map[string]int{"github HEAD /{$}": 1, "github GET /repos/{owner}/{repo}": 2,
		"gitlab GET info/refs git-upload-pack": 1, "gitlab GET /projects/{id}": 1, "bitbucket-server GET no endpoint": 1}
	if got := h.Calls(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSwitches(t *testing.T) {
	tests := map[string]struct {
		name, value, path string
		want              exchange
	}{
		"status":   {switchHTTPStatus, "503", "/github/user", exchange{status: 503}},
		"redirect": {switchRedirect, "https://other.test/", "/gitlab/api/v4/user?a=b", exchange{status: 302, headers: map[string]string{"Location": "https://other.test/gitlab/api/v4/user?a=b"}}},
		"html":     {switchHTMLBody, "on", "/github/user", exchange{status: 200, headers: map[string]string{"Content-Type": "text/html; charset=utf-8"}}},
		"github rate": {switchRateLimited, "30", "/github/user", exchange{status: 429,
			headers: map[string]string{"Retry-After": "30", "X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5000"}}},
		"gitlab rate": {switchRateLimited, "30", "/gitlab/api/v4/user", exchange{status: 429,
			headers: map[string]string{"Retry-After": "30", "X-RateLimit-Remaining": ""}}},
		"slow": {switchSlow, "1ns", "/github/meta", exchange{status: 200}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := New()
			if err := h.SetSwitch(test.name, test.value); err != nil {
				t.Fatal(err)
			}
			compare(t, do(h, request(exchange{path: test.path}, bearer)), test.want)
			if got := h.Switches(); got[test.name] != test.value {
				t.Errorf("switches are %v", got)
			}
			if err := h.SetSwitch(test.name, "off"); err != nil || len(h.Switches()) != 0 {
				t.Errorf("turned off: %v, %v", h.Switches(), err)
			}
		})
	}
}

func TestSetSwitchRefuses(t *testing.T) {
	tests := map[string]struct{ name, value, message string }{
		"unknown":  {"no-such", "on", "known are: html-body, http-status, rate-limited, redirect, slow"},
		"status":   {switchHTTPStatus, "200", "does not take"},
		"duration": {switchSlow, "long", "does not take"},
		"seconds":  {switchRateLimited, "on", "does not take"},
		"target":   {switchRedirect, "elsewhere", "does not take"},
		"flag":     {switchHTMLBody, "maybe", "does not take"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := New().SetSwitch(test.name, test.value)
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want an error with %q", err, test.message)
			}
		})
	}
}

func TestSlowEndsWithTheRequest(t *testing.T) {
	h := New()
	if err := h.SetSwitch(switchSlow, "1h"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := do(h, request(exchange{path: "/github/meta"}, bearer).WithContext(ctx))
	if got.Body.Len() != 0 {
		t.Errorf("a caller that had gone got %q", got.Body)
	}
}

// TestSeededTokensAreDocumented keeps the package comment complete.
func TestSeededTokensAreDocumented(t *testing.T) {
	source, err := os.ReadFile("host.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(source), "package githost\n")
	for key := range New().tokens {
		if !strings.Contains(comment, key.value) {
			t.Errorf("the package comment does not name %s", key.value)
		}
	}
}

func TestEveryProviderHasTheSeeds(t *testing.T) {
	h := New()
	good := map[Provider]string{GitHub: "ghp_sandboxgood", GitHubEnterprise: "ghp_sandboxgood", GitLab: "glpat-sandboxgood",
		GitLabServer: "glpat-sandboxgood", Bitbucket: "ATATTsandboxgood", BitbucketServer: "BBDC-sandboxgood"}
	for _, provider := range Providers() {
		if token, standing := h.judge(provider, good[provider]); standing != valid || accessOf(token) != adminAccess {
			t.Errorf("%s: the good token stands at %d", provider, standing)
		}
		for _, name := range []string{"acme/isc", "acme/empty", "acme/protected", "acme/archived"} {
			if _, found := h.repo(provider, name); !found {
				t.Errorf("%s has no %s", provider, name)
			}
		}
	}
}
