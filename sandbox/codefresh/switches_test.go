package codefresh

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSetSwitchRefuses(t *testing.T) {
	tests := map[string]struct{ name, value, message string }{
		"unknown":        {"no-such", "on", `unknown switch "no-such", known are: account-mismatch, app-proxy-`},
		"not a flag":     {switchNonAdmin, "maybe", "neither on nor off"},
		"not a status":   {switchHTTPStatus, "200", "no HTTP status"},
		"not a duration": {switchSlow, "long", "invalid duration"},
		"not a field":    {switchMissingField, "User.shoeSize", "names no field"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := New(Options{}).SetSwitch(test.name, test.value)
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want an error with %q", err, test.message)
			}
		})
	}
}

func TestSwitchesAndReset(t *testing.T) {
	p := New(Options{})
	turnOn(t, p, switchNameTaken, "one")
	turnOn(t, p, switchSlow, "1ms")
	turnOn(t, p, switchSlow, "")
	if got, want := p.Switches(), map[string]string{switchNameTaken: "one"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	p.Reset()
	if got := p.Switches(); len(got) != 0 {
		t.Errorf("after Reset: %v", got)
	}
	if _, found := p.Runtime("one"); found {
		t.Error("Reset kept a runtime")
	}
}

func TestNetworkSwitches(t *testing.T) {
	tests := map[string]struct {
		name, value string
		status      int
		body        string
	}{
		"unauthorized": {switchHTTPStatus, "401", 401, `{"status":401,"message":"Unauthorized"}`},
		"forbidden":    {switchHTTPStatus, "403", 403, `{"status":403,"message":"Forbidden"}`},
		"broken":       {switchHTTPStatus, "500", 500, `{"status":500,"message":"Internal Server Error"}`},
		"graphql":      {switchGraphQLErrors, "no luck", 200, `{"errors":[{"message":"no luck","extensions":{"code":"SANDBOX_SWITCH"}}]}` + "\n"},
		"html":         {switchHTMLBody, "on", 200, htmlBody},
		"older":        {switchMissingField, "User.name,AccountFeatures.gitopsPlanEnforcement", 400, `{"errors":[{"message":"Cannot query field \"name\" on type \"User\".","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}` + "\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{})
			turnOn(t, p, test.name, test.value)
			got := post(t, p.Handler(), "/2.0/api/graphql", DefaultAPIKey, vars{"query": "{ me { name } }"})
			if got.Code != test.status {
				t.Errorf("got status %d, want %d", got.Code, test.status)
			}
			expect(t, got.Body.String(), test.body)
			proxy := post(t, p.AppProxy(), "/app-proxy/api/graphql", DefaultAPIKey, vars{"query": "{ gitIntegrations { name } }"})
			if proxy.Code != 200 || !strings.Contains(proxy.Body.String(), `"data"`) {
				t.Errorf("the app-proxy answered %d %s", proxy.Code, proxy.Body)
			}
		})
	}
}

func TestNetworkSwitchesOfTheAppProxy(t *testing.T) {
	p := New(Options{})
	turnOn(t, p, appProxyPrefix+switchHTTPStatus, "500")
	if got := get(p.AppProxy(), "/app-proxy/api/readyz", "").Code; got != 500 {
		t.Errorf("app-proxy: got %d, want 500", got)
	}
	expect(t, ask(t, p, "{ me { name } }", nil), `{"data":{"me":{"name":"ada"}}}`)
}

func TestPingNeedsNoCredential(t *testing.T) {
	for value, want := range map[string]int{"off": 200, "401": 200, "403": 200, "500": 500} {
		p := New(Options{})
		turnOn(t, p, switchHTTPStatus, value)
		if got := get(p.Handler(), "/api/ping", "").Code; got != want {
			t.Errorf("http-status %s: got %d, want %d", value, got, want)
		}
	}
}

func TestSlowEndsWithTheRequest(t *testing.T) {
	p := New(Options{})
	turnOn(t, p, switchSlow, "1h")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	recorder := httptest.NewRecorder()
	p.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/ping", nil))
	if recorder.Body.Len() != 0 {
		t.Errorf("a caller that had gone got %q", recorder.Body)
	}
}

func TestSlowAnswersInTheEnd(t *testing.T) {
	p := New(Options{})
	turnOn(t, p, switchSlow, "1ns")
	expect(t, ask(t, p, "{ me { name } }", nil), `{"data":{"me":{"name":"ada"}}}`)
}

func TestCalls(t *testing.T) {
	p := New(Options{})
	ask(t, p, "{ me { name } again: me { id } runtimes { edges { cursor } } }", nil)
	askProxy(t, p, "{ gitIntegrations { name } }", nil)
	get(p.Handler(), "/api/ping", "")
	want := map[string]int{"me": 2, "runtimes": 1, "gitIntegrations": 1, "GET /api/ping": 1,
		"POST /2.0/api/graphql": 1, "POST /app-proxy/api/graphql": 1}
	if got := p.Calls(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRuntimeSideREST(t *testing.T) {
	p := New(Options{})
	token := post(t, p.Handler(), "/api/argo-runtime", DefaultAPIKey, vars{"name": "one"})
	expectContains(t, token.Body.String(), `{"token":"`)
	expect(t, get(p.Handler(), "/api/argo-runtime/one/storeKey", DefaultAPIKey).Body.String(), `{"storeKey":"sandbox-store-key-one"}`+"\n")
	if got := post(t, p.Handler(), "/2.0/api/events", DefaultAPIKey, vars{}).Code; got != 200 {
		t.Errorf("events: got %d", got)
	}
	expect(t, ask(t, p, `mutation { saveSealingKey(privateKey: "k") }`, nil), `{"data":{"saveSealingKey":"64f0c0ffee00000000000001"}}`)
	expect(t, ask(t, p, `query { getSealingKey(id: "64f0c0ffee00000000000001") shouldBeImplicitConfigurationRuntime }`, nil),
		`{"data":{"getSealingKey":"k","shouldBeImplicitConfigurationRuntime":false}}`)
}
