package githost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

func setSwitch(t *testing.T, h *Host, name, value string) {
	t.Helper()
	if err := h.SetSwitch(name, value); err != nil {
		t.Fatal(err)
	}
}

func TestSwitchesThatAnswer(t *testing.T) {
	old := func(r *http.Request, token string) {
		bearer(r, token)
		r.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	}
	tests := map[string]struct {
		name, value string
		ask         exchange
		put         authorize
		want        exchange
	}{
		"status":           {switchHTTPStatus, "503", exchange{path: "/github/user"}, nil, exchange{status: 503, want: `{"message":"Service Unavailable"}`}},
		"bitbucket status": {switchHTTPStatus, "500", exchange{path: "/bitbucket/2.0/user"}, nil, exchange{status: 500, want: `{"type":"error"}`}},
		"server status":    {switchHTTPStatus, "502", exchange{path: "/bitbucket-server/rest/api/1.0/repos"}, nil, exchange{status: 502, want: `{"errors":[{"message":"Bad Gateway"}]}`}},
		"redirect": {switchRedirect, "https://other.test/", exchange{path: "/gitlab/api/v4/user?a=b"}, nil,
			exchange{status: 302, headers: map[string]string{"Location": "https://other.test/gitlab/api/v4/user?a=b"}}},
		"html": {switchHTMLBody, "on", exchange{path: "/github/user"}, nil, exchange{status: 200, headers: map[string]string{"Content-Type": "text/html; charset=utf-8"}}},
		"github rate": {switchRateLimited, "30", exchange{path: "/github/user"}, nil, exchange{status: 429,
			headers: map[string]string{"Retry-After": "30", "X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5000"}}},
		"gitlab rate": {switchRateLimited, "30", exchange{path: "/gitlab/api/v4/user"}, nil, exchange{status: 429,
			headers: map[string]string{"Retry-After": "30", "X-RateLimit-Remaining": ""}}},
		"old enterprise":            {switchOldServer, "on", exchange{path: "/github-enterprise/api/v3/user", token: "ghp_sandboxgood"}, old, exchange{status: 400}},
		"old enterprise, no header": {switchOldServer, "on", exchange{path: "/github-enterprise/api/v3/user", token: "ghp_sandboxgood"}, bearer, exchange{status: 200}},
		"old, but in the cloud":     {switchOldServer, "on", exchange{path: "/github/user", token: "ghp_sandboxgood"}, old, exchange{status: 200}},
		"old gitlab": {switchOldServer, "on", exchange{path: "/gitlab-server/api/v4/personal_access_tokens/self", token: "glpat-sandboxgood"},
			privateToken, exchange{status: 404}},
		"old server": {switchOldServer, "on", exchange{path: "/bitbucket-server/rest/api/1.0/projects/ACME/repos/isc/default-branch", token: "BBDC-sandboxgood"},
			bearer, exchange{status: 404}},
		"old server, old address": {switchOldServer, "on", exchange{path: "/bitbucket-server/rest/api/1.0/projects/ACME/repos/isc/branches/default", token: "BBDC-sandboxgood"},
			bearer, exchange{status: 200}},
		"private stranger": {switchPrivateMode, "on", exchange{path: "/github-enterprise/api/v3/meta"}, nil,
			exchange{status: 401, headers: map[string]string{"X-GitHub-Enterprise-Version": "3.17.2", "X-GitHub-Request-Id": "SANDBOX:0001"}}},
		"private member": {switchPrivateMode, "on", exchange{path: "/github-enterprise/api/v3/meta", token: "ghp_sandboxgood"}, bearer, exchange{status: 200}},
		"private cloud":  {switchPrivateMode, "on", exchange{path: "/github/meta"}, nil, exchange{status: 200}},
		"no scopes": {switchNoScopesHeader, "on", exchange{path: "/github/user", token: "ghp_sandboxgood"}, bearer,
			exchange{status: 200, headers: map[string]string{"X-OAuth-Scopes": ""}}},
		"no scopes on bitbucket": {switchNoScopesHeader, "on", exchange{path: "/bitbucket/2.0/user", token: "ATCTTsandboxgood"}, bearer,
			exchange{status: 200, headers: map[string]string{"X-OAuth-Scopes": ""}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := New()
			setSwitch(t, h, test.name, test.value)
			compare(t, do(h, request(test.ask, test.put)), test.want)
		})
	}
}

// samples has a value for every switch.
var samples = map[string]string{switchSlow: "5s", switchDrip: "1ms", switchUnreachable: "on", switchWrongName: "on", switchExpiredCert: "on",
	switchHTTPStatus: "503", switchRateLimited: "30", switchRedirect: "https://other.test:8443", switchHTMLBody: "on", switchHugeBody: "on",
	switchInvalidUTF8: "on", switchOldServer: "on", switchPrivateMode: "on", switchNoScopesHeader: "on"}

