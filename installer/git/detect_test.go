package git

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	const host = "GET gitlab.example.com"
	notFound := reply{status: 404, body: `{"message":"404 Not Found"}`}
	page := reply{kind: "text/html", body: "<html>"}
	tests := map[string]struct {
		replies  map[string]reply
		want     string
		evidence string
	}{
		"GitHub Enterprise": {map[string]reply{host + "/api/v3/meta": {body: `{"installed_version":"3.17.2"}`}}, "github-enterprise", "/api/v3/meta says GitHub Enterprise 3.17.2"},
		"GitHub Enterprise in private": {map[string]reply{host + "/api/v3/meta": {status: 401, header: map[string]string{"X-GitHub-Request-Id": "1"}, body: `{}`}},
			"github-enterprise", "headers"},
		"GitLab":                       {map[string]reply{host + "/api/v4/version": {status: 401, header: map[string]string{"X-Gitlab-Meta": "{}"}, body: `{}`}}, "gitlab-server", "headers"},
		"old GitLab":                   {map[string]reply{host + "/api/v4/version": {status: 401, body: `{"message":"401 Unauthorized"}`}}, "gitlab-server", "as GitLab does"},
		"Bitbucket":                    {map[string]reply{host + "/rest/api/1.0/application-properties": {body: `{"version":"9.4.8","displayName":"Bitbucket"}`}}, "bitbucket-server", "Bitbucket 9.4.8"},
		"another product of Atlassian": {map[string]reply{host + "/rest/api/1.0/application-properties": {body: `{"version":"1","displayName":"Bamboo"}`}}, "", ""},
		"a sign-in page":               {map[string]reply{host + "/api/v3/meta": page, host + "/api/v4/version": page, host + "/rest/api/1.0/application-properties": page}, "", ""},
		"nothing":                      {nil, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fake := newFakeHost(t, map[string]reply{host + "/api/v3/meta": notFound, host + "/api/v4/version": notFound, host + "/rest/api/1.0/application-properties": notFound})
			for key, r := range test.replies {
				fake.replies[key] = r
			}
			repo := Repo{Scheme: "https", Host: "gitlab.example.com", Path: "acme/isc"}
			got, evidence, found := fake.verifier().Detect(t.Context(), repo, testCA())
			if got.ID != test.want || found != (test.want != "") || !strings.Contains(evidence, test.evidence) {
				t.Errorf("got %q (%v) by %q, want %q", got.ID, found, evidence, test.want)
			}
		})
	}
}

func TestDetectBelowAContextPath(t *testing.T) {
	fake := newFakeHost(t, map[string]reply{
		"GET gitlab.example.com/api/v3/meta": {status: 404}, "GET gitlab.example.com/api/v4/version": {status: 404},
		"GET gitlab.example.com/code/rest/api/1.0/application-properties": {body: `{"displayName":"Bitbucket","version":"8"}`}})
	repo := Repo{Scheme: "https", Host: "gitlab.example.com", Path: "code/scm/ACME/isc"}
	if got, _, _ := fake.verifier().Detect(t.Context(), repo, testCA()); got.ID != "bitbucket-server" {
		t.Errorf("got %q", got.ID)
	}
}

func TestDetectAsksNoCloud(t *testing.T) {
	fake := newFakeHost(t, nil)
	got, evidence, found := fake.verifier().Detect(t.Context(), Repo{Scheme: "https", Host: "github.com", Path: "a/b"}, nil)
	if got.ID != "github" || !found || evidence != "github.com is GitHub" || len(fake.seen) != 0 {
		t.Errorf("got %q by %q after %v", got.ID, evidence, fake.seen)
	}
	if _, _, found := fake.verifier().Detect(t.Context(), Repo{Scheme: "https", Host: "ghe.example.com", Path: "a/b"}, []byte("no PEM")); found {
		t.Error("a host was recognised with a CA that is none")
	}
}
