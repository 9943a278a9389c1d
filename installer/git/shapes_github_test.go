package git

import (
	"maps"

	"github.com/cfwizard/cfwizard/installer/check"
)

const (
	gitHubNotFound = `{"message":"Not Found","status":"404"}`
	refsKind       = "application/x-git-receive-pack-advertisement"
)

func notAccessible(permission string) reply {
	return reply{status: 403, header: map[string]string{"X-Accepted-GitHub-Permissions": permission},
		body: `{"message":"Resource not accessible by personal access token"}`}
}

func gitHubUserReply(scopes string) reply {
	return reply{header: map[string]string{"X-OAuth-Scopes": scopes, "X-RateLimit-Remaining": "4999"}, body: `{"login":"ada"}`}
}

// gitHubShape answers as GitHub does; api is host and path of the API.
func gitHubShape(provider, api, web string) shape {
	token := "ghp_" + "goodgoodgood"
	repo := "GET " + api + "/repos/acme/isc"
	return shape{
		provider: provider, url: "https://" + web + "/acme/isc.git", token: token, restAuth: "Bearer " + token, user: "ada",
		good: map[string]reply{
			"GET " + api + "/user":        gitHubUserReply("repo, admin:repo_hook"),
			repo:                          {body: `{"default_branch":"main","archived":false,"size":1,"permissions":{"pull":true,"push":true,"admin":true}}`},
			repo + "/branches/main":       {body: `{"name":"main","protected":false}`},
			repo + "/rules/branches/main": {body: `[{"type":"deletion"}]`},
		},
		cases: gitHubCases("GET "+api, repo),
	}
}

func gitHubCases(api, repo string) map[string]change {
	return map[string]change{
		"good": {want: allBut(check.Pass, nil)},
		"bad token": {requests: 1, why: "Bad credentials", want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{api + "/user": {status: 401, body: `{"message":"Bad credentials"}`}}},
		"missing scope": {requests: 4, why: "lacks admin:repo_hook", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{api + "/user": gitHubUserReply("repo, admin:org_hook")}},
		"no scope to read": {requests: 1, why: "lacks repo, admin:repo_hook", want: only(map[string]check.Status{idToken: check.Pass, idScopes: check.Fail, idExpiry: check.Pass}),
			replies: map[string]reply{api + "/user": gitHubUserReply("read:user")}},
		"expired": {requests: 4, why: "ended on 2026-11-14", want: map[string]check.Status{idExpiry: check.Fail},
			replies: map[string]reply{api + "/user": gitHubUserEnds("2026-11-14 12:00:00 UTC")}},
		"expires soon": {requests: 4, why: "in 10 days", want: map[string]check.Status{idExpiry: check.Warn},
			replies: map[string]reply{api + "/user": gitHubUserEnds("2026-11-25 11:00:00 +0200")}},
		"expires later": {want: map[string]check.Status{idExpiry: check.Pass}, why: "ends on 2027-11-14",
			replies: map[string]reply{api + "/user": gitHubUserEnds("2027-11-14 12:00:00 UTC")}},
		"no repo": {requests: 2, missing: MissingRepository, want: noRepo,
			replies: map[string]reply{repo: {status: 404, body: gitHubNotFound}}},
		"moved repo": {requests: 2, why: "moved or renamed", want: noRepo,
			replies: map[string]reply{repo: {status: 301, header: map[string]string{"Location": "/repositories/1"}}}},
		"single sign-on": {requests: 2, why: "https://github.com/orgs/acme/sso", want: noRepo,
			replies: map[string]reply{repo: {status: 403, header: map[string]string{"X-GitHub-SSO": "required; url=https://github.com/orgs/acme/sso"}, body: `{"message":"Resource protected by organization SAML enforcement."}`}}},
		"read-only": {why: "ada the right to write", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{repo: {body: `{"default_branch":"main","permissions":{"pull":true,"push":false}}`}}},
		"writer": {why: "not manage its webhooks", want: map[string]check.Status{idWrite: check.Warn},
			replies: map[string]reply{repo: {body: `{"default_branch":"main","permissions":{"push":true,"admin":false}}`}}},
		"archived": {why: "is archived", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{repo: {body: `{"default_branch":"main","archived":true,"permissions":{"push":true}}`}}},
		"empty repo": {missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{repo + "/branches/main": {status: 404, body: `{"message":"Branch not found"}`}, repo + "/rules/branches/main": {body: `[]`}}},
		"no branch": {missing: MissingBranch, ref: "feature/x", want: map[string]check.Status{idBranch: check.Fail, idProtection: check.Skip},
			replies: map[string]reply{repo + "/branches/feature%2Fx": {status: 404, body: `{"message":"Branch not found"}`}, repo + "/rules/branches/feature%2Fx": {body: `[]`}}},
		"protected branch": {why: "pull_request, required_status_checks", want: map[string]check.Status{idProtection: check.Warn},
			replies: map[string]reply{repo + "/rules/branches/main": {body: `[{"type":"pull_request"},{"type":"deletion"},{"type":"pull_request"},{"type":"required_status_checks"}]`}}},
		"old server without rules": {want: map[string]check.Status{idProtection: check.Warn},
			replies: map[string]reply{repo + "/branches/main": {body: `{"protected":true}`}, repo + "/rules/branches/main": {status: 404, body: gitHubNotFound}}},
		"trouble with the rules": {why: "has trouble of its own", want: map[string]check.Status{idProtection: check.Warn},
			replies: map[string]reply{repo + "/rules/branches/main": {status: 500, body: `{}`}}},
		"trouble with the branch": {why: "is not JSON", want: map[string]check.Status{idBranch: check.Fail, idProtection: check.Skip},
			replies: map[string]reply{repo + "/branches/main": {body: `{"protected":`}}},
	}
}

