package githost

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// commitCall is how a client writes README.md on a branch of a repository.
func commitCall(provider Provider, repo Repo, branch string) *http.Request {
	post := func(method, path, kind, body string) *http.Request {
		r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		return r
	}
	switch provider {
	case GitHub, GitHubEnterprise:
		return post("PUT", provider.APIPath()+"/repos/"+repo.FullName+"/contents/README.md", jsonType,
			`{"message":"first","content":"IyBIaQo=","branch":"`+branch+`"}`)
	case GitLab, GitLabServer:
		return post("POST", "/api/v4/projects/"+url.PathEscape(repo.FullName)+"/repository/commits", jsonType,
			`{"branch":"`+branch+`","commit_message":"first","actions":[{"action":"create","file_path":"README.md","content":"# Hi"}]}`)
	case Bitbucket:
		form := url.Values{"message": {"first"}, "branch": {branch}, "/README.md": {"# Hi"}}
		return post("POST", "/2.0/repositories/"+repo.FullName+"/src", "application/x-www-form-urlencoded", form.Encode())
	default:
		form := "--x\r\nContent-Disposition: form-data; name=\"branch\"\r\n\r\n" + branch + "\r\n" +
			"--x\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\n# Hi\r\n--x--\r\n"
		r := post("PUT", "/rest/api/1.0/projects/"+repo.Owner()+"/repos/"+repo.Name()+"/browse/README.md", "multipart/form-data; boundary=x", form)
		r.Header.Set("X-Atlassian-Token", "no-check")
		return r
	}
}

func TestCommit(t *testing.T) {
	tests := map[string]struct {
		token, repo, branch string
		want                map[Provider]int // by one provider of each kind
	}{
		"the first":      {"good", "empty", "trunk", map[Provider]int{GitHub: 201, GitLab: 201, Bitbucket: 201, BitbucketServer: 200}},
		"another":        {"good", "isc", "develop", map[Provider]int{GitHub: 201, GitLab: 201, Bitbucket: 201, BitbucketServer: 200}},
		"no branch":      {"good", "isc", "none", map[Provider]int{GitHub: 409, GitLab: 400, Bitbucket: 400, BitbucketServer: 409}},
		"protected":      {"good", "protected", "main", map[Provider]int{GitHub: 409, GitLab: 400, Bitbucket: 400, BitbucketServer: 409}},
		"reader's token": {"read-only", "isc", "main", map[Provider]int{GitHub: 403, GitLab: 403, Bitbucket: 403, BitbucketServer: 401}},
		"nobody writes":  {"good", "readonly", "main", map[Provider]int{GitHub: 403, GitLab: 403, Bitbucket: 403, BitbucketServer: 401}},
		"archived":       {"good", "archived", "main", map[Provider]int{GitHub: 403, GitLab: 400, BitbucketServer: 409}},
		"stranger":       {"revoked", "isc", "main", map[Provider]int{GitHub: 401, GitLab: 401, Bitbucket: 401, BitbucketServer: 401}},
	}
	for name, test := range tests {
		for provider, want := range test.want {
			t.Run(name+" on "+string(provider), func(t *testing.T) {
				h, token := New(), seeded(t, provider, test.token)
				repo, _ := h.repo(provider, "acme/"+test.repo)
				r := commitCall(provider, repo, test.branch)
				inREST(token)(r, token.Value)
				compare(t, at(h, provider, r), exchange{status: want})
				after, _ := h.repo(provider, "acme/"+test.repo)
				if made := after.hasBranch(test.branch); want < 300 && (!made || after.Empty || after.kindOf("README.md") != file) {
					t.Errorf("the commit left %+v", after)
				}
				if repo.Empty && after.DefaultBranch != test.branch {
					t.Errorf("the default branch of the first commit is %q", after.DefaultBranch)
				}
			})
		}
	}
}

func TestDataCenterRefusesForms(t *testing.T) {
	h := New()
	repo, _ := h.repo(BitbucketServer, "ACME/isc")
	fromBrowser := commitCall(BitbucketServer, repo, "main")
	fromBrowser.Header.Del("X-Atlassian-Token")
	noForm := commitCall(BitbucketServer, repo, "main")
	noForm.Header.Set("Content-Type", jsonType)
	for r, want := range map[*http.Request]int{fromBrowser: 403, noForm: 400} {
		bearer(r, "BBDC-sandboxgood")
		compare(t, at(h, BitbucketServer, r), exchange{status: want})
	}
}

// TestFineGrainedPermissions reads where each permission of a fine-grained
// token shows.
func TestFineGrainedPermissions(t *testing.T) {
	places := map[string]string{"/hooks?per_page=1": "repository_hooks=read", "/pulls?per_page=1": "pull_requests=read",
		"/keys?per_page=1": "administration=read", "/commits/feature%2Fx/status?per_page=1": "statuses=read"}
	for path, permission := range places {
		for token, status := range map[string]int{"fine-grained": 200, "good": 200, "fine-grained-read": 403} {
			got := at(New(), GitHub, request(exchange{path: "/repos/acme/isc" + path, token: seeded(t, GitHub, token).Value}, bearer))
			want := exchange{status: status}
			if status == http.StatusForbidden {
				want.headers = map[string]string{"X-Accepted-GitHub-Permissions": permission}
			}
			compare(t, got, want)
		}
	}
	play(t, "/github/repos/acme/isc", bearer, []exchange{
		{name: "keys of a writer", path: "/keys", token: "ghp_sandboxwriter", status: 404},
		{name: "status of nothing", path: "/commits/none/status", token: "ghp_sandboxgood", status: 422},
	})
}
