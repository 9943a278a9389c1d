package git

// bitbucketServerID is the one provider whose repositories have a path of
// their own shape.
const bitbucketServerID = "bitbucket-server"

var bitbucketServer = Provider{
	ID: bitbucketServerID, Name: "Bitbucket Server", Platform: "BITBUCKET_SERVER",
	runtimeNeeds: bitbucketServerNeeds, userNeeds: bitbucketServerNeeds,
	dialect: bitbucketServerAPI{},
	Verified: []Verification{
		{Check: idToken, How: "`GET /rest/api/1.0/application-properties`: 200, and the header `X-AUSERNAME`", Requests: 1},
		{Check: idScopes, How: "`GET /rest/api/1.0/repos?permission=REPO_ADMIN`, by name and project: the repository is listed", Requests: 1},
		{Check: idExpiry, How: "cannot be read"},
		{Check: idRepo, How: "`GET …/repos/{slug}`: there, not archived; `GET …/default-branch` (none: empty; older servers: `…/branches/default`)", Requests: 2},
		{Check: idWrite, How: "git's own `info/refs?service=git-receive-pack` with the user name of the answers: 200 means a push is taken", Requests: 1},
		{Check: idBranch, How: "`GET …/branches?filterText={branch}`, compared by its full name", Requests: 1},
		{Check: idProtection, How: "`GET /rest/branch-permissions/2.0/…/restrictions`", Requests: 1},
		{Check: idValidator, How: "from the API URL: below a context path it looks in the wrong place"},
	},
}

var bitbucketServerNeeds = []string{"Project admin", "Repository admin"}
