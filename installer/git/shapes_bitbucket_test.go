package git

import (
	"maps"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
)

const (
	bitbucketREST    = "GET api.bitbucket.org/2.0"
	bitbucketISC     = bitbucketREST + "/repositories/acme/isc"
	bitbucketFetch   = "GET bitbucket.org/acme/isc.git/info/refs?service=git-upload-pack"
	bitbucketPush    = "GET bitbucket.org/acme/isc.git/info/refs?service=git-receive-pack"
	bitbucketRules   = bitbucketISC + "/branch-restrictions?kind=push&pagelen=100"
	bitbucketUnknown = `{"type":"error","error":{"message":"Token is invalid, expired, or not supported for this endpoint."}}`
	bitbucketNoRepo  = `{"type":"error","error":{"message":"Repository acme/isc not found"}}`
)

var noEnd = map[string]check.Status{idExpiry: check.Skip}

func bitbucketUserReply(scopes ...string) reply {
	return reply{header: map[string]string{"X-OAuth-Scopes": strings.Join(scopes, ", ")}, body: `{"username":"ada","nickname":"ada"}`}
}

func bitbucketRulesReply(users string) reply {
	return reply{body: `{"values":[{"kind":"push","branch_match_kind":"glob","pattern":"ma*","users":[` + users + `],"groups":[]}]}`}
}

// bitbucketShape is Bitbucket Cloud with a token of a workspace.
func bitbucketShape() shape {
	token := "ATCTT" + "goodgoodgood"
	scopes := []string{"account:read", "team", "webhook", "repository:write", "repository:admin"}
	return shape{
		provider: "bitbucket", url: "https://bitbucket.org/acme/isc.git", username: bitbucketAccessUser, token: token, user: "ada",
		restAuth: "Bearer " + token, gitAuth: basic(bitbucketAccessUser, token),
		good: map[string]reply{
			bitbucketREST + "/user":              bitbucketUserReply(scopes...),
			bitbucketISC:                         {body: `{"full_name":"acme/isc","mainbranch":{"name":"main"}}`},
			bitbucketPush:                        {kind: refsKind, body: "0000"},
			bitbucketISC + "/refs/branches/main": {body: `{"name":"main"}`},
			bitbucketRules:                       {body: `{"values":[]}`},
		},
		cases: bitbucketCases(scopes),
	}
}

func bitbucketCases(scopes []string) map[string]change {
	user := bitbucketREST + "/user"
	return map[string]change{
		"good": {want: allBut(check.Pass, noEnd)},
		"bad token": {requests: 1, why: "Token is invalid", want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{user: {status: 401, body: bitbucketUnknown}}},
		"expired": {requests: 1, want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{user: {status: 401, body: bitbucketUnknown}}},
		"missing scope": {why: "lacks webhook", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{user: bitbucketUserReply("account:read", "team", "repository:write", "repository:admin")}},
		"no scope to read": {requests: 1, want: only(map[string]check.Status{idToken: check.Pass, idScopes: check.Fail}),
			replies: map[string]reply{user: {status: 403, header: map[string]string{"X-OAuth-Scopes": "webhook"}, body: `{"type":"error","error":{"message":"Your credentials lack one or more required privilege scopes."}}`}}},
		"scopes the validator misses": {why: "account is not among", want: map[string]check.Status{idScopes: check.Pass, idValidator: check.Warn},
			replies: map[string]reply{user: bitbucketUserReply(scopes[2:]...)}},
		"no repo": {requests: 3, missing: MissingRepository, want: noRepo,
			replies: map[string]reply{bitbucketISC: {status: 404, body: bitbucketNoRepo}, bitbucketPush: {status: 404, kind: "text/html", body: "<!DOCTYPE html>"}}},
		"read-only": {want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{bitbucketPush: {status: 403, kind: "text/plain", body: "Forbidden"}}},
		"empty repo": {requests: 3, missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{bitbucketISC: {body: `{"mainbranch":null}`}}},
		"no branch": {missing: MissingBranch, ref: "feature/x", want: map[string]check.Status{idBranch: check.Fail, idProtection: check.Skip},
			replies: map[string]reply{bitbucketISC + "/refs/branches/feature/x": {status: 404, body: `{"type":"error","error":{"message":"Branch \"feature/x\" does not exist."}}`}}},
		"protected branch": {want: map[string]check.Status{idProtection: check.Warn}, replies: map[string]reply{bitbucketRules: bitbucketRulesReply("")}},
		"protected for others": {want: map[string]check.Status{idProtection: check.Pass},
			replies: map[string]reply{bitbucketRules: bitbucketRulesReply(`{"nickname":"ada"}`)}},
		"writer": {why: "not manage its webhooks", want: map[string]check.Status{idWrite: check.Warn, idProtection: check.Skip},
			replies: map[string]reply{bitbucketRules: {status: 403, body: `{"type":"error","error":{"message":"Admin access is required."}}`}}},
	}
}

