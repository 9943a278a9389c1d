package githost

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestGitHub(t *testing.T) {
	scopes := map[string]string{"X-OAuth-Scopes": "repo, admin:repo_hook"}
	exchanges := []exchange{
		{name: "root by HEAD", method: "HEAD", path: "", token: "ghp_sandboxgood", status: 200, headers: scopes},
		{name: "root with few scopes", method: "HEAD", path: "/", token: "ghp_sandboxbadscopes", status: 200, headers: map[string]string{"X-OAuth-Scopes": "read:user"}},
		{name: "root fine-grained", method: "HEAD", path: "", token: "github_pat_sandboxgood", status: 200, headers: map[string]string{"X-OAuth-Scopes": ""}},
		{name: "user", path: "/user", token: "ghp_sandboxgood", status: 200, want: `{"login":"ada"}`, headers: scopes},
		{name: "nobody", path: "/user", status: 401, want: `{"message":"Requires authentication"}`},
		{name: "wrong token", path: "/user", token: "ghp_nope", status: 401, want: `{"message":"Bad credentials"}`},
		{name: "expired", path: "/user", token: "ghp_sandboxexpired", status: 401, want: `{"message":"Bad credentials"}`},
		{name: "revoked", path: "/user", token: "ghp_sandboxrevoked", status: 401, want: `{"message":"Bad credentials"}`},
		{name: "repository", path: "/repos/acme/isc", token: "ghp_sandboxgood", status: 200,
			want: `{"full_name":"acme/isc","default_branch":"main","archived":false,"disabled":false,"size":1,"permissions":{"push":true,"admin":true,"pull":true}}`},
		{name: "repository read-only", path: "/repos/acme/isc", token: "ghp_sandboxreadonly", status: 200, want: `{"permissions":{"push":false,"admin":false,"pull":true}}`},
		{name: "repository of a writer", path: "/repos/acme/isc", token: "ghp_sandboxwriter", status: 200, want: `{"permissions":{"push":true,"admin":false}}`},
		{name: "repository where nobody writes", path: "/repos/acme/readonly", token: "ghp_sandboxgood", status: 200, want: `{"permissions":{"push":false,"pull":true}}`},
		{name: "repository of a fine-grained reader", path: "/repos/acme/isc", token: "github_pat_sandboxreadonly", status: 200, want: `{"permissions":{"push":true}}`},
		{name: "branch of a moved one", path: "/repos/acme/moved/branches/main?x=y", token: "ghp_sandboxgood", status: 301, want: `{"message":"Moved Permanently"}`,
			headers: map[string]string{"Location": "http://127.0.0.1:8080/github/repos/acme/isc/branches/main?x=y"}},
		{name: "repository without scope", path: "/repos/acme/isc", token: "ghp_sandboxbadscopes", status: 404, want: `{"message":"Not Found"}`},
		{name: "repository of nobody", path: "/repos/acme/isc", status: 404},
		{name: "no such repository", path: "/repos/acme/none", token: "ghp_sandboxgood", status: 404},
		{name: "empty repository", path: "/repos/acme/empty", token: "ghp_sandboxgood", status: 200, want: `{"size":0}`},
		{name: "archived", path: "/repos/acme/archived", token: "ghp_sandboxgood", status: 200, want: `{"archived":true}`},
		{name: "SSO", path: "/repos/acme/isc", token: "ghp_sandboxsso", status: 403,
			headers: map[string]string{"X-GitHub-SSO": "required; url=http://127.0.0.1:8080/github/orgs/acme/sso"}},
		{name: "branch", path: "/repos/acme/isc/branches/feature/x", token: "ghp_sandboxgood", status: 200, want: `{"name":"feature/x","protected":false}`},
		{name: "escaped branch", path: "/repos/acme/isc/branches/feature%2Fx", token: "ghp_sandboxgood", status: 200, want: `{"name":"feature/x"}`},
		{name: "no branch", path: "/repos/acme/isc/branches/none", token: "ghp_sandboxgood", status: 404, want: `{"message":"Branch not found"}`},
		{name: "protected branch", path: "/repos/acme/protected/branches/main", token: "ghp_sandboxgood", status: 200, want: `{"protected":true}`},
		{name: "rules", path: "/repos/acme/protected/rules/branches/main", token: "ghp_sandboxgood", status: 200, want: `[{"type":"pull_request"}]`},
		{name: "no rules", path: "/repos/acme/isc/rules/branches/main", token: "ghp_sandboxgood", status: 200, want: `[]`},
		{name: "contents", path: "/repos/acme/isc/contents/resources?ref=main", token: "ghp_sandboxgood", status: 200, want: `[{"path":"resources/codefresh","type":"dir"}]`},
		{name: "contents of root", path: "/repos/acme/isc/contents/", token: "ghp_sandboxgood", status: 200, want: `[{"type":"file"},{"type":"dir"}]`},
		{name: "contents of nothing", path: "/repos/acme/isc/contents/none", token: "ghp_sandboxgood", status: 404},
		{name: "contents of an empty one", path: "/repos/acme/empty/contents/", token: "ghp_sandboxgood", status: 404, want: `{"message":"This repository is empty."}`},
		{name: "hooks", path: "/repos/acme/isc/hooks", token: "ghp_sandboxgood", status: 200, want: `[]`},
		{name: "hooks of a writer", path: "/repos/acme/isc/hooks", token: "ghp_sandboxwriter", status: 404},
		{name: "hooks where nobody writes", path: "/repos/acme/readonly/hooks", token: "ghp_sandboxgood", status: 404},
		{name: "hooks of a fine-grained token", path: "/repos/acme/isc/hooks", token: "github_pat_sandboxgood", status: 200},
		{name: "hooks without scope", path: "/repos/acme/isc/hooks", token: "ghp_sandboxuser", status: 404},
		{name: "hooks fine-grained", path: "/repos/acme/isc/hooks", token: "github_pat_sandboxreadonly", status: 403,
			want: `{"message":"Resource not accessible by personal access token"}`, headers: map[string]string{"X-Accepted-GitHub-Permissions": "repository_hooks=read"}},
		{name: "organisation", path: "/orgs/acme", token: "ghp_sandboxgood", status: 200, want: `{"members_can_create_repositories":true}`},
		{name: "membership", path: "/user/memberships/orgs/acme", token: "ghp_sandboxgood", status: 200, want: `{"state":"active"}`},
		{name: "no organisation", path: "/orgs/none", token: "ghp_sandboxgood", status: 404},
		{name: "name taken", method: "POST", path: "/orgs/acme/repos", body: `{"name":"isc"}`, token: "ghp_sandboxgood", status: 422},
		{name: "create read-only", method: "POST", path: "/user/repos", body: `{"name":"new"}`, token: "ghp_sandboxreadonly", status: 403},
		{name: "create fine-grained", method: "POST", path: "/user/repos", body: `{"name":"new"}`, token: "github_pat_sandboxreadonly", status: 403,
			headers: map[string]string{"X-Accepted-GitHub-Permissions": "administration=write"}},
		{name: "ref fine-grained", method: "POST", path: "/repos/acme/isc/git/refs", body: `{}`, token: "github_pat_sandboxreadonly", status: 403,
			headers: map[string]string{"X-Accepted-GitHub-Permissions": "contents=write"}},
		{name: "ref where nobody writes", method: "POST", path: "/repos/acme/readonly/git/refs", body: `{}`, token: "ghp_sandboxgood", status: 403},
		{name: "ref on an archived one", method: "POST", path: "/repos/acme/archived/git/refs", body: `{}`, token: "ghp_sandboxgood", status: 403},
		{name: "create without name", method: "POST", path: "/user/repos", body: `{}`, token: "ghp_sandboxgood", status: 422},
		{name: "ref on empty", method: "POST", path: "/repos/acme/empty/git/refs", body: `{"ref":"refs/heads/b","sha":"x"}`, token: "ghp_sandboxgood", status: 409},
		{name: "ref on nothing", method: "POST", path: "/repos/acme/isc/git/refs", body: `{"ref":"refs/heads/b","sha":"x"}`, token: "ghp_sandboxgood", status: 422},
		{name: "meta", path: "/meta", status: 200, headers: map[string]string{"X-GitHub-Enterprise-Version": ""}},
		{name: "no endpoint", path: "/nothing", status: 404},
	}
	play(t, "/github", bearer, exchanges)
}

