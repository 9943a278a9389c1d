package e2e

import (
	"testing"

	"github.com/cfwizard/cfwizard/sandbox/githost"
)

// oddCase is a token or a repository that only some providers have.
type oddCase struct {
	name     string
	provider githost.Provider
	asked    gitQuestion
	want     findings
	requests int
}

var oddCases = []oddCase{
	{"CA of its own", enterprise, gitQuestion{env: map[string]string{"SSL_CERT_FILE": "", "CFWIZARD_TLS_GIT_CA": "127.0.0.1=${SANDBOX_GIT_CA}"}}, nil, 4},
	{"fine-grained", github, gitQuestion{token: "fine-grained"}, findings{"git.validator": "warn would refuse this token, though it is good"}, 9},
	{"fine-grained, for reading", enterprise, gitQuestion{token: "fine-grained-read"}, findings{
		"git.scopes": "fail lacks Contents: write, Webhooks: read and write, Pull requests: read and write",
		"git.write":  "fail may not push to acme/isc"}, 9},
	{"single sign-on", github, gitQuestion{token: "sso"}, findings{"git.repo": "fail authorised for single sign-on"}, 2},
	{"moved", enterprise, gitQuestion{repo: "moved.git"}, findings{"git.repo": "fail was moved or renamed"}, 2},
	{"archived", github, gitQuestion{repo: "archived.git"}, findings{"git.write": "fail is archived"}, 4},
	{"no webhooks", enterprise, gitQuestion{token: "writer"}, findings{"git.write": "warn but not manage its webhooks"}, 4},
	{"ends soon", github, gitQuestion{token: "expiring"}, findings{"git.expiry": "warn the Git runtime token ends on"}, 4},
	{"user token for the runtime", github, gitQuestion{token: "user"}, findings{"git.scopes": "fail lacks admin:repo_hook"}, 4},
	{"ends soon", gitlabServer, gitQuestion{token: "expiring"}, findings{"git.expiry": "warn the Git runtime token ends on"}, 4},
	{"of a project", gitlab, gitQuestion{token: "project"}, findings{"git.token": "fail is a token of a project"}, 4},
	{"of a group", gitlab, gitQuestion{token: "group"}, nil, 4},
	{"no webhooks", gitlabServer, gitQuestion{token: "writer"}, findings{"git.write": "warn but not manage its webhooks"}, 4},
	{"archived", gitlab, gitQuestion{repo: "archived.git"}, findings{"git.write": "fail is archived"}, 4},
	{"API token", bitbucket, gitQuestion{token: "api-token", username: "x-bitbucket-api-token-auth"}, findings{"git.validator": "warn would refuse this token, though it is good"}, 2},
	{"API token with an e-mail address", bitbucket, gitQuestion{token: "api-token"}, findings{
		"git.write": "fail git does not take the user name ada@sandbox.test", "git.validator": "warn would refuse this token"}, 6},
	{"of another provider", github, gitQuestion{env: map[string]string{"GIT_RUNTIME_TOKEN": "glpat-sandboxgood"}}, findings{"git.token": "fail is a token of GitLab"}, 1},
	{"app password", bitbucket, gitQuestion{token: "app-password"}, findings{"git.token": "fail is an app password"}, 1},
	{"of a project", bitbucketServer, gitQuestion{token: "project"}, findings{
		"git.token": "fail git does not take the Git runtime token with a user name", "git.write": "fail git does not take the Git runtime token"}, 7},
	{"wrong user name", bitbucketServer, gitQuestion{username: "bob"}, findings{"git.write": "fail git does not take the user name bob"}, 7},
	{"archived", bitbucketServer, gitQuestion{repo: "archived.git"}, findings{"git.write": "fail is archived"}, 7},
}

// tryOddities asks about what only some providers have.
func (s *sandbox) tryOddities(t *testing.T) {
	t.Helper()
	for _, c := range oddCases {
		t.Run(string(c.provider)+" "+c.name, func(t *testing.T) {
			s, f := s.within(t), forgeOf(c.provider)
			before := s.gitCalls()[c.provider]
			found, _ := s.askGit(f, c.asked)
			found.expect(t, c.want)
			after := s.gitCalls()[c.provider]
			if sent := after.Requests - before.Requests; sent != c.requests {
				t.Errorf("%d requests were sent, want %d: %v", sent, c.requests, after.Endpoints)
			}
			if sent := after.WithCredentials - before.WithCredentials; sent != 0 && c.requests == 1 {
				t.Error("a token that cannot be good was sent")
			}
		})
	}
}

func forgeOf(provider githost.Provider) forge {
	for _, f := range forges {
		if f.provider == provider {
			return f
		}
	}
	return forge{}
}
