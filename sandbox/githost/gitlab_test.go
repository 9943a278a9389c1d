package githost

import (
	"strconv"
	"testing"
	"time"
)

func TestGitLab(t *testing.T) {
	meta := map[string]string{"X-Gitlab-Meta": `{"correlation_id":"sandbox","version":"1"}`}
	group := strconv.Itoa(gitLab{New(), GitLab}.groupID("acme"))
	exchanges := []exchange{
		{name: "version for a stranger", path: "/version", status: 401, want: `{"message":"401 Unauthorized"}`, headers: meta},
		{name: "version", path: "/version", token: "glpat-sandboxgood", status: 200, want: `{"version":"18.2.1"}`},
		{name: "user", path: "/user", token: "glpat-sandboxgood", status: 200, want: `{"username":"ada","bot":false}`},
		{name: "project token", path: "/user", token: "glpat-sandboxproject", status: 200, want: `{"username":"project_1_bot_sandbox","bot":true}`},
		{name: "group token", path: "/user", token: "glpat-sandboxgroup", status: 200, want: `{"username":"group_1_bot_sandbox","bot":true}`},
		{name: "expired", path: "/user", token: "glpat-sandboxexpired", status: 401, want: `{"error":"invalid_token"}`},
		{name: "revoked", path: "/user", token: "glpat-sandboxrevoked", status: 401, want: `{"error":"invalid_token"}`},
		{name: "wrong token", path: "/user", token: "glpat-nope", status: 401},
		{name: "self", path: "/personal_access_tokens/self", token: "glpat-sandboxuser", status: 200, want: `{"scopes":["write_repository","read_api"],"active":true,"revoked":false,"user_id":1}`},
		{name: "associations", path: "/personal_access_tokens/self/associations?min_access_level=30", token: "glpat-sandboxgood", status: 200,
			want: `{"projects":[{"path_with_namespace":"acme/isc"},{"path_with_namespace":"acme/empty"},{"path_with_namespace":"acme/protected"},{"path_with_namespace":"acme/archived"}]}`},
		{name: "empty body with api", method: "POST", path: "/projects", token: "glpat-sandboxgood", status: 400},
		{name: "empty body without api", method: "POST", path: "/projects", token: "glpat-sandboxuser", status: 403, want: `{"error":"insufficient_scope"}`},
		{name: "projects by HEAD", method: "HEAD", path: "/projects", token: "glpat-sandboxuser", status: 200},
		{name: "projects without scope", method: "HEAD", path: "/projects", token: "glpat-sandboxbadscopes", status: 403},
		{name: "project", path: "/projects/acme%2Fisc", token: "glpat-sandboxgood", status: 200,
			want: `{"path_with_namespace":"acme/isc","default_branch":"main","empty_repo":false,"archived":false,"permissions":{"project_access":{"access_level":40},"group_access":null}}`},
		{name: "project of a reporter", path: "/projects/acme%2Fisc", token: "glpat-sandboxreadonly", status: 200, want: `{"permissions":{"project_access":{"access_level":20}}}`},
		{name: "project of a developer", path: "/projects/acme%2Fisc", token: "glpat-sandboxwriter", status: 200, want: `{"permissions":{"project_access":{"access_level":30}}}`},
		{name: "project where nobody writes", path: "/projects/acme%2Freadonly", token: "glpat-sandboxgood", status: 200, want: `{"permissions":{"project_access":{"access_level":20}}}`},
		{name: "archived project", path: "/projects/acme%2Farchived", token: "glpat-sandboxgood", status: 200, want: `{"archived":true}`},
		{name: "branch of an archived project", path: "/projects/acme%2Farchived/repository/branches/main", token: "glpat-sandboxgood", status: 200, want: `{"can_push":false,"protected":false}`},
		{name: "branch of a developer", path: "/projects/acme%2Fisc/repository/branches/main", token: "glpat-sandboxwriter", status: 200, want: `{"can_push":true}`},
		{name: "new branch of a reporter", method: "POST", path: "/projects/acme%2Fisc/repository/branches?branch=b&ref=main", token: "glpat-sandboxreadonly", status: 403},
		{name: "new branch of a developer", method: "POST", path: "/projects/acme%2Fisc/repository/branches?branch=b&ref=main", token: "glpat-sandboxwriter", status: 201},
		{name: "project of a group token", path: "/projects/acme%2Fisc", token: "glpat-sandboxgroup", status: 200, want: `{"permissions":{"group_access":{"access_level":40}}}`},
		{name: "empty project", path: "/projects/acme%2Fempty", token: "glpat-sandboxgood", status: 200, want: `{"default_branch":null,"empty_repo":true}`},
		{name: "no project", path: "/projects/acme%2Fnone", token: "glpat-sandboxgood", status: 404},
		{name: "branch", path: "/projects/acme%2Fisc/repository/branches/feature%2Fx", token: "glpat-sandboxgood", status: 200, want: `{"name":"feature/x","can_push":true,"protected":false}`},
		{name: "branch of a reporter", path: "/projects/acme%2Fisc/repository/branches/main", token: "glpat-sandboxreadonly", status: 200, want: `{"can_push":false}`},
		{name: "protected branch", path: "/projects/acme%2Fprotected/repository/branches/main", token: "glpat-sandboxgood", status: 200, want: `{"can_push":false,"protected":true}`},
		{name: "no branch", path: "/projects/acme%2Fisc/repository/branches/none", token: "glpat-sandboxgood", status: 404},
		{name: "branches", path: "/projects/acme%2Fisc/repository/branches", token: "glpat-sandboxgood", status: 200, want: `[{"name":"main"},{"name":"develop"},{"name":"feature/x"}]`},
		{name: "tree", path: "/projects/acme%2Fisc/repository/tree?path=resources&ref=main", token: "glpat-sandboxgood", status: 200, want: `[{"path":"resources/codefresh","type":"tree"}]`},
		{name: "tree of nothing", path: "/projects/acme%2Fisc/repository/tree?path=none", token: "glpat-sandboxgood", status: 404},
		{name: "tree of an empty one", path: "/projects/acme%2Fempty/repository/tree", token: "glpat-sandboxgood", status: 404},
		{name: "group", path: "/namespaces/acme", token: "glpat-sandboxgood", status: 200, want: `{"kind":"group"}`},
		{name: "own namespace", path: "/namespaces/ada", token: "glpat-sandboxgood", status: 200, want: `{"kind":"user","id":1000}`},
		{name: "no namespace", path: "/namespaces/none", token: "glpat-sandboxgood", status: 404},
		{name: "name taken", method: "POST", path: "/projects", body: `{"path":"isc","namespace_id":` + group + `}`, token: "glpat-sandboxgood", status: 400, want: `{"message":{"path":["has already been taken"]}}`},
		{name: "create as a reporter", method: "POST", path: "/projects", body: `{"path":"new","namespace_id":` + group + `}`, token: "glpat-sandboxreadonly", status: 403},
		{name: "create nowhere", method: "POST", path: "/projects", body: `{"path":"new","namespace_id":77}`, token: "glpat-sandboxgood", status: 404},
		{name: "no endpoint", path: "/nothing", status: 404, headers: meta},
	}
	play(t, "/gitlab/api/v4", privateToken, exchanges)
	t.Run("bearer", func(t *testing.T) {
		play(t, "/gitlab-server/api/v4", bearer, []exchange{{name: "user", path: "/user", token: "glpat-sandboxgood", status: 200}})
	})
	t.Run("basic", func(t *testing.T) {
		play(t, "/gitlab-server/api/v4", basicAs("ada"), []exchange{{name: "user", path: "/user", token: "glpat-sandboxgood", status: 401}})
	})
}

