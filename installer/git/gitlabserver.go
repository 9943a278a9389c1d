package git

var gitLabServer = Provider{
	ID: "gitlab-server", Name: "GitLab Server", Platform: "GITLAB", apiPath: "/api/v4",
	runtimeNeeds: gitLabRuntime, userNeeds: gitLabUser,
	dialect:  gitLabAPI{},
	Verified: gitLabVerified,
}
