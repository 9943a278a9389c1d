package codefresh

import (
	"net/http"
	"testing"
)

func TestAnswerHoldsWhatTheQueryAsksFor(t *testing.T) {
	tests := map[string]struct {
		query     string
		variables vars
		want      string
	}{
		"alias": {`query { response: gitSources { edges { node { metadata { name } } } } }`, nil,
			`{"data":{"response":{"edges":[]}}}`},
		"several roots in their order": {`{ runtime(name: "x") { cluster } me { name } again: me { id: name } }`, nil,
			`{"data":{"runtime":null,"me":{"name":"ada"},"again":{"id":"ada"}}}`},
		"fragments": {`query { me { ...Who ... on User { email } } } fragment Who on User { name }`, nil,
			`{"data":{"me":{"name":"ada","email":"ada@sandbox.test"}}}`},
		"a field asked for twice": {`{ me { activeAccount { id } activeAccount { name } } }`, nil,
			`{"data":{"me":{"activeAccount":{"id":"64f0c0ffee00000000000001","name":"acme"}}}}`},
		"typename": {`{ me { __typename } }`, nil, `{"data":{"me":{"__typename":"User"}}}`},
		"inline fragment on a list": {`query Components($runtime: String!) { components(runtime: $runtime) { edges { node { self { errors { ...on SyncError { title } } } } } } }`,
			vars{"runtime": "x"}, `{"data":{"components":{"edges":[]}}}`},
		"page info": {`{ clusters { edges { node { server } } pageInfo { endCursor hasNextPage } } }`, nil,
			`{"data":{"clusters":{"edges":[],"pageInfo":{"endCursor":null,"hasNextPage":false}}}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			expect(t, ask(t, New(Options{}), test.query, test.variables), test.want)
		})
	}
}

func TestQueryThatDoesNotFitTheModel(t *testing.T) {
	tests := map[string]struct {
		query     string
		variables vars
		message   string
	}{
		"unknown field":       {`{ me { shoeSize } }`, nil, `Cannot query field \"shoeSize\" on type \"User\".`},
		"unknown root":        {`{ isConfigured }`, nil, `Cannot query field \"isConfigured\" on type \"Query\".`},
		"mutation as a query": {`{ deleteRuntime(name: "x") }`, nil, `Cannot query field \"deleteRuntime\" on type \"Query\".`},
		"app-proxy operation": {`{ gitIntegrations { name } }`, nil, `Cannot query field \"gitIntegrations\"`},
		"no subfields asked":  {`{ me }`, nil, `must have a selection of subfields`},
		"subfields of scalar": {`{ me { name { first } } }`, nil, `must not have a selection`},
		"unknown argument":    {`{ me(id: 1) { name } }`, nil, `Unknown argument \"id\" on field \"Query.me\".`},
		"missing argument":    {`{ runtime { cluster } }`, nil, `Argument \"name\" has invalid value`},
		"missing variable":    {runtimeQuery, nil, `Variable \"$name\" of required type \"String!\" was not provided.`},
		"undefined variable":  {`{ runtime(name: $n) { cluster } }`, nil, `Variable \"$n\" is not defined.`},
		"variable type":       {`query($n: Int!) { runtime(name: $n) { cluster } }`, vars{"n": 1}, `used in position expecting type \"String!\"`},
		"enum":                {settingsUpdate, vars{"gitProvider": "GITHUB_ENTERPRISE", "gitApiUrl": "u", "sharedConfigRepo": "r"}, `does not exist in \"GitProviders\" enum.`},
		"unknown fragment":    {`{ me { ...Who } }`, nil, `Unknown fragment \"Who\".`},
		"fragment on itself":  {`{ me { ...F } } fragment F on User { ...F }`, nil, `spread within themselves`},
		"syntax":              {`{ me {`, nil, `Syntax Error`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body := vars{"query": test.query, "variables": test.variables}
			answer := post(t, New(Options{}).Handler(), "/2.0/api/graphql", DefaultAPIKey, body)
			if answer.Code != http.StatusBadRequest {
				t.Errorf("got status %d, want 400", answer.Code)
			}
			expectContains(t, answer.Body.String(), test.message)
		})
	}
}

func TestRefusedMutationChangesNothing(t *testing.T) {
	p := New(Options{})
	register(t, p, "one")
	ask(t, p, `mutation { deleteRuntime(name: "one") me { name } }`, nil)
	if _, found := p.Runtime("one"); !found {
		t.Error("the runtime is gone although the request did not fit the model")
	}
}

func TestRequestForms(t *testing.T) {
	want := `{"data":{"me":{"name":"ada"}}}` + "\n"
	tests := map[string]vars{
		"null variables":     {"query": "query Me { me { name } }", "variables": nil},
		"no variables":       {"query": "query Me { me { name } }"},
		"operation name":     {"query": "query Me { me { name } }", "operationName": "Me", "variables": vars{}},
		"one of two by name": {"query": "query A { runtimes { edges { cursor } } } query Me { me { name } }", "operationName": "Me"},
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			answer := post(t, New(Options{}).Handler(), "/2.0/api/graphql", DefaultAPIKey, body)
			expect(t, answer.Body.String(), want)
		})
	}
}

func TestAuthorizationIsComparedRaw(t *testing.T) {
	p := New(Options{})
	runtimeToken := register(t, p, "one")
	tests := map[string]struct {
		credential string
		status     int
	}{
		"the key":         {DefaultAPIKey, http.StatusOK},
		"a runtime token": {runtimeToken, http.StatusOK},
		"bearer":          {"Bearer " + DefaultAPIKey, http.StatusUnauthorized},
		"wrong":           {"x.y", http.StatusUnauthorized},
		"none":            {"", http.StatusUnauthorized},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body := vars{"query": "{ me { name } }"}
			if got := post(t, p.Handler(), "/2.0/api/graphql", test.credential, body).Code; got != test.status {
				t.Errorf("platform: got %d, want %d", got, test.status)
			}
			if got := get(p.Handler(), "/api/user", test.credential).Code; got != test.status {
				t.Errorf("/api/user: got %d, want %d", got, test.status)
			}
			proxy := post(t, p.AppProxy(), "/app-proxy/api/graphql", test.credential, vars{"query": "{ gitIntegrations { name } }"})
			if proxy.Code != test.status {
				t.Errorf("app-proxy: got %d, want %d", proxy.Code, test.status)
			}
		})
	}
}