func TestSwitchesAreForOneProviderOrAll(t *testing.T) {
	for _, kind := range switchKinds {
		sample := samples[kind.name]
		scoped := map[string]bool{sample: true, "*:" + sample: true, "gitlab:" + sample: true, "github:" + sample: false}
		if sample == "on" {
			scoped["*"], scoped["gitlab"], scoped["bitbucket-server"] = true, true, false
		}
		for value, forGitLab := range scoped {
			h := New()
			setSwitch(t, h, kind.name, value)
			if got := h.switchesFor(GitLab)[kind.name]; (got == sample) != forGitLab {
				t.Errorf("%s=%s: GitLab has %q", kind.name, value, got)
			}
			if got := h.Switches()[kind.name]; got != value {
				t.Errorf("%s=%s is told as %q", kind.name, value, got)
			}
			setSwitch(t, h, kind.name, "off")
			if len(h.Switches()) != 0 {
				t.Errorf("%s is still on: %v", kind.name, h.Switches())
			}
		}
	}
}

func TestSetSwitchRefuses(t *testing.T) {
	tests := map[string]struct{ name, value, message string }{
		"unknown":  {"no-such", "on", "known are: drip, expired-cert, html-body, http-status,"},
		"status":   {switchHTTPStatus, "200", "does not take"},
		"duration": {switchSlow, "long", "does not take"},
		"provider": {switchSlow, "gitlab", "does not take"},
		"nobody":   {switchSlow, "gitea:5s", "does not take"},
		"seconds":  {switchRateLimited, "on", "does not take"},
		"target":   {switchRedirect, "elsewhere", "does not take"},
		"flag":     {switchHTMLBody, "maybe", "does not take"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := New().SetSwitch(test.name, test.value)
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want an error with %q", err, test.message)
			}
		})
	}
}

func TestSlowAndDrip(t *testing.T) {
	body := do(New(), request(exchange{path: "/github/meta"}, nil)).Body.String()
	for value, want := range map[[2]string]time.Duration{
		{switchSlow, "5s"}: 5 * time.Second, {switchDrip, "on"}: time.Duration(len(body)) * time.Second,
		{switchDrip, "github:2s"}: time.Duration(len(body)) * 2 * time.Second, {switchDrip, "gitlab"}: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			h, began := New(), time.Now()
			setSwitch(t, h, value[0], value[1])
			got := do(h, request(exchange{path: "/github/meta"}, nil))
			if took := time.Since(began); took != want || got.Body.String() != body {
				t.Errorf("%s: %q after %v, want %q after %v", value, got.Body, took, body, want)
			}
		})
	}
}

func TestSlowAndDripEndWithTheRequest(t *testing.T) {
	for _, name := range []string{switchSlow, switchDrip} {
		h := New()
		setSwitch(t, h, name, "1h")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		got := do(h, request(exchange{path: "/github/meta"}, bearer).WithContext(ctx))
		if got.Body.Len() != 0 {
			t.Errorf("%s: a caller that had gone got %q", name, got.Body)
		}
	}
}

// scale weighs what is written and breaks at its limit.
type scale struct {
	header http.Header
	start  []byte
	weight int
	limit  int
}

func (s *scale) Header() http.Header { return s.header }

func (s *scale) WriteHeader(int) {}

func (s *scale) Write(text []byte) (int, error) {
	if s.weight += len(text); s.limit > 0 && s.weight > s.limit {
		return 0, errors.New("the caller has gone")
	}
	s.start = append(s.start, text[:min(len(text), 64-min(64, len(s.start)))]...)
	return len(text), nil
}

func TestHugeBody(t *testing.T) {
	h := New()
	setSwitch(t, h, switchHugeBody, "on")
	for path, start := range map[string]string{
		"/gitlab/api/v4/user": `{"message":"xxx`,
		"/gitlab/acme/isc.git/info/refs?service=git-upload-pack": "001e# service=git-upload-pack\n0000003d" + noCommit[:16],
	} {
		all, some := &scale{header: http.Header{}}, &scale{header: http.Header{}, limit: 1 << 20}
		h.Handler().ServeHTTP(all, request(exchange{path: path}, nil))
		h.Handler().ServeHTTP(some, request(exchange{path: path}, nil))
		if all.weight < hugeSize || !strings.HasPrefix(string(all.start), start) {
			t.Errorf("%s: %d bytes that begin with %q, want %q", path, all.weight, all.start, start)
		}
		if some.weight > 2<<20 {
			t.Errorf("%s: went on to %d bytes after the caller had gone", path, some.weight)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	h := New()
	setSwitch(t, h, switchInvalidUTF8, "on")
	user := do(h, request(exchange{path: "/github/user", token: "ghp_sandboxgood"}, bearer)).Body
	if utf8.Valid(user.Bytes()) || !json.Valid(user.Bytes()) || !bytes.Contains(user.Bytes(), []byte(`"login":"`+notUTF8+`ada"`)) {
		t.Errorf("got %q", user)
	}
	refs := do(h, request(exchange{path: "/github/acme/isc.git/info/refs?service=git-upload-pack", token: "ghp_sandboxgood"}, basicAs("x"))).Body
	if !bytes.Contains(refs.Bytes(), []byte("refs/heads/"+notUTF8+"\n")) {
		t.Errorf("got %q", refs)
	}
	if repo, _ := h.repo(GitHub, "acme/isc"); repo.hasBranch(notUTF8) {
		t.Error("the branch stays when the switch is off")
	}
}
