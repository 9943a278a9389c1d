package git

import (
	"maps"

	"github.com/cfwizard/cfwizard/installer/check"
)

const gitLabNotFound = `{"message":"404 Project Not Found"}`

func gitLabSelfReply(scopes, expires string) reply {
	return reply{body: `{"id":1,"scopes":[` + scopes + `],"active":true,"revoked":false,"expires_at":` + expires + `}`}
}

func gitLabProjectReply(fields string) reply {
	return reply{body: `{"id":7,` + fields + `}`}
}

func gitLabLevel(level string) string {
	return `"permissions":{"project_access":{"access_level":` + level + `},"group_access":null}`
}

// gitLabShape answers as GitLab does.
func gitLabShape(provider, host string) shape {
	token := "glpat-" + "goodgoodgood"
	api := "GET " + host + "/api/v4"
	project := api + "/projects/acme%2Fteam%2Fisc"
	return shape{
		provider: provider, url: "https://" + host + "/acme/team/isc.git", token: token, restAuth: token, user: "ada",
		good: map[string]reply{
			api + "/personal_access_tokens/self":  gitLabSelfReply(`"api"`, `"2027-11-14"`),
			api + "/user":                         {body: `{"username":"ada","bot":false}`},
			project:                               gitLabProjectReply(`"default_branch":"main","empty_repo":false,"archived":false,` + gitLabLevel("40")),
			project + "/repository/branches/main": {body: `{"name":"main","protected":true,"can_push":true}`},
		},
		cases: gitLabCases(api, project),
	}
}

func gitLabCases(api, project string) map[string]change {
	self, user, main := api+"/personal_access_tokens/self", api+"/user", project+"/repository/branches/main"
	return map[string]change{
		"good": {want: allBut(check.Pass, nil)},
		"bad token": {requests: 1, why: "401 Unauthorized", want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{self: {status: 401, body: `{"message":"401 Unauthorized"}`}}},
		"revoked": {requests: 1, want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{self: {body: `{"scopes":["api"],"active":false,"revoked":true}`}}},
		"missing scope": {requests: 2, why: "lacks api", want: only(map[string]check.Status{idToken: check.Pass, idScopes: check.Fail, idExpiry: check.Pass}),
			replies: map[string]reply{self: gitLabSelfReply(`"read_user"`, `null`)}},
		"missing scope to say whose": {requests: 2, want: only(map[string]check.Status{idToken: check.Pass, idScopes: check.Fail, idExpiry: check.Pass}),
			replies: map[string]reply{self: gitLabSelfReply(`"write_repository"`, `null`), user: {status: 403, body: `{"error":"insufficient_scope"}`}}},
		"reads only": {why: "lacks api", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{self: gitLabSelfReply(`"read_api"`, `"2027-11-14"`)}},
		"expired": {requests: 1, why: "Token is expired", want: only(map[string]check.Status{idToken: check.Fail, idExpiry: check.Fail}),
			replies: map[string]reply{self: {status: 401, body: `{"error":"invalid_token","error_description":"Token is expired. You can either do re-authorization or token refresh."}`}}},
		"expires soon": {why: "ends on 2026-11-20", want: map[string]check.Status{idExpiry: check.Warn},
			replies: map[string]reply{self: gitLabSelfReply(`"api"`, `"2026-11-20"`)}},
		"old server": {why: "15.5", want: map[string]check.Status{idScopes: check.Skip, idExpiry: check.Skip, idValidator: check.Skip},
			replies: map[string]reply{self: {status: 404, body: `{"error":"404 Not Found"}`}}},
		"another product": {requests: 3, why: "there is no API of GitLab", want: only(map[string]check.Status{idReach: check.Fail}),
			replies: map[string]reply{self: {status: 404, body: `{}`}, user: {status: 404, body: `{}`}, project: {status: 404, body: `{}`}}},
		"no repo": {requests: 3, missing: MissingRepository, want: noRepo,
			replies: map[string]reply{project: {status: 404, body: gitLabNotFound}}},
		"read-only": {why: "Reporter; pushing needs Developer", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":"main",` + gitLabLevel("20")), main: {body: `{"protected":false,"can_push":false}`}}},
		"writer": {why: "not manage its webhooks", want: map[string]check.Status{idWrite: check.Warn},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":"main",` + gitLabLevel("30"))}},
		"administrator of the server": {want: map[string]check.Status{idWrite: check.Pass},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":"main","permissions":{"project_access":null,"group_access":null}`)}},
		"group access": {want: map[string]check.Status{idWrite: check.Pass},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":"main","permissions":{"project_access":null,"group_access":{"access_level":40}}`), main: {body: `{"protected":false,"can_push":false}`}}},
		"archived": {why: "is archived", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":"main","archived":true,` + gitLabLevel("40")), main: {body: `{"protected":false,"can_push":false}`}}},
		"empty repo": {requests: 3, missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{project: gitLabProjectReply(`"default_branch":null,"empty_repo":true,` + gitLabLevel("40"))}},
		"no branch": {missing: MissingBranch, ref: "feature/x", want: map[string]check.Status{idBranch: check.Fail, idProtection: check.Skip},
			replies: map[string]reply{project + "/repository/branches/feature%2Fx": {status: 404, body: `{"message":"404 Branch Not Found"}`}}},
		"protected branch": {why: "ada cannot push", want: map[string]check.Status{idProtection: check.Fail},
			replies: map[string]reply{main: {body: `{"protected":true,"can_push":false}`}}},
		"project token": {why: "token of a project", want: map[string]check.Status{idToken: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{user: {body: `{"username":"project_1_bot_x","bot":true}`}}},
		"group token": {want: map[string]check.Status{idToken: check.Pass},
			replies: map[string]reply{user: {body: `{"username":"group_1_bot_x","bot":true}`}}},
		"trouble with the project": {requests: 3, why: "answers 403: 403 Forbidden", want: map[string]check.Status{idRepo: check.Warn, idWrite: check.Skip, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{project: {status: 403, body: `{"message":"403 Forbidden"}`}}},
	}
}

func gitLabUserShape() shape {
	s := gitLabShape("gitlab", "gitlab.com")
	const self, user = "GET gitlab.com/api/v4/personal_access_tokens/self", "GET gitlab.com/api/v4/user"
	s.need = UserToken
	s.good = maps.Clone(s.good)
	s.good[self] = gitLabSelfReply(`"write_repository","read_api"`, `"2027-11-14"`)
	s.cases = map[string]change{
		"good":     {want: allBut(check.Pass, map[string]check.Status{idValidator: check.Skip})},
		"with api": {replies: map[string]reply{self: gitLabSelfReply(`"api"`, `null`)}, want: map[string]check.Status{idScopes: check.Pass}},
		"missing scope": {why: "lacks write_repository", want: map[string]check.Status{idScopes: check.Fail},
			replies: map[string]reply{self: gitLabSelfReply(`"read_api"`, `null`)}},
		"bot": {why: "belongs to a bot", want: map[string]check.Status{idToken: check.Warn},
			replies: map[string]reply{user: {body: `{"username":"group_1_bot_x","bot":true}`}}},
	}
	return s
}
