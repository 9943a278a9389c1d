package git

import (
	"github.com/cfwizard/cfwizard/installer/check"
)

const (
	serverHost   = "GET bitbucket.example.com"
	serverHello  = serverHost + "/rest/api/1.0/application-properties"
	serverISC    = serverHost + "/rest/api/1.0/projects/ACME/repos/isc"
	serverAdmin  = serverHost + "/rest/api/1.0/repos?limit=100&name=The+ISC&permission=REPO_ADMIN&projectkey=ACME"
	serverPush   = serverHost + "/scm/ACME/isc.git/info/refs?service=git-receive-pack"
	serverMain   = serverISC + "/branches?boostMatches=true&filterText=main&limit=100"
	serverRules  = serverHost + "/rest/branch-permissions/2.0/projects/ACME/repos/isc/restrictions?limit=100"
	serverAnswer = `{"version":"9.4.8","displayName":"Bitbucket"}`
	serverNone   = `{"errors":[{"message":"It does not exist.","exceptionName":"com.atlassian.bitbucket.NoSuchEntityException"}]}`
)

func serverRulesReply(kind, matcher, users string) reply {
	return reply{body: `{"values":[{"type":"` + kind + `","users":[` + users + `],"matcher":` + matcher + `}]}`}
}

// bitbucketServerShape answers as Bitbucket Data Center does.
func bitbucketServerShape() shape {
	token := "BBDC-" + "goodgoodgood"
	return shape{
		provider: "bitbucket-server", url: "https://bitbucket.example.com/scm/ACME/isc.git", username: "ada", token: token, user: "ada",
		restAuth: "Bearer " + token, gitAuth: basic("ada", token),
		good: map[string]reply{
			serverHello:                   {header: map[string]string{"X-AUSERNAME": "ada"}, body: serverAnswer},
			serverISC:                     {body: `{"slug":"isc","name":"The ISC","state":"AVAILABLE","archived":false}`},
			serverAdmin:                   {body: `{"values":[{"slug":"isc","project":{"key":"OTHER"}},{"slug":"isc","project":{"key":"acme"}}]}`},
			serverISC + "/default-branch": {body: `{"id":"refs/heads/main","displayId":"main"}`},
			serverPush:                    {kind: refsKind, body: "0000"},
			serverMain:                    {body: `{"values":[{"id":"refs/heads/main-old"},{"id":"refs/heads/main"}]}`},
			serverRules:                   {body: `{"values":[]}`},
		},
		cases: bitbucketServerCases(),
	}
}

func bitbucketServerCases() map[string]change {
	const onMain = `{"id":"refs/heads/main","type":{"id":"BRANCH"}}`
	refused := reply{status: 401, kind: "text/plain", body: "Authentication failed."}
	token := "BBDC-" + "goodgoodgood"
	return map[string]change{
		"good":                    {want: allBut(check.Pass, noEnd)},
		"address of the API":      {api: "https://bitbucket.example.com/rest/api/1.0"},
		"address with its slash":  {api: "https://bitbucket.example.com/", why: "without a path", want: map[string]check.Status{idValidator: check.Warn}},
		"address with a question": {api: "https://bitbucket.example.com?ref=b"},
		"bad token": {requests: 1, why: "check your credentials", want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{serverHello: {status: 401, body: `{"errors":[{"message":"Authentication failed. Please check your credentials and try again."}]}`}}},
		"expired": {requests: 1, want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{serverHello: {status: 401}}},
		"token ignored": {requests: 1, why: "strangers", want: only(map[string]check.Status{idToken: check.Fail}),
			replies: map[string]reply{serverHello: {body: serverAnswer}}},
		"missing scope": {why: "may not administer", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{serverAdmin: {body: `{"values":[{"slug":"isc-old","project":{"key":"ACME"}}]}`}}},
		"right in another project": {why: "may not administer", want: map[string]check.Status{idScopes: check.Fail, idValidator: check.Skip},
			replies: map[string]reply{serverAdmin: {body: `{"values":[{"slug":"isc","project":{"key":"OTHER"}}]}`}}},
		"no repo": {requests: 4, missing: MissingRepository, want: map[string]check.Status{idScopes: check.Skip, idRepo: check.Fail, idWrite: check.Skip, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{serverISC: {status: 404, body: serverNone}, serverISC + "/default-branch": {status: 404, body: serverNone}, serverPush: {status: 404, kind: "text/plain"}}},
		"read-only": {want: map[string]check.Status{idWrite: check.Fail}, replies: map[string]reply{serverPush: {status: 403, kind: "text/plain"}}},
		"archived":  {why: "is archived", want: map[string]check.Status{idWrite: check.Fail}, replies: map[string]reply{serverISC: {body: `{"slug":"isc","name":"The ISC","archived":true}`}}},
		"another user name": {why: "belongs to ada", username: "bob", gitAuth: basic("bob", token), want: map[string]check.Status{idWrite: check.Fail},
			replies: map[string]reply{serverPush: refused}},
		"no user name":    {why: "Set git.username: ada", username: "none", want: map[string]check.Status{idWrite: check.Fail}},
		"project's token": {why: "of a person", want: map[string]check.Status{idToken: check.Fail, idWrite: check.Fail, idValidator: check.Skip}, replies: map[string]reply{serverPush: refused}},
		"old server": {requests: 8, want: map[string]check.Status{idBranch: check.Pass},
			replies: map[string]reply{serverISC + "/default-branch": {status: 404, body: serverNone}, serverISC + "/branches/default": {body: `{"id":"refs/heads/main","displayId":"main"}`}}},
		"empty repo": {requests: 6, missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{serverISC + "/default-branch": {status: 404, body: serverNone}, serverISC + "/branches/default": {status: 404, body: serverNone}}},
		"empty repo with a default": {missing: MissingBranch, want: map[string]check.Status{idRepo: check.Warn, idBranch: check.Skip, idProtection: check.Skip},
			replies: map[string]reply{serverMain: {body: `{"values":[]}`}}},
		"no branch": {missing: MissingBranch, ref: "feature/x", want: map[string]check.Status{idBranch: check.Fail, idProtection: check.Skip},
			replies: map[string]reply{serverISC + "/branches?boostMatches=true&filterText=feature%2Fx&limit=100": {body: `{"values":[]}`}}},
		"protected branch": {why: "pull-request-only", want: map[string]check.Status{idProtection: check.Warn}, replies: map[string]reply{serverRules: serverRulesReply("pull-request-only", onMain, "")}},
		"protected by a pattern": {want: map[string]check.Status{idProtection: check.Warn},
			replies: map[string]reply{serverRules: serverRulesReply("read-only", `{"id":"m*","type":{"id":"PATTERN"}}`, "")}},
		"protected elsewhere": {want: map[string]check.Status{idProtection: check.Pass},
			replies: map[string]reply{serverRules: serverRulesReply("read-only", `{"id":"release/**","type":{"id":"PATTERN"}}`, "")}},
		"protected for others": {want: map[string]check.Status{idProtection: check.Pass},
			replies: map[string]reply{serverRules: serverRulesReply("read-only", onMain, `{"name":"ada"}`)}},
		"protected from deletion": {want: map[string]check.Status{idProtection: check.Pass},
			replies: map[string]reply{serverRules: serverRulesReply("no-deletes", onMain, "")}},
		"protection not shown": {want: map[string]check.Status{idProtection: check.Skip}, replies: map[string]reply{serverRules: {status: 401, body: serverNone}}},
	}
}
