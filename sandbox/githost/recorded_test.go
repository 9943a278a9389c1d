package githost

import (
	"net/http"
	"strings"
	"testing"
)

// recorded is a shape that a provider documents: a call, and the fields and headers of the answer by which a client judges.
type recorded struct {
	call    string // METHOD /path below the API, perhaps with a body after a blank
	token   string // the name of a seeded one, or none
	status  int
	want    string
	headers map[string]string // "*": anything
}

var recordedGitHub = []recorded{
	{"GET /user", "good", 200, `{"login":"ada"}`, map[string]string{"X-OAuth-Scopes": "repo, admin:repo_hook", "GitHub-Authentication-Token-Expiration": ""}},
	{"GET /user", "expired", 401, `{"message":"Bad credentials"}`, nil},
	{"GET /user", "fine-grained", 200, `{"login":"ada"}`, map[string]string{"X-OAuth-Scopes": "", "GitHub-Authentication-Token-Expiration": "*"}},
	{"HEAD /", "good", 200, ``, map[string]string{"X-OAuth-Scopes": "repo, admin:repo_hook"}},
	{"GET /repos/acme/isc", "good", 200, `{"permissions":{"push":true,"admin":true},"archived":false,"disabled":false,"default_branch":"main","size":1}`, nil},
	{"GET /repos/acme/moved", "good", 301, ``, map[string]string{"Location": "*"}},
	{"GET /repos/acme/none", "good", 404, ``, nil},
	{"GET /repos/acme/isc/hooks", "fine-grained-read", 403, `{"message":"Resource not accessible by personal access token"}`,
		map[string]string{"X-Accepted-GitHub-Permissions": "*"}},
	{"GET /repos/acme/isc/hooks", "good", 200, `[]`, nil},
	{"GET /repos/acme/isc/hooks", "user", 404, ``, nil},
	{"GET /repos/acme/protected/branches/main", "good", 200, `{"protected":true}`, nil},
	{"GET /repos/acme/protected/rules/branches/main", "good", 200, `[{"type":"pull_request"}]`, nil},
	{"GET /repos/acme/isc/contents/resources?ref=main", "good", 200, `[{}]`, nil},
	{"GET /orgs/acme", "good", 200, `{"members_can_create_repositories":true}`, nil},
	{"GET /user/memberships/orgs/acme", "good", 200, `{}`, nil},
	{`POST /orgs/acme/repos {"name":"new","private":true,"auto_init":true}`, "good", 201, `{"default_branch":"main"}`, nil},
	{`POST /user/repos {"name":"new","private":true,"auto_init":true}`, "good", 201, `{"full_name":"ada/new"}`, nil},
	{`POST /repos/acme/isc/git/refs {"ref":"refs/heads/b","sha":"` + (Repo{FullName: "acme/isc"}).commit("main") + `"}`, "good", 201, `{"ref":"refs/heads/b"}`, nil},
}

var recordedGitLab = []recorded{
	{"GET /version", "", 401, `{"message":"401 Unauthorized"}`, map[string]string{"X-Gitlab-Meta": "*"}},
	{"GET /personal_access_tokens/self", "good", 200, `{"scopes":["api"],"active":true,"revoked":false,"user_id":1}`, nil},
	{"GET /user", "project", 200, `{"bot":true,"username":"project_1_bot_sandbox"}`, nil},
	{"GET /user", "group", 200, `{"bot":true,"username":"group_1_bot_sandbox"}`, nil},
	{"POST /projects", "good", 400, ``, nil},
	{"POST /projects", "user", 403, ``, nil},
	{"GET /projects/acme%2Fisc", "good", 200, `{"default_branch":"main","empty_repo":false,"archived":false,"permissions":{"project_access":{"access_level":40},"group_access":null}}`, nil},
	{"GET /projects/acme%2Fempty", "good", 200, `{"default_branch":null,"empty_repo":true}`, nil},
	{"GET /projects/acme%2Fprotected/repository/branches/main", "good", 200, `{"can_push":false,"protected":true}`, nil},
	{"GET /projects/acme%2Fisc/repository/branches/feature%2Fx", "good", 200, `{"can_push":true,"protected":false}`, nil},
	{"GET /projects/acme%2Fisc/repository/tree?path=resources&ref=main", "good", 200, `[{}]`, nil},
	{"GET /personal_access_tokens/self/associations?min_access_level=30", "read-only", 200, `{"projects":[]}`, nil},
	{"GET /namespaces/acme", "good", 200, `{"kind":"group"}`, nil},
	{`POST /projects {"name":"new","path":"new","visibility":"private","initialize_with_readme":true}`, "good", 201, `{"path_with_namespace":"ada/new"}`, nil},
	{"POST /projects/acme%2Fisc/repository/branches?branch=b&ref=main", "good", 201, `{"name":"b"}`, nil},
}

