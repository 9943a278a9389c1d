package githost

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
)

func TestCalls(t *testing.T) {
	h := New()
	for _, x := range []exchange{
		{method: "HEAD", path: "/github"}, {path: "/github/repos/acme/isc", token: "t"}, {path: "/github/repos/acme/none"},
		{path: "/gitlab/acme/isc.git/info/refs?service=git-upload-pack"}, {path: "/gitlab/api/v4/projects/acme%2Fisc"},
		{path: "/bitbucket-server/rest/api/1.0/nothing"}, {path: "/nobody/knows"},
	} {
		do(h, request(x, bearer))
	}
	nothing := Calls{Endpoints: map[string]int{}}
	want := map[Provider]Calls{
		GitHub:          {Requests: 3, WithCredentials: 1, Endpoints: map[string]int{"HEAD /{$}": 1, "GET /repos/{owner}/{repo}": 2}},
		GitLab:          {Requests: 2, Endpoints: map[string]int{"GET info/refs git-upload-pack": 1, "GET /projects/{id}": 1}},
		BitbucketServer: {Requests: 1, Endpoints: map[string]int{"GET no endpoint": 1}},
		Bitbucket:       nothing, GitLabServer: nothing, GitHubEnterprise: nothing,
	}
	if got := h.Calls(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	h.Reset()
	if got := h.Calls()[GitHub]; got.Requests != 0 {
		t.Errorf("after a reset: %v", got)
	}
}

func TestCallsAreCopies(t *testing.T) {
	h := New()
	do(h, request(exchange{path: "/github/meta"}, bearer))
	h.Calls()[GitHub].Endpoints["GET /meta"] = 7
	if got := h.Calls()[GitHub].Endpoints["GET /meta"]; got != 1 {
		t.Errorf("somebody else changed the count to %d", got)
	}
}

func TestCredentialsAreSeenInEveryPlace(t *testing.T) {
	places := map[string]func(*http.Request){
		"bearer":        func(r *http.Request) { bearer(r, "t") },
		"basic":         func(r *http.Request) { r.SetBasicAuth("u", "t") },
		"private token": func(r *http.Request) { privateToken(r, "t") },
		"cookie":        func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "session", Value: "t"}) },
		"query":         func(r *http.Request) { r.URL.RawQuery = "private_token=t" },
		"OAuth query":   func(r *http.Request) { r.URL.RawQuery = "access_token=t" },
	}
	for name, put := range places {
		t.Run(name, func(t *testing.T) {
			h := New()
			r := request(exchange{path: "/gitlab/api/v4/version"}, nil)
			put(r)
			do(h, r)
			if got := h.Calls()[GitLab]; got.Requests != 1 || got.WithCredentials != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestCallsAsJSON(t *testing.T) {
	data, err := json.Marshal(Calls{Requests: 2, WithCredentials: 1, Endpoints: map[string]int{"GET /user": 2}})
	if want := `{"requests":2,"withCredentials":1,"endpoints":{"GET /user":2}}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
}
