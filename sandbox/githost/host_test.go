package githost

import (
	"net/http"
	"net/http/httptest"
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

func TestProviderOnItsOwnPort(t *testing.T) {
	for _, provider := range Providers() {
		token := seeded(t, provider, "good")
		path := map[Provider]string{GitHub: "/repos/acme/isc", GitHubEnterprise: "/api/v3/repos/acme/isc", GitLab: "/api/v4/projects/acme%2Fisc",
			GitLabServer: "/api/v4/projects/acme%2Fisc", Bitbucket: "/2.0/repositories/acme/isc",
			BitbucketServer: "/rest/api/1.0/projects/ACME/repos/isc"}[provider]
		got := at(New(), provider, request(exchange{path: path, token: token.Value}, inREST(token)))
		compare(t, got, exchange{status: 200})
		clone := `"http://127.0.0.1:8080` + strings.ToLower(provider.ClonePath("acme/isc")) + `"`
		if !strings.Contains(got.Body.String(), clone) {
			t.Errorf("%s: got %s, want it to contain %s", provider, got.Body, clone)
		}
	}
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
