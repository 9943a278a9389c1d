package githost

import "testing"

func TestBitbucketCloud(t *testing.T) {
	exchanges := []exchange{
		{name: "user", method: "HEAD", path: "/user", token: "ATATTsandboxbadscopes", status: 200, headers: map[string]string{"x-oauth-scopes": "read:user:bitbucket"}},
		{name: "user body", path: "/user", token: "ATATTsandboxgood", status: 200, want: `{"username":"ada"}`},
		{name: "app password", path: "/user", token: "ATBBsandboxold", status: 401, headers: map[string]string{"x-oauth-scopes": ""}},
		{name: "expired", path: "/user", token: "ATATTsandboxexpired", status: 401},
		{name: "nobody", path: "/user", status: 401},
		{name: "workspaces", path: "/user/workspaces", token: "ATATTsandboxgood", status: 200, want: `{"values":[{"workspace":{"slug":"acme"}}]}`},
		{name: "permission", path: `/user/workspaces/acme/permissions/repositories?q=repository.name%3D%22isc%22`, token: "ATATTsandboxgood", status: 200, want: `{"values":[{"permission":"admin","repository":{"full_name":"acme/isc"}}]}`},
		{name: "permission to read", path: `/user/workspaces/acme/permissions/repositories?q=repository.name%3D%22isc%22`, token: "ATATTsandboxreadonly", status: 200, want: `{"values":[{"permission":"read"}]}`},
		{name: "permission to write", path: `/user/workspaces/acme/permissions/repositories?q=repository.name%3D%22isc%22`, token: "ATATTsandboxwriter", status: 200, want: `{"values":[{"permission":"write"}]}`},
		{name: "permission where nobody writes", path: `/user/workspaces/acme/permissions/repositories?q=repository.name%3D%22readonly%22`, token: "ATATTsandboxgood", status: 200, want: `{"values":[{"permission":"read"}]}`},
		{name: "withdrawn", path: "/user/permissions/repositories", token: "ATATTsandboxgood", status: 410},
		{name: "contributor", path: `/repositories/acme?role=contributor&q=slug%3D%22isc%22`, token: "ATATTsandboxgood", status: 200, want: `{"values":[{"full_name":"acme/isc"}]}`},
		{name: "not a contributor", path: `/repositories/acme?role=contributor`, token: "ATATTsandboxreadonly", status: 200, want: `{"values":[]}`},
		{name: "repository", path: "/repositories/acme/isc", token: "ATATTsandboxgood", status: 200, want: `{"full_name":"acme/isc","mainbranch":{"name":"main"}}`},
		{name: "empty repository", path: "/repositories/acme/empty", token: "ATATTsandboxgood", status: 200, want: `{"mainbranch":null}`},
		{name: "no repository", path: "/repositories/acme/none", token: "ATATTsandboxgood", status: 404, want: `{"type":"error"}`},
		{name: "without scope", path: "/repositories/acme/isc", token: "ATATTsandboxbadscopes", status: 403, want: `{"error":{"detail":{"required":["read:repository:bitbucket"]}}}`},
		{name: "branch", path: "/repositories/acme/isc/refs/branches/feature/x", token: "ATATTsandboxgood", status: 200, want: `{"name":"feature/x"}`},
		{name: "no branch", path: "/repositories/acme/isc/refs/branches/none", token: "ATATTsandboxgood", status: 404},
		{name: "restrictions", path: "/repositories/acme/protected/branch-restrictions?kind=push", token: "ATATTsandboxgood", status: 200, want: `{"values":[{"kind":"push","pattern":"main"}]}`},
		{name: "no restrictions", path: "/repositories/acme/isc/branch-restrictions?kind=push", token: "ATATTsandboxgood", status: 200, want: `{"values":[]}`},
		{name: "restrictions read-only", path: "/repositories/acme/isc/branch-restrictions", token: "ATATTsandboxreadonly", status: 403},
		{name: "hooks", path: "/repositories/acme/isc/hooks", token: "ATATTsandboxgood", status: 200, want: `{"values":[]}`},
		{name: "hooks of a writer", path: "/repositories/acme/isc/hooks", token: "ATATTsandboxwriter", status: 403},
		{name: "new branch read-only", method: "POST", path: "/repositories/acme/isc/refs/branches", body: `{"name":"b","target":{"hash":"main"}}`, token: "ATATTsandboxreadonly", status: 403},
		{name: "hooks read-only", path: "/repositories/acme/isc/hooks", token: "ATATTsandboxreadonly", status: 403},
		{name: "directory", path: "/repositories/acme/isc/src/main/resources?format=meta", token: "ATATTsandboxgood", status: 200, want: `{"type":"commit_directory"}`},
		{name: "no directory", path: "/repositories/acme/isc/src/main/none?format=meta", token: "ATATTsandboxgood", status: 404},
		{name: "name taken", method: "POST", path: "/repositories/acme/isc", body: `{"scm":"git"}`, token: "ATATTsandboxgood", status: 400},
		{name: "create read-only", method: "POST", path: "/repositories/acme/new", token: "ATATTsandboxreadonly", status: 403},
		{name: "create", method: "POST", path: "/repositories/acme/new", body: `{"scm":"git","is_private":true}`, token: "ATATTsandboxgood", status: 200, want: `{"full_name":"acme/new","mainbranch":null}`},
		{name: "no endpoint", path: "/nothing", status: 404},
	}
	play(t, "/bitbucket/2.0", basicAs("ada@sandbox.test"), exchanges)
}

func TestBitbucketCloudUsers(t *testing.T) {
	tests := map[string]struct {
		put    authorize
		token  string
		status int
		scopes string
	}{
		"API token with e-mail":   {basicAs("ada@sandbox.test"), "ATATTsandboxreadonly", 200, ""},
		"API token with username": {basicAs("ada"), "ATATTsandboxgood", 401, ""},
		"API token as Bearer":     {bearer, "ATATTsandboxgood", 401, ""},
		"access token as Bearer":  {bearer, "ATCTTsandboxgood", 200, "account:read, team, webhook, repository:write, repository:admin"},
		"access token with user":  {basicAs("x-token-auth"), "ATCTTsandboxgood", 200, ""},
		"access token as ada":     {basicAs("ada"), "ATCTTsandboxgood", 401, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := do(New(), request(exchange{method: "HEAD", path: "/bitbucket/api/2.0/user", token: test.token}, test.put))
			want := exchange{status: test.status}
			if test.scopes != "" {
				want.headers = map[string]string{"x-oauth-scopes": test.scopes}
			}
			compare(t, got, want)
		})
	}
}

func TestBitbucketCloudCreatesBranch(t *testing.T) {
	h := New()
	repo, _ := h.repo(Bitbucket, "acme/isc")
	steps := []exchange{
		{method: "POST", path: "/refs/branches", body: `{"name":"new","target":{"hash":"` + repo.commit("main") + `"}}`, status: 201, want: `{"name":"new"}`},
		{method: "POST", path: "/refs/branches", body: `{"name":"new","target":{"hash":"main"}}`, status: 400},
		{method: "POST", path: "/refs/branches", body: `{"name":"other","target":{"hash":"none"}}`, status: 400},
		{path: "/refs/branches/new", status: 200, want: `{"target":{"hash":"` + repo.commit("new") + `"}}`},
	}
	for _, step := range steps {
		step.path, step.token = "/bitbucket/2.0/repositories/acme/isc"+step.path, "ATATTsandboxgood"
		compare(t, do(h, request(step, basicAs("ada@sandbox.test"))), step)
	}
}
