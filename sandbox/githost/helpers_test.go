package githost

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

// exchange is a request and what has to come back. The body holds the fields
// that matter; others may be there too. Absent headers are wanted as "".
type exchange struct {
	name    string
	method  string // GET unless said otherwise
	path    string
	token   string
	body    string
	status  int
	want    string
	headers map[string]string
}

// authorize puts a token into a request in the way of a provider's REST API.
type authorize func(r *http.Request, token string)

func bearer(r *http.Request, token string) { r.Header.Set("Authorization", "Bearer "+token) }

func privateToken(r *http.Request, token string) { r.Header.Set("PRIVATE-TOKEN", token) }

func basicAs(user string) authorize {
	return func(r *http.Request, token string) { r.SetBasicAuth(user, token) }
}

func request(x exchange, put authorize) *http.Request {
	if x.method == "" {
		x.method = http.MethodGet
	}
	r := httptest.NewRequest(x.method, "http://127.0.0.1:8080"+x.path, strings.NewReader(x.body))
	if x.token != "" {
		put(r, x.token)
	}
	return r
}

func do(h *Host, r *http.Request) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	h.Handler().ServeHTTP(recorder, r)
	return recorder
}

// at asks a provider on its own port.
func at(h *Host, provider Provider, r *http.Request) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	h.handlerFor(provider).ServeHTTP(recorder, r)
	return recorder
}

// inREST and inGit put a token where its provider wants it.
func inREST(token Token) authorize {
	switch {
	case token.Provider == GitLab || token.Provider == GitLabServer:
		return privateToken
	case token.Provider == Bitbucket && !isAccessToken(token):
		return basicAs(token.Email)
	default:
		return bearer
	}
}

func inGit(token Token) authorize {
	switch {
	case token.Provider == BitbucketServer && token.Bot:
		return bearer
	case token.Provider == Bitbucket && isAccessToken(token):
		return basicAs("x-token-auth")
	default:
		return basicAs(token.Login)
	}
}

func seeded(t *testing.T, provider Provider, name string) Token {
	t.Helper()
	token, found := SeededToken(provider, name)
	if !found {
		t.Fatalf("%s has no token %q", provider, name)
	}
	return token
}

// play runs exchanges, each on a host of its own.
func play(t *testing.T, base string, put authorize, exchanges []exchange) {
	t.Helper()
	for _, x := range exchanges {
		t.Run(x.name, func(t *testing.T) {
			x.path = base + x.path
			compare(t, do(New(), request(x, put)), x)
		})
	}
}

func compare(t *testing.T, got *httptest.ResponseRecorder, x exchange) {
	t.Helper()
	if got.Code != x.status {
		t.Errorf("got status %d, want %d: %s", got.Code, x.status, got.Body)
	}
	for name, want := range x.headers {
		if value := got.Header().Get(name); value != want {
			t.Errorf("header %s: got %q, want %q", name, value, want)
		}
	}
	if x.want == "" {
		return
	}
	var actual, wanted any
	if err := json.Unmarshal(got.Body.Bytes(), &actual); err != nil {
		t.Fatalf("%v in %s", err, got.Body)
	}
	if err := json.Unmarshal([]byte(x.want), &wanted); err != nil {
		t.Fatal(err)
	}
	if !includes(actual, wanted) {
		t.Errorf("got  %s\nwant %s", got.Body, x.want)
	}
}

// includes tells whether every field of wanted is in actual. Lists have to
// be of the same length.
func includes(actual, wanted any) bool {
	switch wanted := wanted.(type) {
	case map[string]any:
		fields, ok := actual.(map[string]any)
		for name, value := range wanted {
			held, exists := fields[name]
			ok = ok && exists && includes(held, value)
		}
		return ok
	case []any:
		elements, ok := actual.([]any)
		ok = ok && len(elements) == len(wanted)
		for i := 0; ok && i < len(wanted); i++ {
			ok = includes(elements[i], wanted[i])
		}
		return ok
	default:
		return reflect.DeepEqual(actual, wanted)
	}
}