var recordedBitbucket = []recorded{
	{"GET /user", "good", 200, `{"username":"ada"}`, map[string]string{"x-oauth-scopes": "*"}},
	{"GET /user", "app-password", 401, ``, map[string]string{"x-oauth-scopes": ""}},
	{"GET /user", "access-token", 200, ``, map[string]string{"x-oauth-scopes": "account:read, team, webhook, repository:write, repository:admin"}},
	{"GET /repositories/acme/isc", "good", 200, `{"mainbranch":{"name":"main"}}`, nil},
	{"GET /repositories/acme/empty", "good", 200, `{"mainbranch":null}`, nil},
	{"GET /user/workspaces/acme/permissions/repositories?q=repository.name%3D%22isc%22", "read-only", 200, `{"values":[{"permission":"read"}]}`, nil},
	{"GET /user/permissions/repositories", "good", 410, ``, nil},
	{"GET /repositories/acme?role=contributor&q=slug%3D%22isc%22", "good", 200, `{"values":[{"slug":"isc"}]}`, nil},
	{"GET /repositories/acme/isc/refs/branches/main", "good", 200, `{"name":"main"}`, nil},
	{"GET /repositories/acme/protected/branch-restrictions?kind=push", "good", 200, `{"values":[{"kind":"push"}]}`, nil},
	{"GET /repositories/acme/isc/src/main/resources?format=meta", "good", 200, `{}`, nil},
	{`POST /repositories/acme/new {"scm":"git","is_private":true}`, "good", 200, `{"slug":"new"}`, nil},
	{"GET /user/workspaces", "good", 200, `{"values":[{"workspace":{"slug":"acme"}}]}`, nil},
}

var recordedDataCenter = []recorded{
	{"GET /rest/api/1.0/application-properties", "", 200, `{"version":"9.4.8","displayName":"Bitbucket"}`, map[string]string{"X-AUSERNAME": ""}},
	{"HEAD /rest/api/1.0/application-properties", "good", 200, ``, map[string]string{"X-AUSERNAME": "ada"}},
	{"GET /rest/api/1.0/repos?name=isc&projectkey=ACME&permission=REPO_ADMIN", "good", 200, `{"values":[{"slug":"isc"}]}`, nil},
	{"GET /rest/api/1.0/repos?name=isc&projectkey=ACME&permission=REPO_ADMIN", "missing-scope", 200, `{"values":[]}`, nil},
	{`POST /rest/api/1.0/users/ada/repos {"name":"!invalid"}`, "good", 400, ``, nil},
	{"GET /rest/api/1.0/projects/ACME/repos/isc", "good", 200, `{"state":"AVAILABLE"}`, map[string]string{"X-AUSERNAME": "ada"}},
	{"GET /rest/api/1.0/projects/ACME/repos/isc/default-branch", "good", 200, `{"id":"refs/heads/main"}`, nil},
	{"GET /rest/api/1.0/projects/ACME/repos/isc/branches/default", "good", 200, `{"id":"refs/heads/main"}`, nil},
	{"GET /rest/api/1.0/projects/ACME/repos/isc/branches?filterText=develop&boostMatches=true", "good", 200, `{"values":[{"id":"refs/heads/develop"}]}`, nil},
	{"GET /rest/branch-permissions/2.0/projects/ACME/repos/protected/restrictions", "good", 200, `{"values":[{"matcher":{"id":"refs/heads/main"}}]}`, nil},
	{"GET /rest/api/1.0/projects/ACME/repos/isc/browse/resources?at=refs/heads/main", "good", 200, `{}`, nil},
	{`POST /rest/api/1.0/projects/ACME/repos {"name":"new","scmId":"git"}`, "good", 201, `{"slug":"new"}`, nil},
	{`POST /rest/api/latest/projects/ACME/repos/isc/branches {"name":"b","startPoint":"main"}`, "good", 200, `{"displayId":"b"}`, nil},
	{`POST /rest/branch-utils/1.0/projects/ACME/repos/isc/branches {"name":"b","startPoint":"main"}`, "good", 200, `{"displayId":"b"}`, nil},
}

func TestRecordedShapes(t *testing.T) {
	enterprise := append([]recorded{{"GET /meta", "", 200, `{"installed_version":"3.17.2"}`,
		map[string]string{"X-GitHub-Enterprise-Version": "*", "X-GitHub-Request-Id": "*"}}}, recordedGitHub...)
	cloud := append([]recorded{{"GET /repos/acme/isc", "sso", 403, ``, map[string]string{"X-GitHub-SSO": "*"}}}, recordedGitHub...)
	for provider, shapes := range map[Provider][]recorded{GitHub: cloud, GitHubEnterprise: enterprise, GitLab: recordedGitLab,
		GitLabServer: recordedGitLab, Bitbucket: recordedBitbucket, BitbucketServer: recordedDataCenter} {
		for _, shape := range shapes {
			t.Run(string(provider)+" "+shape.token+" "+shape.call, func(t *testing.T) { shape.hold(t, provider) })
		}
	}
}

func (s recorded) hold(t *testing.T, provider Provider) {
	t.Helper()
	method, rest, _ := strings.Cut(s.call, " ")
	path, body, _ := strings.Cut(rest, " ")
	x, put := exchange{method: method, path: provider.APIPath() + path, body: body}, authorize(nil)
	if s.token != "" {
		token := seeded(t, provider, s.token)
		x.token, put = token.Value, inREST(token)
	}
	got := at(New(), provider, request(x, put))
	compare(t, got, exchange{status: s.status, want: s.want})
	for name, want := range s.headers {
		if value := got.Header().Get(name); value != want && (want != "*" || value == "") {
			t.Errorf("header %s: got %q, want %q", name, value, want)
		}
	}
}

func TestRecordedSSOHeader(t *testing.T) {
	got := at(New(), GitHub, request(exchange{path: "/repos/acme/isc", token: seeded(t, GitHub, "sso").Value}, bearer))
	if header := got.Header().Get("X-GitHub-SSO"); got.Code != http.StatusForbidden || !strings.HasPrefix(header, "required; url=http") {
		t.Errorf("got %d with %q", got.Code, header)
	}
}