// bitbucketEmailShape is an API token with the e-mail address of its user,
// which git takes or does not take.
func bitbucketEmailShape() shape {
	s := bitbucketShape()
	s.token, s.username = "ATATT"+"goodgoodgood", "ada@example.com"
	s.restAuth, s.gitAuth = basic(s.username, s.token), basic(s.username, s.token)
	s.good = maps.Clone(s.good)
	user, fixed := bitbucketREST+"/user", basic(bitbucketTokenUser, s.token)
	refused := reply{status: 401, kind: "text/plain", body: "Authentication failed."}
	s.good[user] = bitbucketUserReply(Needs(bitbucket, RuntimeToken)...)
	s.cases = map[string]change{
		"good": {why: "app passwords", want: allBut(check.Pass, map[string]check.Status{idExpiry: check.Skip, idValidator: check.Warn})},
		"missing scope": {why: "lacks write:webhook:bitbucket", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{user: bitbucketUserReply(bitbucketRequired[:6]...)}},
		"missing suggestion": {why: "lacks delete:webhook:bitbucket", want: map[string]check.Status{idScopes: check.Warn},
			replies: map[string]reply{user: bitbucketUserReply(bitbucketRequired...)}},
		"scopes not told": {want: map[string]check.Status{idScopes: check.Skip}, replies: map[string]reply{user: {body: `{"nickname":"ada"}`}}},
		"git takes another name": {requests: 6, why: "Set git.username: x-bitbucket-api-token-auth", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{bitbucketPush: refused, bitbucketPush + " as " + fixed: {kind: refsKind, body: "0000"}}},
		"git takes no name": {requests: 6, why: "Git refuses a push", want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{bitbucketPush: refused, bitbucketPush + " as " + fixed: {status: 403, kind: "text/plain", body: "Forbidden"}}},
	}
	return s
}

// bitbucketGitShape is an API token with a name that only git takes.
func bitbucketGitShape() shape {
	const hash = "0123456789012345678901234567890123456789"
	advertised := pkt("# service=git-upload-pack\n", "", hash+" HEAD\x00multi_ack symref=HEAD:refs/heads/main object-format=sha1\n", hash+" refs/heads/main\n", "")
	nothing := pkt("# service=git-upload-pack\n", "", strings.Repeat("0", 40)+" capabilities^{}\x00multi_ack\n", "")
	fetchKind := strings.Replace(refsKind, "receive", "upload", 1)
	token := "ATATT" + "goodgoodgood"
	unknown := map[string]check.Status{idExpiry: check.Skip, idScopes: check.Skip, idProtection: check.Skip, idValidator: check.Warn}
	return shape{
		provider: "bitbucket", url: "https://bitbucket.org/acme/isc.git", username: bitbucketTokenUser, token: token,
		gitAuth: basic(bitbucketTokenUser, token), tokens: "API token without an e-mail address",
		good: map[string]reply{bitbucketFetch: {kind: fetchKind, body: advertised}, bitbucketPush: {kind: refsKind, body: "0000"}},
		cases: map[string]change{
			"good": {want: allBut(check.Pass, unknown)},
			"bad token": {requests: 1, want: only(map[string]check.Status{idToken: check.Fail}),
				replies: map[string]reply{bitbucketFetch: {status: 401, kind: "text/plain", body: "Authentication failed."}}},
			"no repo": {requests: 1, missing: MissingRepository, want: noRepo,
				replies: map[string]reply{bitbucketFetch: {status: 404, kind: "text/plain", body: "Not found"}}},
			"read-only": {want: map[string]check.Status{idWrite: check.Fail},
				replies: map[string]reply{bitbucketPush: {status: 403, kind: "text/plain", body: "Forbidden"}}},
			"no user name": {why: "git.username is empty", username: "none", want: map[string]check.Status{idWrite: check.Fail}},
			"no branch":    {missing: MissingBranch, ref: "other", want: map[string]check.Status{idBranch: check.Fail}},
			"no default branch": {want: map[string]check.Status{idBranch: check.Skip},
				replies: map[string]reply{bitbucketFetch: {kind: fetchKind, body: pkt("# service=git-upload-pack\n", "", hash+" refs/heads/main\x00multi_ack\n", "")}}},
			"too many branches": {ref: "other", want: map[string]check.Status{idBranch: check.Skip},
				replies: map[string]reply{bitbucketFetch: {kind: fetchKind, body: strings.TrimSuffix(advertised, "0000")}}},
			"empty repo": {missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip},
				replies: map[string]reply{bitbucketFetch: {kind: fetchKind, body: nothing}}},
			"no git there": {requests: 1, why: "A web page answered", want: only(map[string]check.Status{idReach: check.Fail}),
				replies: map[string]reply{bitbucketFetch: {kind: "text/html", body: "<html>"}}},
		},
	}
}
