package codefresh

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestGitIntegrations(t *testing.T) {
	const fieldsF = `name sharingPolicy provider apiUrl registeredUsers`
	p := New(Options{})
	register(t, p, "one")
	steps := []struct {
		name, query string
		variables   vars
		want        string
	}{
		{"the default one exists", `query GitIntegrations { gitIntegrations { name sharingPolicy provider apiUrl users { userId } } }`, nil,
			`{"data":{"gitIntegrations":[{"name":"default","sharingPolicy":"ALL_USERS_IN_ACCOUNT","provider":"GITHUB","apiUrl":"https://api.github.com","users":[]}]}}`},
		{"register", registerToken, vars{"args": vars{"name": "default", "token": "ghp_sandboxgood"}},
			`{"data":{"registerToGitIntegration":{"name":"default","sharingPolicy":"ALL_USERS_IN_ACCOUNT","provider":"GITHUB","apiUrl":"https://api.github.com","registeredUsers":["64f0c0ffee000000000000aa"]}}}`},
		{"add", `mutation AddGitIntegration($args: AddGitIntegrationArgs!) { addGitIntegration(args: $args) { ` + fieldsF + ` } }`,
			vars{"args": vars{"name": "lab", "provider": "GITLAB", "apiUrl": "https://gitlab.com/api/v4", "sharingPolicy": "ACCOUNT_ADMINS"}},
			`{"data":{"addGitIntegration":{"name":"lab","sharingPolicy":"ACCOUNT_ADMINS","provider":"GITLAB","apiUrl":"https://gitlab.com/api/v4","registeredUsers":[]}}}`},
		{"edit", `mutation EditGitIntegration($args: EditGitIntegrationArgs!) { editGitIntegration(args: $args) { name sharingPolicy } }`,
			vars{"args": vars{"name": "lab", "sharingPolicy": "ALL_USERS_IN_ACCOUNT"}},
			`{"data":{"editGitIntegration":{"name":"lab","sharingPolicy":"ALL_USERS_IN_ACCOUNT"}}}`},
		{"get with null", `query GitIntegration($name: String) { gitIntegration(name: $name) { name } }`, vars{"name": nil},
			`{"data":{"gitIntegration":{"name":"default"}}}`},
		{"deregister", `mutation DeregisterFromGitIntegration($name: String) { deregisterFromGitIntegration(name: $name) { registeredUsers } }`, nil,
			`{"data":{"deregisterFromGitIntegration":{"registeredUsers":[]}}}`},
		{"remove", `mutation RemoveGitIntegration($name: String!) { removeGitIntegration(name: $name) }`, vars{"name": "lab"},
			`{"data":{"removeGitIntegration":null}}`},
		{"get what is gone", `query GitIntegration($name: String) { gitIntegration(name: $name) { name } }`, vars{"name": "lab"},
			`{"data":{"gitIntegration":null}}`},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) { expect(t, askProxy(t, p, step.query, step.variables), step.want) })
	}
}

func TestRegisterToGitIntegrationIsRefused(t *testing.T) {
	tests := map[string]struct {
		provider string
		args     vars
		message  string
	}{
		"no such integration":    {"GITHUB", vars{"name": "ghost", "token": "x"}, `\"ghost\" does not exist`},
		"empty token":            {"GITHUB", vars{"token": ""}, "token is empty"},
		"bitbucket without user": {"BITBUCKET", vars{"token": "x"}, "username is required"},
		"unknown field":          {"GITHUB", vars{"token": "x", "user": "y"}, `Field \"user\" is not defined`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{GitProvider: test.provider})
			register(t, p, "one")
			expectContains(t, askProxy(t, p, registerToken, vars{"args": test.args}), test.message)
		})
	}
}

func TestUserTokensAreJudged(t *testing.T) {
	p := New(Options{})
	register(t, p, "one")
	p.JudgeTokensWith(func(provider, apiURL, token string) bool {
		return provider == "GITHUB" && apiURL == "https://api.github.com" && token == "good"
	})
	expectContains(t, askProxy(t, p, registerToken, vars{"args": vars{"token": "bad"}}), "does not take the token")
	expectContains(t, askProxy(t, p, registerToken, vars{"args": vars{"token": "good"}}), `"registeredUsers":["64f0c0ffee000000000000aa"]`)
}

// A webhook is taken for the namespace of a runtime, at a host of a runtime.
func TestWebhooksLeadToARuntime(t *testing.T) {
	p := New(Options{})
	if _, err := p.Register(RuntimeRecord{Name: "one", Namespace: "codefresh", IngressHost: "https://one.example.com"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/webhooks/codefresh/push-github": http.StatusOK, "/webhooks/other/push-github": http.StatusNotFound,
		"/webhooks/codefresh/other": http.StatusNotFound, "/webhooks/codefresh": http.StatusNotFound} {
		recorder := httptest.NewRecorder()
		p.AppProxy().ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, path, nil))
		if recorder.Code != want {
			t.Errorf("%s: %d, want %d", path, recorder.Code, want)
		}
	}
	for host, want := range map[string]bool{"one.example.com": true, "two.example.com": false, "": false} {
		if got := p.ServesHost(host); got != want {
			t.Errorf("serves %q: %v", host, got)
		}
	}
}

