package git

var gitLab = Provider{
	ID: "gitlab", Name: "GitLab", Platform: "GITLAB",
	Hosts: []string{"gitlab.com", "altssh.gitlab.com"}, API: "https://gitlab.com/api/v4", apiPath: "/api/v4",
	runtimeNeeds: gitLabRuntime, userNeeds: gitLabUser,
	dialect:  gitLabAPI{},
	Verified: gitLabVerified,
}

// A user token may also have the scope api, which includes both.
var (
	gitLabRuntime = []string{"api"}
	gitLabUser    = []string{"write_repository", "read_api"}
)

var gitLabVerified = []Verification{
	{Check: idToken, How: "`GET /personal_access_tokens/self`: 200 and active; `GET /user`: the name, and whether it is a bot of a project", Requests: 2},
	{Check: idScopes, How: "`scopes` of the first answer; not told by GitLab before 15.5"},
	{Check: idExpiry, How: "`expires_at` of the first answer"},
	{Check: idRepo, How: "`GET /projects/{path}`: there, not archived, `empty_repo`", Requests: 1},
	{Check: idWrite, How: "the access level of that answer: Developer or more"},
	{Check: idBranch, How: "`GET /projects/{path}/repository/branches/{branch}`", Requests: 1},
	{Check: idProtection, How: "`protected` and `can_push` of that answer"},
	{Check: idValidator, How: "from the scopes and the kind of token"},
}
