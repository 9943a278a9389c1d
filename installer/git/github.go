package git

var gitHub = Provider{
	ID: "github", Name: "GitHub", Platform: "GITHUB",
	Hosts: []string{"github.com", "www.github.com", "ssh.github.com"}, API: "https://api.github.com",
	runtimeNeeds: gitHubRuntime, userNeeds: gitHubUser,
	dialect:  gitHubAPI{version: "2022-11-28"},
	Verified: gitHubVerified,
}

// The scopes of classic tokens. Nothing else implies them.
var (
	gitHubRuntime = []string{"repo", "admin:repo_hook"}
	gitHubUser    = []string{"repo"}
)

var gitHubVerified = []Verification{
	{Check: idToken, How: "`GET /user`: 200, and the login", Requests: 1},
	{Check: idScopes, How: "its header `X-OAuth-Scopes`"},
	{Check: idExpiry, How: "its header `GitHub-Authentication-Token-Expiration`; none: it never ends"},
	{Check: idRepo, How: "`GET /repos/{owner}/{name}`: there, not archived, no SAML sign-in missing", Requests: 1},
	{Check: idWrite, How: "`permissions.push` of that answer"},
	{Check: idBranch, How: "`GET /repos/{owner}/{name}/branches/{branch}`; the default branch missing: the repository is empty", Requests: 1},
	{Check: idProtection, How: "`protected` of that answer, and `GET /repos/{owner}/{name}/rules/branches/{branch}`", Requests: 1},
	{Check: idValidator, How: "from the scopes"},
	{Only: "fine-grained", Check: idWrite, How: "git's own `info/refs?service=git-receive-pack`: 200 means a push is taken", Requests: 1},
	{Only: "fine-grained runtime", Check: idScopes, How: "by reading `hooks`, `pulls`, `keys` and `commits/{branch}/status`: a 403 names the permission that is missing", Requests: 4},
}
