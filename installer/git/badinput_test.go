package git

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/secret"
)

func TestBadAnswers(t *testing.T) {
	tests := map[string]struct {
		reply  reply
		status check.Status
		why    string
	}{
		"a sign-in page":      {reply{kind: "text/html; charset=utf-8", body: "<!DOCTYPE html><title>Sign in</title>"}, check.Fail, "A web page answered"},
		"a page called JSON":  {reply{body: "  <html>"}, check.Fail, "A web page answered"},
		"another host":        {reply{status: 302, header: map[string]string{"Location": "https://evil.example/steal?x=1"}}, check.Fail, "a redirect to https://evil.example, which"},
		"the same host":       {reply{status: 307, header: map[string]string{"Location": "/elsewhere"}}, check.Fail, "a redirect to https://ghe.example.com, which"},
		"a broken redirect":   {reply{status: 302, header: map[string]string{"Location": "https://%zz/"}}, check.Fail, "a redirect, which is not followed"},
		"a huge body":         {reply{body: `{"login":"` + strings.Repeat("a", maxAnswer) + `"}`}, check.Fail, "longer than 1 MiB"},
		"invalid UTF-8":       {reply{body: "{\"login\":\"ad\xff\"}"}, check.Fail, "not valid UTF-8"},
		"half of an object":   {reply{body: `{"login":"ad`}, check.Fail, "is not JSON"},
		"nothing":             {reply{}, check.Fail, "is not JSON"},
		"an object of others": {reply{body: `{"users":[]}`}, check.Fail, "200: OK"},
		"a list":              {reply{body: `[1,2]`}, check.Fail, "200: OK"},
		"another path":        {reply{status: 404, body: `{"message":"Not Found"}`}, check.Fail, "404: Not Found"},
		"trouble of its own":  {reply{status: 500, body: `{}`}, check.Warn, "500 Internal Server Error"},
	}
	s := gitHubShape("github-enterprise", "ghe.example.com/api/v3", "ghe.example.com")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			host := s.host(t, change{replies: map[string]reply{"GET ghe.example.com/api/v3/user": test.reply}})
			report := host.verifier().Verify(t.Context(), s.question(t, change{}))
			examine(t, report, s.token)
			expect(t, report, only(map[string]check.Status{idReach: test.status}))
			if c := checkOf(report, idReach); !strings.Contains(c.Why, test.why) || test.status == check.Fail && c.Field != fieldAPI || strings.Contains(c.Why+c.Fix, "steal") {
				t.Errorf("%+v", c)
			}
			if report.Requests != 1 {
				t.Errorf("%d requests", report.Requests)
			}
		})
	}
}

// A server that sends a byte now and then is left when the time is over.
func TestDrip(t *testing.T) {
	s := gitHubShape("github-enterprise", "ghe.example.com/api/v3", "ghe.example.com")
	host := newFakeHost(t, nil)
	host.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := fmt.Fprint(w, " "); err != nil || r.Context().Err() != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	})
	v := host.verifier()
	v.limit = 300 * time.Millisecond
	started := time.Now()
	report := v.Verify(t.Context(), s.question(t, change{}))
	examine(t, report, s.token)
	expect(t, report, allBut(check.Skip, map[string]check.Status{idReach: check.Fail}))
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestCertificateForAnotherName(t *testing.T) {
	q := gitHubShape("github-enterprise", "", "git.other.example:8443").question(t, change{})
	host := newFakeHost(t, nil)
	report := host.verifier().Verify(t.Context(), q)
	examine(t, report, q.Token.Reveal())
	expect(t, report, only(map[string]check.Status{idTLS: check.Fail}))
	if c := checkOf(report, idTLS); !strings.Contains(c.Title, "another name") || !strings.Contains(c.Why, "ghe.example.com") {
		t.Errorf("%+v", c)
	}
}

func TestNoTLSOnThatPort(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	q := gitHubShape("github-enterprise", "", strings.TrimPrefix(plain.URL, "http://")).question(t, change{})
	report := (&Verifier{Proxy: noProxy}).Verify(t.Context(), q)
	examine(t, report, q.Token.Reveal())
	expect(t, report, only(map[string]check.Status{idTLS: check.Fail}))
}

func TestBadCA(t *testing.T) {
	q := gitHubShape("github-enterprise", "", "ghe.example.com").question(t, change{})
	q.CA = []byte("not a certificate")
	report := newFakeHost(t, nil).verifier().Verify(t.Context(), q)
	examine(t, report, q.Token.Reveal())
	expect(t, report, allBut(check.Skip, map[string]check.Status{idTLS: check.Fail}))
	if report.Requests != 0 {
		t.Errorf("%d requests were sent", report.Requests)
	}
}