func TestOnlyTheUserDeletesARuntime(t *testing.T) {
	p := New(Options{})
	token := register(t, p, "one")
	for _, key := range []string{"", "x.y", token} {
		if p.DeleteRuntime(key, "one"); p.find("one") == nil {
			t.Fatalf("%q deleted the runtime", key)
		}
	}
	if p.DeleteRuntime(DefaultAPIKey, "one"); p.find("one") != nil {
		t.Error("the user's key did not delete the runtime")
	}
}

func TestGitSources(t *testing.T) {
	p := New(Options{})
	args := vars{"args": vars{"appName": "demo", "appSpecifier": "https://github.com/acme/isc.git/apps?ref=main",
		"destServer": "https://kubernetes.default.svc", "destNamespace": "codefresh", "include": "", "exclude": ""}}
	expectContains(t, askProxy(t, p, createSource, args), "no runtime is registered")
	register(t, p, "one")
	expectContains(t, askProxy(t, p, createSource, args), "register a Git user token")
	askProxy(t, p, registerToken, vars{"args": vars{"token": "ghp_sandboxgood"}})
	expect(t, askProxy(t, p, createSource, args), `{"data":{"createGitSource":null}}`)

	expect(t, ask(t, p, gitSourcesQuery, vars{"runtime": "one"}),
		`{"data":{"gitSources":{"edges":[{"node":{"metadata":{"name":"demo"},"self":null}}]}}}`)
	synced := `{"data":{"gitSources":{"edges":[{"node":{"metadata":{"name":"demo"},"self":{"path":"apps","repoURL":"https://github.com/acme/isc.git","status":{"syncStatus":"SYNCED","healthStatus":"HEALTHY"}}}}]}}}`
	expect(t, ask(t, p, gitSourcesQuery, vars{"runtime": "one"}), synced)
	expect(t, ask(t, p, gitSourcesQuery, vars{"runtime": "two"}), `{"data":{"gitSources":{"edges":[]}}}`)
	turnOn(t, p, switchGitSourceStuck, "on")
	expectContains(t, ask(t, p, gitSourcesQuery, vars{"runtime": "one"}), `"self":null`)

	edit := `mutation EditGitSource($args: EditGitSourceInput!) { editGitSource(args: $args) }`
	expect(t, askProxy(t, p, edit, vars{"args": vars{"appName": "demo", "appSpecifier": "https://github.com/acme/isc.git"}}), `{"data":{"editGitSource":null}}`)
	remove := `mutation DeleteApplication($args: DeleteApplicationInput!) { deleteApplication(args: $args) }`
	expect(t, askProxy(t, p, remove, vars{"args": vars{"appName": "demo"}}), `{"data":{"deleteApplication":null}}`)
	expect(t, ask(t, p, gitSourcesQuery, nil), `{"data":{"gitSources":{"edges":[]}}}`)
}

func TestResultsWithoutAnObject(t *testing.T) {
	tests := map[string]struct {
		query     string
		variables vars
		want      string
	}{
		"rollouts": {`mutation CreateArgoRollouts($args: CreateArgoRolloutsInput!) { createArgoRollouts(args: $args) }`,
			vars{"args": vars{"destServer": "s", "destNamespace": "n"}}, `{"data":{"createArgoRollouts":null}}`},
		"cluster": {`mutation RemoveCluster($server: String!, $runtime: String!) { removeCluster(server: $server, runtime: $runtime) }`,
			vars{"server": "s", "runtime": "r"}, `{"data":{"removeCluster":null}}`},
		"shared configuration": {`mutation RemoveRuntimeFromIscRepo { removeRuntimeFromIscRepo }`, nil,
			`{"data":{"removeRuntimeFromIscRepo":1}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			expect(t, askProxy(t, New(Options{}), test.query, test.variables), test.want)
		})
	}
}

func TestAppProxyStarting(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := New(Options{Now: func() time.Time { return now }})
	ready := func() int { return get(p.AppProxy(), "/app-proxy/api/readyz", "").Code }

	turnOn(t, p, switchAppProxyStarting, "10s")
	if got := ready(); got != http.StatusBadGateway {
		t.Errorf("while it starts: got %d, want 502", got)
	}
	if got := get(p.AppProxy(), "/readyz", ""); got.Code != http.StatusOK || got.Body.String() != "ok" {
		t.Errorf("the router itself answered %d %q", got.Code, got.Body)
	}
	now = now.Add(11 * time.Second)
	if got := ready(); got != http.StatusOK {
		t.Errorf("after the time: got %d, want 200", got)
	}
	turnOn(t, p, switchAppProxyStarting, "always")
	now = now.Add(24 * time.Hour)
	if got := ready(); got != http.StatusBadGateway {
		t.Errorf("always: got %d, want 502", got)
	}
}
