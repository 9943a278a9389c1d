package git

// gitHubEnterprise is sent no API version: older servers refuse those that
// they do not know.
var gitHubEnterprise = Provider{
	ID: "github-enterprise", Name: "GitHub Enterprise", Platform: "GITHUB", apiPath: "/api/v3",
	runtimeNeeds: gitHubRuntime, userNeeds: gitHubUser,
	dialect:  gitHubAPI{},
	Verified: gitHubVerified,
}
