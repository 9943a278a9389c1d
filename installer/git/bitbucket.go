package git

import "slices"

var bitbucket = Provider{
	ID: "bitbucket", Name: "Bitbucket Cloud", Platform: "BITBUCKET",
	Hosts: []string{"bitbucket.org", "altssh.bitbucket.org"}, API: "https://api.bitbucket.org/2.0", apiPath: "/2.0",
	runtimeNeeds: slices.Concat(bitbucketRequired, bitbucketSuggested),
	userNeeds:    slices.Concat(bitbucketRequired, bitbucketSuggested),
	dialect:      bitbucketAPI{},
	Verified: []Verification{
		{Check: idToken, How: "`GET /user`: 200, and the name", Requests: 1},
		{Check: idScopes, How: "its header `X-OAuth-Scopes`"},
		{Check: idExpiry, How: "cannot be read"},
		{Check: idRepo, How: "`GET /repositories/{workspace}/{slug}`: there, `mainbranch` (none: empty)", Requests: 1},
		{Check: idWrite, How: "git's own `info/refs?service=git-receive-pack` with the user name of the answers: 200 means a push is taken", Requests: 1},
		{Check: idBranch, How: "`GET /repositories/{workspace}/{slug}/refs/branches/{branch}`", Requests: 1},
		{Check: idProtection, How: "`GET /repositories/{workspace}/{slug}/branch-restrictions?kind=push`", Requests: 1},
		{Check: idValidator, How: "from the kind of token, its user name and its scopes"},
		{Only: "user name that git does not take", Check: idWrite, How: "the same with the name that always works, to tell the name from the right", Requests: 1},
		{Only: "API token without an e-mail address", Check: idToken, How: "git's own `info/refs?service=git-upload-pack`, in place of all the above: REST takes the e-mail address only", Requests: 1},
		{Only: "API token without an e-mail address", Check: idRepo, How: "the refs of that answer: there, empty, default branch, branch"},
		{Only: "API token without an e-mail address", Check: idWrite, How: "git's own `info/refs?service=git-receive-pack`", Requests: 1},
	},
}

// The scopes of API tokens. They do not include each other: writing does not
// imply reading. What is only suggested serves pull requests and clearing up.
var (
	bitbucketRequired = []string{"read:user:bitbucket", "read:workspace:bitbucket", "read:repository:bitbucket",
		"write:repository:bitbucket", "admin:repository:bitbucket", "read:webhook:bitbucket", "write:webhook:bitbucket"}
	bitbucketSuggested = []string{"delete:webhook:bitbucket", "read:pullrequest:bitbucket", "write:pullrequest:bitbucket"}
)

// The scopes of access tokens, which a workspace, project or repository has.
var bitbucketAccessToken = []string{"repository:write", "repository:admin", "webhook"}
