package git

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// creation is one thing to create: what is asked and sent, in this order.
type creation struct {
	shape   shape
	ref     string
	create  func(*Verifier, context.Context, Question) error
	replies []string // requests and the answers to them, in turns
	sent    map[string]string
}

func creations() map[string]creation {
	repo, branch := (*Verifier).CreateRepository, (*Verifier).CreateBranch
	gitHub, gitLab, cloud, server := gitHubShape("github", "api.github.com", "github.com"), gitLabShape("gitlab", "gitlab.com"), bitbucketShape(), bitbucketServerShape()
	const gh, gl, bb, dc = "api.github.com", "gitlab.com/api/v4", "api.bitbucket.org/2.0", "bitbucket.example.com/rest/api/1.0"
	const isc, project, slug, server1 = gh + "/repos/acme/isc", gl + "/projects/acme%2Fteam%2Fisc", bb + "/repositories/acme/isc", dc + "/projects/ACME/repos/isc"
	return map[string]creation{
		"github organisation": {gitHub, "", repo, []string{"GET " + gh + "/user", `{"login":"ada"}`, "POST " + gh + "/orgs/acme/repos", `{"default_branch":"main"}`},
			map[string]string{"POST " + gh + "/orgs/acme/repos": `{"auto_init":true,"name":"isc","private":true}`}},
		"github person, with a branch": {gitHub, "live", repo, []string{"GET " + gh + "/user", `{"login":"ACME"}`, "POST " + gh + "/user/repos", `{"default_branch":"main"}`,
			"GET " + isc, `{"default_branch":"main"}`, "GET " + isc + "/git/ref/heads/main", `{"object":{"sha":"abc"}}`, "POST " + isc + "/git/refs", `{}`},
			map[string]string{"POST " + isc + "/git/refs": `{"ref":"refs/heads/live","sha":"abc"}`}},
		"github empty": {gitHub, "", branch, []string{"GET " + isc, `{"default_branch":"main"}`, "GET " + isc + "/git/ref/heads/main", "409", "PUT " + isc + "/contents/README.md", `{}`},
			map[string]string{"PUT " + isc + "/contents/README.md": `"branch":"main"`}},
		"gitlab": {gitLab, "", repo, []string{"GET " + gl + "/namespaces/acme%2Fteam", `{"id":7}`, "POST " + gl + "/projects", `{"default_branch":"main"}`},
			map[string]string{"POST " + gl + "/projects": `{"initialize_with_readme":true,"name":"isc","namespace_id":7,"path":"isc","visibility":"private"}`}},
		"gitlab with a branch": {gitLab, "live", repo, []string{"GET " + gl + "/namespaces/acme%2Fteam", `{"id":7}`, "POST " + gl + "/projects", `{"default_branch":"main"}`,
			"GET " + project, `{"default_branch":"main"}`, "POST " + project + "/repository/branches", `{}`},
			map[string]string{"POST " + project + "/repository/branches": `{"branch":"live","ref":"main"}`}},
		"gitlab empty": {gitLab, "live", branch, []string{"GET " + project, `{"empty_repo":true}`, "POST " + project + "/repository/commits", `{}`},
			map[string]string{"POST " + project + "/repository/commits": `"branch":"live"`}},
		"bitbucket": {cloud, "", repo, []string{"POST " + slug, `{}`, "POST " + slug + "/src", ""},
			map[string]string{"POST " + slug: `{"is_private":true,"scm":"git"}`, "POST " + slug + "/src": "branch=main"}},
		"bitbucket branch": {cloud, "live", branch, []string{"GET " + slug, `{"mainbranch":{"name":"main"}}`, "GET " + slug + "/refs/branches/main", `{"target":{"hash":"abc"}}`, "POST " + slug + "/refs/branches", `{}`},
			map[string]string{"POST " + slug + "/refs/branches": `{"name":"live","target":{"hash":"abc"}}`}},
		"bitbucket empty": {cloud, "live", branch, []string{"GET " + slug, `{"mainbranch":null}`, "POST " + slug + "/src", ""},
			map[string]string{"POST " + slug + "/src": "branch=live"}},
		"bitbucket-server": {server, "", repo, []string{"POST " + dc + "/projects/ACME/repos", `{}`, "PUT " + server1 + "/browse/README.md", `{}`},
			map[string]string{"POST " + dc + "/projects/ACME/repos": `{"name":"isc","public":false,"scmId":"git"}`, "PUT " + server1 + "/browse/README.md": "name=\"branch\"\r\n\r\nmain"}},
		"bitbucket-server branch": {server, "live", branch, []string{"GET " + server1 + "/branches/default", `{"id":"refs/heads/main","displayId":"main"}`, "POST " + server1 + "/branches", `{}`},
			map[string]string{"POST " + server1 + "/branches": `{"name":"live","startPoint":"refs/heads/main"}`}},
		"bitbucket-server empty": {server, "live", branch, []string{"GET " + server1 + "/branches/default", "404", "PUT " + server1 + "/browse/README.md", `{}`},
			map[string]string{"PUT " + server1 + "/browse/README.md": "name=\"branch\"\r\n\r\nlive"}},
	}
}

