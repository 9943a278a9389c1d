package codefresh

// rootField is one operation of an endpoint: where it may stand, what it
// takes, what type it leads to (empty for a scalar) and who answers it.
type rootField struct {
	kind      string
	result    string
	arguments map[string]string
	resolve   func(*Platform, call) (any, error)
}

// call is one root field of a request, with its arguments filled in.
// Resolvers run while the lock of the Platform is held.
type call struct {
	caller    caller
	arguments map[string]any
}

func (c call) text(name string) string {
	text, _ := c.arguments[name].(string)
	return text
}

// input is an argument that is an input object.
func (c call) input(name string) input {
	values, _ := c.arguments[name].(map[string]any)
	return values
}

type input map[string]any

func (i input) text(name string) string {
	text, _ := i[name].(string)
	return text
}

func (i input) flag(name string) bool {
	flag, _ := i[name].(bool)
	return flag
}

type takes = map[string]string

// platformFields are the operations of the platform's endpoint.
var platformFields = map[string]rootField{
	"me":           {query, "User", nil, (*Platform).me},
	"limitsStatus": {query, "LimitsStatus", nil, (*Platform).limitsStatus},
	"updateCsdpSettings": {mutation, "", takes{"gitProvider": "GitProviders!", "gitApiUrl": "String!",
		"sharedConfigRepo": "String!"}, (*Platform).updateCsdpSettings},
	"suggestIscRepo": {mutation, "", takes{"suggestedSharedConfigRepo": "String!"}, (*Platform).suggestIscRepo},

	"runtime":  {query, "Runtime", takes{"name": "String!"}, (*Platform).runtime},
	"runtimes": {query, "RuntimeSlice", takes{"pagination": "SlicePaginationArgs"}, (*Platform).runtimes},
	"createRuntime": {mutation, "RuntimeCreationResponse", takes{"installationArgs": "RuntimeInstallationArgs!"},
		(*Platform).createRuntime},
	"deleteRuntime": {mutation, "", takes{"name": "String!"}, (*Platform).deleteRuntime},

	"gitSources": {query, "GitSourceSlice", takes{"pagination": "SlicePaginationArgs", "project": "String",
		"runtime": "String"}, (*Platform).listGitSources},
	"components": {query, "ComponentSlice", takes{"runtime": "String!"}, (*Platform).components},
	"clusters": {query, "ClusterSlice", takes{"runtime": "String", "pagination": "SlicePaginationArgs"},
		(*Platform).clusters},

	// What only a runtime asks for.
	"applications": {query, "ApplicationSlice", takes{"pagination": "SlicePaginationArgs",
		"filters": "ApplicationsFilterArgs"}, (*Platform).applications},
	"saveSealingKey": {mutation, "", takes{"privateKey": "String!"}, (*Platform).saveSealingKey},
	"getSealingKey":  {query, "", takes{"id": "String!"}, (*Platform).getSealingKey},
	"shouldBeImplicitConfigurationRuntime": {query, "", nil,
		(*Platform).shouldBeImplicitConfigurationRuntime},
}

// appProxyFields are the operations of a runtime's app-proxy.
var appProxyFields = map[string]rootField{
	"gitIntegration":  {query, "GitIntegration", takes{"name": "String"}, (*Platform).gitIntegration},
	"gitIntegrations": {query, "GitIntegration", nil, (*Platform).gitIntegrations},
	"addGitIntegration": {mutation, "GitIntegration", takes{"args": "AddGitIntegrationArgs!"},
		(*Platform).addGitIntegration},
	"registerToGitIntegration": {mutation, "GitIntegration", takes{"args": "RegisterToGitIntegrationArgs!"},
		(*Platform).registerToGitIntegration},
	"deregisterFromGitIntegration": {mutation, "GitIntegration", takes{"name": "String"},
		(*Platform).deregisterFromGitIntegration},
	"editGitIntegration": {mutation, "GitIntegration", takes{"args": "EditGitIntegrationArgs!"},
		(*Platform).editGitIntegration},
	"removeGitIntegration": {mutation, "", takes{"name": "String!"}, (*Platform).removeGitIntegration},

	"createGitSource":   {mutation, "", takes{"args": "CreateGitSourceInput!"}, (*Platform).createGitSource},
	"editGitSource":     {mutation, "", takes{"args": "EditGitSourceInput!"}, (*Platform).editGitSource},
	"deleteApplication": {mutation, "", takes{"args": "DeleteApplicationInput!"}, (*Platform).deleteApplication},

	"removeRuntimeFromIscRepo": {mutation, "", nil, (*Platform).removeRuntimeFromIscRepo},
	"createArgoRollouts":       {mutation, "", takes{"args": "CreateArgoRolloutsInput!"}, acceptWithNull},
	"removeCluster":            {mutation, "", takes{"server": "String!", "runtime": "String!"}, acceptWithNull},
}

// acceptWithNull answers mutations whose effect the sandbox does not model.
func acceptWithNull(*Platform, call) (any, error) { return nil, nil }
