package codefresh

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The query texts of the official client.
const (
	meQuery = `query Me { me { id name email isAdmin
  accounts { id name }
  activeAccount { id name gitProvider gitApiUrl sharedConfigRepo admins features { gitopsPlanEnforcement } } } }`
	runtimeQuery = `query GetRuntime($name: String!) { runtime(name: $name) {
  metadata { name namespace } self { syncStatus healthMessage healthStatus }
  syncStatus healthStatus healthMessage cluster managed isRemoteClusterConnected
  ingressHost internalIngressHost ingressClass ingressController runtimeVersion
  installationStatus installationType repo managedClustersNum gitProvider accessMode } }`
	runtimesQuery = `query Runtimes { runtimes { edges { node { metadata { name namespace }
  self { syncStatus healthMessage healthStatus } syncStatus healthMessage healthStatus
  managed cluster ingressHost runtimeVersion installationStatus installationType } } } }`
	limitsQuery     = `query LimitsStatus { limitsStatus { usage { clusters applications } limits { clusters applications } status } }`
	settingsQuery   = `query { me { activeAccount { gitProvider gitApiUrl sharedConfigRepo csdpValidated } } }`
	settingsUpdate  = `mutation updateCsdpSettings($gitProvider: GitProviders!, $gitApiUrl: String!, $sharedConfigRepo: String!) { updateCsdpSettings(gitProvider: $gitProvider, gitApiUrl: $gitApiUrl, sharedConfigRepo: $sharedConfigRepo) }`
	gitSourcesQuery = `query GitSources($runtime: String) { gitSources(runtime: $runtime) { edges { node { metadata { name } self { path repoURL status { syncStatus healthStatus } } } } } }`
	deleteQuery     = `mutation DeleteRuntime($name: String!) { deleteRuntime(name: $name) }`
	registerToken   = `mutation RegisterToGitIntegration($args: RegisterToGitIntegrationArgs!) { registerToGitIntegration(args: $args) { name sharingPolicy provider apiUrl registeredUsers } }`
	createSource    = `mutation CreateGitSource($args: CreateGitSourceInput!) { createGitSource(args: $args) }`
)

type vars = map[string]any

func post(t *testing.T, handler http.Handler, path, credential string, body any) *httptest.ResponseRecorder {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(text))
	request.Header.Set("Authorization", credential)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func get(handler http.Handler, path, credential string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	request.Header.Set("Authorization", credential)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

// ask runs a query on the platform and returns the body as it was sent.
func ask(t *testing.T, p *Platform, text string, variables vars) string {
	t.Helper()
	answer := post(t, p.Handler(), "/2.0/api/graphql", DefaultAPIKey, vars{"query": text, "variables": variables})
	return strings.TrimSpace(answer.Body.String())
}

// askProxy does the same on the app-proxy.
func askProxy(t *testing.T, p *Platform, text string, variables vars) string {
	t.Helper()
	answer := post(t, p.AppProxy(), "/app-proxy/api/graphql", DefaultAPIKey, vars{"query": text, "variables": variables})
	return strings.TrimSpace(answer.Body.String())
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func expectContains(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("got  %s\nwant it to contain %s", got, want)
	}
}

func register(t *testing.T, p *Platform, name string) string {
	t.Helper()
	token, err := p.Register(RuntimeRecord{Name: name, Namespace: "codefresh", RuntimeVersion: "0.1.71",
		IngressHost: "https://runtime.sandbox.test"})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func turnOn(t *testing.T, p *Platform, name, value string) {
	t.Helper()
	if err := p.SetSwitch(name, value); err != nil {
		t.Fatal(err)
	}
}