func TestCreate(t *testing.T) {
	for name, c := range creations() {
		t.Run(name, func(t *testing.T) {
			host := newFakeHost(t, nil)
			host.restAuth = c.shape.restAuth
			var order []string
			for i := 0; i < len(c.replies); i += 2 {
				order = append(order, c.replies[i])
				host.replies[c.replies[i]] = creationReply(c.replies[i+1])
			}
			if err := c.create(host.verifier(), t.Context(), c.shape.question(t, change{ref: c.ref})); err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Join(host.seen, "\n"), strings.Join(order, "\n"); got != want {
				t.Errorf("asked\n%s\nwant\n%s", got, want)
			}
			for key, want := range c.sent {
				if !strings.Contains(host.bodies[key], want) {
					t.Errorf("%s was sent %q, want %q in it", key, host.bodies[key], want)
				}
			}
		})
	}
}

// creationReply is a body, or the number of an error.
func creationReply(text string) reply {
	switch text {
	case "404":
		return reply{status: 404, body: `{"message":"Not Found"}`}
	case "409":
		return reply{status: 409, body: `{"message":"Git Repository is empty."}`}
	case "":
		return reply{status: 201}
	}
	return reply{body: text}
}

// A refusal is a problem in plain words. It is not tried again, and does not
// show the token.
func TestCreateRefused(t *testing.T) {
	s := bitbucketShape()
	const create = "POST api.bitbucket.org/2.0/repositories/acme/isc"
	for why, r := range map[string]reply{
		"Bitbucket Cloud answers 403: No, •••": {status: 403, body: `{"error":{"message":"No, ` + s.token + `."}}`},
		"has trouble of its own":               {status: 502, body: `{}`},
		"redirect":                             {status: 307, header: map[string]string{"Location": "https://evil.example/"}},
	} {
		host := newFakeHost(t, map[string]reply{create: r})
		host.restAuth = s.restAuth
		err := host.verifier().CreateRepository(t.Context(), s.question(t, change{}))
		var p *problem.Problem
		if !errors.As(err, &p) || !strings.Contains(p.Why, why) || p.Kind != problem.Refused || p.Field != fieldRepo || p.Fix == "" {
			t.Errorf("%s: %+v", why, err)
		}
		if len(host.seen) != 1 || strings.Contains(err.Error(), s.token) {
			t.Errorf("%v, %v", host.seen, err)
		}
	}
}

// Nothing is sent for a question that cannot be right.
func TestCreateSendsNothing(t *testing.T) {
	good := gitHubShape("github", "api.github.com", "github.com").question(t, change{})
	for why, spoil := range map[string]func(*Question){
		"no token":              func(q *Question) { q.Token = secret.Value{} },
		"is a token of GitLab":  func(q *Question) { q.Token = secret.New("glpat-x") },
		"provider is not known": func(q *Question) { q.Provider = Provider{} },
		"carries a user name":   func(q *Question) { q.APIURL = "https://a:b@api.github.com" },
		"holds no certificate":  func(q *Question) { q.CA = []byte("x") },
	} {
		q := good
		spoil(&q)
		host := newFakeHost(t, nil)
		err := host.verifier().CreateBranch(t.Context(), q)
		if err == nil || !strings.Contains(err.Error(), why) || len(host.seen) != 0 {
			t.Errorf("%s: %v after %v", why, err, host.seen)
		}
	}
}