func TestGitHubEnterprise(t *testing.T) {
	play(t, "/github-enterprise/api/v3", bearer, []exchange{
		{name: "meta", path: "/meta", status: 200, want: `{"installed_version":"3.17.2"}`, headers: map[string]string{"X-GitHub-Enterprise-Version": "3.17.2"}},
		{name: "root", method: "HEAD", path: "", token: "ghp_sandboxgood", status: 200, headers: map[string]string{"X-OAuth-Scopes": "repo, admin:repo_hook"}},
		{name: "repository", path: "/repos/acme/isc", token: "ghp_sandboxgood", status: 200, want: `{"clone_url":"http://127.0.0.1:8080/github-enterprise/acme/isc.git"}`},
	})
}

func TestGitHubTokenExpiryHeader(t *testing.T) {
	for want, zone := range map[string]*time.Location{
		"2099-02-03 04:05:06 UTC": time.UTC, "2099-02-03 04:05:06 +0200": time.FixedZone("", 2*60*60),
	} {
		h := New()
		h.AddToken(Token{Value: "ghp_dated", Provider: GitHub, ExpiresAt: time.Date(2099, 2, 3, 4, 5, 6, 0, zone)})
		got := do(h, request(exchange{path: "/github/user", token: "ghp_dated"}, bearer)).Header().Get("github-authentication-token-expiration")
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestGitHubTakesTheOldScheme(t *testing.T) {
	old := func(r *http.Request, token string) { r.Header.Set("Authorization", "token "+token) }
	play(t, "/github/api/v3", old, []exchange{{name: "user", path: "/user", token: "ghp_sandboxgood", status: 200, want: `{"login":"ada"}`}})
}

func TestGitHubCreatesRepositoryAndBranch(t *testing.T) {
	h := New()
	created := do(h, request(exchange{method: "POST", path: "/github/orgs/acme/repos", token: "ghp_sandboxgood",
		body: `{"name":"new","private":true,"auto_init":true}`}, bearer))
	compare(t, created, exchange{status: 201, want: `{"full_name":"acme/new","default_branch":"main"}`})
	repo, _ := h.repo(GitHub, "acme/new")
	body := `{"ref":"refs/heads/release/1","sha":"` + repo.commit("main") + `"}`
	for _, status := range []int{http.StatusCreated, http.StatusUnprocessableEntity} {
		made := do(h, request(exchange{method: "POST", path: "/github/repos/acme/new/git/refs", token: "ghp_sandboxgood", body: body}, bearer))
		compare(t, made, exchange{status: status})
	}
	found := do(h, request(exchange{path: "/github/repos/acme/new/git/ref/heads/release/1", token: "ghp_sandboxgood"}, bearer))
	compare(t, found, exchange{status: 200, want: `{"ref":"refs/heads/release/1"}`})
	if !strings.Contains(found.Body.String(), repo.commit("release/1")) {
		t.Errorf("got %s", found.Body)
	}
}