func gitHubUserEnds(at string) reply {
	r := gitHubUserReply("repo, admin:repo_hook")
	r.header["GitHub-Authentication-Token-Expiration"] = at
	return r
}

// fineGrainedShape is GitHub with a token that has permissions, not scopes.
func fineGrainedShape(need Need) shape {
	s := gitHubShape("github", "api.github.com", "github.com")
	s.token = "github_pat_" + "goodgoodgood"
	s.restAuth, s.gitAuth, s.need = "Bearer "+s.token, basic(gitHubAnyUser, s.token), need
	const repo, push = "GET api.github.com/repos/acme/isc", "GET github.com/acme/isc.git/info/refs?service=git-receive-pack"
	s.good = maps.Clone(s.good)
	s.good["GET api.github.com/user"] = reply{body: `{"login":"ada"}`}
	s.good[push] = reply{kind: refsKind, body: "001f# service=git-receive-pack\n0000"}
	readOnly := change{why: "Contents: write", want: map[string]check.Status{idWrite: check.Fail, idScopes: check.Fail, idValidator: check.Skip},
		replies: map[string]reply{push: {status: 403, kind: "text/plain", body: "Write access to repository not granted."}}}
	if need == UserToken {
		s.tokens = "fine-grained user"
		s.cases = map[string]change{"good": {want: allBut(check.Pass, map[string]check.Status{idValidator: check.Skip})}, "read-only": readOnly}
		return s
	}
	s.tokens = "fine-grained runtime"
	s.good[repo+"/hooks?per_page=1"] = reply{body: `[]`}
	s.good[repo+"/pulls?per_page=1"] = reply{body: `[]`}
	s.good[repo+"/keys?per_page=1"] = reply{body: `[]`}
	s.good[repo+"/commits/main/status?per_page=1"] = reply{body: `{"state":"pending"}`}
	s.cases = map[string]change{
		"webhooks not seen": {why: "lacks Webhooks", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{repo + "/hooks?per_page=1": {status: 404, body: gitHubNotFound}}},
		"good": {why: "skipGitPermissionValidation", want: allBut(check.Pass, map[string]check.Status{idValidator: check.Warn})},
		"missing scope": {why: "lacks Webhooks: read and write, Administration: read and write", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{repo + "/hooks?per_page=1": notAccessible("repository_hooks=read"), repo + "/keys?per_page=1": notAccessible("administration=read")}},
		"a 404 says nothing": {want: map[string]check.Status{idScopes: check.Pass},
			replies: map[string]reply{repo + "/keys?per_page=1": {status: 404, body: gitHubNotFound}}},
		"read-only": readOnly,
		"archived": {why: "is archived", want: map[string]check.Status{idWrite: check.Fail, idScopes: check.Pass},
			replies: map[string]reply{repo: {body: `{"default_branch":"main","archived":true,"permissions":{"push":true,"admin":true}}`}, push: {status: 403, kind: "text/plain"}}},
		"trouble with git": {why: "does not speak git", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{push: {kind: "text/plain", body: "hello"}}},
		"not for this repo": {requests: 2, why: "not given the repository", want: only(map[string]check.Status{idToken: check.Pass, idExpiry: check.Pass, idRepo: check.Fail, idValidator: check.Warn}),
			replies: map[string]reply{repo: notAccessible("metadata=read")}},
	}
	return s
}

// untoldShape is GitHub behind a gateway that drops the header with the scopes.
func untoldShape() shape {
	s := fineGrainedShape(RuntimeToken)
	s.token = "ghp_" + "goodgoodgood"
	s.restAuth, s.gitAuth = "Bearer "+s.token, basic(gitHubAnyUser, s.token)
	s.cases = map[string]change{"good": {why: "which this server does not send", want: s.cases["good"].want}}
	return s
}

func gitHubUserShape() shape {
	s := gitHubShape("github", "api.github.com", "github.com")
	s.need = UserToken
	s.good = maps.Clone(s.good)
	s.good["GET api.github.com/user"] = gitHubUserReply("repo")
	s.cases = map[string]change{
		"good": {want: allBut(check.Pass, map[string]check.Status{idValidator: check.Skip})},
		"writer": {want: map[string]check.Status{idWrite: check.Pass},
			replies: map[string]reply{"GET api.github.com/repos/acme/isc": {body: `{"default_branch":"main","permissions":{"push":true}}`}}},
	}
	return s
}
