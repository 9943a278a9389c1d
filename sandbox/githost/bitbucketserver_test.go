package githost

import "testing"

func TestDataCenter(t *testing.T) {
	ada := map[string]string{"X-AUSERNAME": "ada"}
	exchanges := []exchange{
		{name: "properties for a stranger", path: "/api/1.0/application-properties", status: 200, want: `{"displayName":"Bitbucket","version":"9.4.8"}`, headers: map[string]string{"X-AUSERNAME": ""}},
		{name: "properties", method: "HEAD", path: "/api/1.0/application-properties", token: "BBDC-sandboxgood", status: 200, headers: ada},
		{name: "wrong token", method: "HEAD", path: "/api/1.0/application-properties", token: "BBDC-nope", status: 401, headers: map[string]string{"X-AUSERNAME": ""}},
		{name: "expired", method: "HEAD", path: "/api/1.0/application-properties", token: "BBDC-sandboxexpired", status: 401},
		{name: "invalid name", method: "POST", path: "/api/1.0/users/ada/repos", body: `{"name":"!invalid"}`, token: "BBDC-sandboxgood", status: 400},
		{name: "invalid name without right", method: "POST", path: "/api/1.0/users/ada/repos", body: `{"name":"!invalid"}`, token: "BBDC-sandboxbadscopes", status: 401},
		{name: "right to write", path: "/api/1.0/repos?name=isc&projectkey=ACME&permission=REPO_WRITE", token: "BBDC-sandboxbadscopes", status: 200, want: `{"values":[{"slug":"isc"}]}`},
		{name: "no right to administer", path: "/api/1.0/repos?name=isc&projectkey=ACME&permission=REPO_ADMIN", token: "BBDC-sandboxbadscopes", status: 200, want: `{"values":[],"isLastPage":true}`},
		{name: "nobody may write", path: "/api/1.0/repos?name=readonly&permission=REPO_WRITE", token: "BBDC-sandboxgood", status: 200, want: `{"values":[]}`},
		{name: "archived", path: "/api/1.0/projects/ACME/repos/archived", token: "BBDC-sandboxgood", status: 200, want: `{"archived":true}`},
		{name: "no right to write", path: "/api/1.0/repos?name=isc&permission=REPO_WRITE", token: "BBDC-sandboxreadonly", status: 200, want: `{"values":[]}`},
		{name: "other project", path: "/api/1.0/repos?name=isc&projectkey=NONE", token: "BBDC-sandboxgood", status: 200, want: `{"values":[]}`},
		{name: "repository", path: "/api/1.0/projects/ACME/repos/isc", token: "BBDC-sandboxgood", status: 200, headers: ada,
			want: `{"slug":"isc","state":"AVAILABLE","project":{"key":"ACME"},"links":{"clone":[{"href":"http://127.0.0.1:8080/bitbucket-server/scm/acme/isc.git"}]}}`},
		{name: "repository for a stranger", path: "/api/1.0/projects/ACME/repos/isc", status: 401},
		{name: "no repository", path: "/api/1.0/projects/ACME/repos/none", token: "BBDC-sandboxgood", status: 404},
		{name: "project", path: "/api/1.0/projects/ACME", token: "BBDC-sandboxgood", status: 200, want: `{"key":"ACME"}`},
		{name: "no project", path: "/api/1.0/projects/NONE", token: "BBDC-sandboxgood", status: 404},
		{name: "default branch", path: "/api/latest/projects/ACME/repos/isc/default-branch", token: "BBDC-sandboxgood", status: 200, want: `{"id":"refs/heads/main","displayId":"main"}`},
		{name: "default branch, old", path: "/api/1.0/projects/ACME/repos/isc/branches/default", token: "BBDC-sandboxgood", status: 200, want: `{"isDefault":true}`},
		{name: "default branch of empty", path: "/api/1.0/projects/ACME/repos/empty/default-branch", token: "BBDC-sandboxgood", status: 404},
		{name: "branches", path: "/api/1.0/projects/ACME/repos/isc/branches?filterText=feature/x&boostMatches=true", token: "BBDC-sandboxgood", status: 200, want: `{"values":[{"id":"refs/heads/feature/x"}]}`},
		{name: "restrictions", path: "/branch-permissions/2.0/projects/ACME/repos/protected/restrictions", token: "BBDC-sandboxgood", status: 200, want: `{"values":[{"type":"pull-request-only","matcher":{"id":"refs/heads/main"}}]}`},
		{name: "no restrictions", path: "/branch-permissions/2.0/projects/ACME/repos/isc/restrictions", token: "BBDC-sandboxgood", status: 200, want: `{"values":[]}`},
		{name: "restrictions read-only", path: "/branch-permissions/2.0/projects/ACME/repos/isc/restrictions", token: "BBDC-sandboxreadonly", status: 401},
		{name: "browse", path: "/api/1.0/projects/ACME/repos/isc/browse/resources?at=refs/heads/main", token: "BBDC-sandboxgood", status: 200, want: `{"type":"DIRECTORY"}`},
		{name: "browse nothing", path: "/api/1.0/projects/ACME/repos/isc/browse/none", token: "BBDC-sandboxgood", status: 404},
		{name: "browse no branch", path: "/api/1.0/projects/ACME/repos/isc/browse/resources?at=refs/heads/none", token: "BBDC-sandboxgood", status: 404},
		{name: "create", method: "POST", path: "/api/1.0/projects/ACME/repos", body: `{"name":"My Repo","scmId":"git"}`, token: "BBDC-sandboxgood", status: 201, want: `{"slug":"my-repo"}`},
		{name: "name taken", method: "POST", path: "/api/1.0/projects/ACME/repos", body: `{"name":"isc"}`, token: "BBDC-sandboxgood", status: 409},
		{name: "create branch", method: "POST", path: "/api/latest/projects/ACME/repos/isc/branches", body: `{"name":"b","startPoint":"refs/heads/main"}`, token: "BBDC-sandboxgood", status: 200, want: `{"displayId":"b"}`},
		{name: "create branch again", method: "POST", path: "/branch-utils/1.0/projects/ACME/repos/isc/branches", body: `{"name":"develop","startPoint":"main"}`, token: "BBDC-sandboxgood", status: 409},
		{name: "create branch read-only", method: "POST", path: "/api/latest/projects/ACME/repos/isc/branches", body: `{"name":"b","startPoint":"main"}`, token: "BBDC-sandboxreadonly", status: 401},
		{name: "no endpoint", path: "/nothing", status: 404},
	}
	play(t, "/bitbucket-server/rest", bearer, exchanges)
}