func TestGitLabExpiryIsADay(t *testing.T) {
	h := New()
	h.AddToken(Token{Value: "glpat-dated", Provider: GitLab, ExpiresAt: time.Date(2099, 2, 3, 4, 5, 6, 0, time.UTC)})
	h.AddToken(Token{Value: "glpat-endless", Provider: GitLab})
	for token, want := range map[string]string{"glpat-dated": `{"expires_at":"2099-02-03"}`, "glpat-endless": `{"expires_at":null}`} {
		got := do(h, request(exchange{path: "/gitlab/api/v4/personal_access_tokens/self", token: token}, privateToken))
		compare(t, got, exchange{status: 200, want: want})
	}
}

func TestGitLabCreatesProjectAndBranch(t *testing.T) {
	h := New()
	steps := []exchange{
		{method: "POST", path: "/projects", body: `{"name":"new","path":"new","namespace_id":1000,"visibility":"private","initialize_with_readme":true}`, status: 201, want: `{"path_with_namespace":"ada/new","default_branch":"main"}`},
		{method: "POST", path: "/projects/ada%2Fnew/repository/branches?branch=b&ref=main", status: 201, want: `{"name":"b"}`},
		{method: "POST", path: "/projects/ada%2Fnew/repository/branches?branch=b&ref=main", status: 400, want: `{"message":"Branch already exists"}`},
		{method: "POST", path: "/projects/ada%2Fnew/repository/branches?branch=c&ref=none", status: 400},
		{path: "/projects/ada%2Fnew/repository/branches/b", status: 200, want: `{"name":"b","default":false}`},
	}
	for _, step := range steps {
		step.path, step.token = "/gitlab/api/v4"+step.path, "glpat-sandboxgood"
		compare(t, do(h, request(step, privateToken)), step)
	}
}