// Nothing is sent to an address that is not understood, and a secret in it is
// not repeated.
func TestBadAPIURL(t *testing.T) {
	for address, why := range map[string]string{
		"https://ada:tok3n@ghe.example.com/api/v3": "carries a user name or a token",
		"https://tok3n@ghe.example.com":            "carries a user name or a token",
		"https://münchen.example/api/v3":           "xn--mnchen-3ya.example",
		"https://ghe.example.com/../api/v3":        "climbs",
		"https://ghe.example.com/%2e%2e/api/v3":    "climbs",
		"https://ghe.example.com:99999":            "port",
		"ftp://ghe.example.com":                    "https://",
		"ghe.example.com":                          "https://",
		"https://ghe.example.com/\x1b[2J":          "not a URL",
	} {
		q := gitHubShape("github-enterprise", "", "ghe.example.com").question(t, change{})
		q.APIURL = address
		report := newFakeHost(t, nil).verifier().Verify(t.Context(), q)
		examine(t, report, "tok3n")
		c := checkOf(report, idReach)
		if c.Status != check.Fail || !strings.Contains(c.Why, why) || c.Field != fieldAPI || report.Requests != 0 {
			t.Errorf("%q: %d requests, %+v", address, report.Requests, c)
		}
	}
}

func TestUnusualHosts(t *testing.T) {
	for _, host := range []string{"[2001:db8::1]", "[2001:db8::1]:8443", "xn--mnchen-3ya.example", "xn--mnchen-3ya.example:8443", "ghe.example.com:444"} {
		s := gitHubShape("github-enterprise", host+"/api/v3", host)
		fake := s.host(t, change{})
		report := fake.verifier().Verify(t.Context(), s.question(t, change{}))
		examine(t, report, s.token)
		expect(t, report, allBut(check.Pass, nil))
	}
}

// A token that cannot be one of the provider never leaves the machine.
func TestTokensThatAreNotSent(t *testing.T) {
	for token, why := range map[string]string{
		"glpat-xyz":   "is a token of GitLab",
		"ATATT-xyz":   "is a token of Bitbucket Cloud",
		"ghs_xyz":     "an installation token",
		"ghp_a\nb":    "a blank, a line break",
		"ghp_a b":     "a blank, a line break",
		"ghp_\u00e9":  "a blank, a line break",
		" ghp_spaces": "a blank, a line break",
	} {
		s := gitHubShape("github", "api.github.com", "github.com")
		host := s.host(t, change{})
		host.restAuth = ""
		q := s.question(t, change{})
		q.Token = secret.New(token)
		report := host.verifier().Verify(t.Context(), q)
		examine(t, report, token)
		expect(t, report, only(map[string]check.Status{idToken: check.Fail}))
		if c := checkOf(report, idToken); !strings.Contains(c.Title, why) || !strings.Contains(c.Fix, "https://github.com/settings/tokens/new") {
			t.Errorf("%q: %+v", token, c)
		}
	}
}

// Some servers repeat what they were sent.
func TestEchoedTokens(t *testing.T) {
	s := bitbucketEmailShape()
	for _, echo := range []string{s.token, s.restAuth} {
		said := reply{status: 401, body: `{"error":{"message":"I do not know ` + echo + `"}}`}
		host := s.host(t, change{replies: map[string]reply{bitbucketREST + "/user": said}})
		report := host.verifier().Verify(t.Context(), s.question(t, change{}))
		examine(t, report, s.token)
		examine(t, report, strings.TrimPrefix(s.restAuth, "Basic "))
		expect(t, report, only(map[string]check.Status{idToken: check.Fail}))
	}
	named := reply{header: map[string]string{"X-OAuth-Scopes": s.token}, body: `{"username":"` + s.token + `"}`}
	host := s.host(t, change{replies: map[string]reply{bitbucketREST + "/user": named}})
	examine(t, host.verifier().Verify(t.Context(), s.question(t, change{})), s.token)
}

// The name that goes with the token may be known from the server only.
func TestEchoedCredentials(t *testing.T) {
	s := bitbucketServerShape()
	s.username = ""
	host := s.host(t, change{replies: map[string]reply{serverISC: {status: 404, body: `{"errors":[{"message":"` + s.gitAuth + `"}]}`}}})
	report := host.verifier().Verify(t.Context(), s.question(t, change{}))
	examine(t, report, strings.TrimPrefix(s.gitAuth, "Basic "))
	if c := checkOf(report, idRepo); !strings.Contains(c.Why, "Basic •••") {
		t.Errorf("%+v", c)
	}
}

func TestNamesThatCannotBe(t *testing.T) {
	s := gitHubShape("github", "api.github.com", "github.com")
	host := s.host(t, change{})
	q := s.question(t, change{})
	q.Repo.Path = "acme/team/isc"
	report := host.verifier().Verify(t.Context(), q)
	examine(t, report, s.token)
	if c := checkOf(report, idRepo); c.Status != check.Fail || report.Requests != 1 {
		t.Errorf("%d requests, %+v", report.Requests, c)
	}
}
