package git

import (
	"context"
	"fmt"
	"maps"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/secret"
)

func shapes() map[string]shape {
	return map[string]shape{
		"github":                   gitHubShape("github", "api.github.com", "github.com"),
		"github user":              gitHubUserShape(),
		"github fine-grained":      fineGrainedShape(RuntimeToken),
		"github untold scopes":     untoldShape(),
		"github fine-grained user": fineGrainedShape(UserToken),
		"github-enterprise":        gitHubShape("github-enterprise", "ghe.example.com/api/v3", "ghe.example.com"),
		"gitlab":                   gitLabShape("gitlab", "gitlab.com"),
		"gitlab user":              gitLabUserShape(),
		"gitlab-server":            gitLabShape("gitlab-server", "gitlab.example.com"),
		"bitbucket":                bitbucketShape(),
		"bitbucket e-mail":         bitbucketEmailShape(),
		"bitbucket git":            bitbucketGitShape(),
		"bitbucket-server":         bitbucketServerShape(),
	}
}

func TestVerify(t *testing.T) {
	for name, s := range shapes() {
		good := s.cases["good"]
		for caseName, c := range s.cases {
			t.Run(name+"/"+caseName, func(t *testing.T) {
				host := s.host(t, c)
				q := s.question(t, c)
				if c.username == "none" {
					q.Username = ""
				}
				report := host.verifier().Verify(t.Context(), q)
				examine(t, report, s.token)
				want := maps.Clone(good.want)
				maps.Copy(want, c.want)
				expect(t, report, want)
				if c.requests == 0 {
					c.requests = s.promised()
				}
				if report.Requests != c.requests || len(host.seen) != c.requests {
					t.Errorf("%d requests reported and %d sent, want %d: %v", report.Requests, len(host.seen), c.requests, host.seen)
				}
				if shown := fmt.Sprintf("%+v", report); !strings.Contains(shown, c.why) {
					t.Errorf("no verdict says %q: %s", c.why, shown)
				}
				if report.Missing != c.missing {
					t.Errorf("missing is %q, want %q", report.Missing, c.missing)
				}
				if report.SkipValidation != (statuses(report)[idValidator] == check.Warn) {
					t.Errorf("SkipValidation is %v beside %+v", report.SkipValidation, checkOf(report, idValidator))
				}
				if caseName == "good" && (report.User != s.user || report.DefaultBranch != "main") {
					t.Errorf("user %q and default branch %q", report.User, report.DefaultBranch)
				}
			})
		}
	}
}

// Every provider is held to the same list of cases, under one name at least.
func TestEveryProviderHasTheCases(t *testing.T) {
	for _, p := range Providers {
		tested := map[string]bool{}
		for _, s := range shapes() {
			for name := range s.cases {
				tested[name] = tested[name] || s.provider == p.ID
			}
		}
		for _, name := range []string{"good", "bad token", "missing scope", "expired", "no repo", "read-only", "empty repo", "no branch", "protected branch"} {
			if !tested[name] {
				t.Errorf("%s has no case %q", p.ID, name)
			}
		}
	}
}

func TestUnknownCA(t *testing.T) {
	for name, s := range shapes() {
		t.Run(name, func(t *testing.T) {
			q := s.question(t, change{})
			q.CA = nil
			host := newFakeHost(t, nil)
			report := host.verifier().Verify(t.Context(), q)
			examine(t, report, s.token)
			expect(t, report, only(map[string]check.Status{idTLS: check.Fail}))
			c := checkOf(report, idTLS)
			if !strings.Contains(c.Why, testCAName) || c.Field != "tls.gitCA" || report.Requests != 1 {
				t.Errorf("%d requests, %+v", report.Requests, c)
			}
			for _, part := range []string{"openssl s_client -showcerts -connect ", ":443 -servername ", "tls.gitCA: {"} {
				if !strings.Contains(c.Fix, part) {
					t.Errorf("the fix lacks %q: %s", part, c.Fix)
				}
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	for name, s := range shapes() {
		t.Run(name, func(t *testing.T) {
			v := &Verifier{Proxy: noProxy, Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
			}}
			report := v.Verify(t.Context(), s.question(t, change{}))
			examine(t, report, s.token)
			expect(t, report, allBut(check.Skip, map[string]check.Status{idReach: check.Fail, idExpiry: check.Skip}))
			if c := checkOf(report, idReach); !strings.Contains(c.Why, "refused") || report.Requests != 1 {
				t.Errorf("%d requests, %+v", report.Requests, c)
			}
		})
	}
}

func TestSlow(t *testing.T) {
	for name, s := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := s.host(t, change{})
			for key, r := range host.replies {
				r.hang = true
				host.replies[key] = r
			}
			v := host.verifier()
			v.limit = 300 * time.Millisecond
			report := v.Verify(t.Context(), s.question(t, change{}))
			examine(t, report, s.token)
			expect(t, report, allBut(check.Skip, map[string]check.Status{idReach: check.Fail}))
			if c := checkOf(report, idReach); !strings.Contains(c.Why, "within 300ms") {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestWithoutToken(t *testing.T) {
	for _, p := range Providers {
		t.Run(p.ID, func(t *testing.T) {
			for _, s := range shapes() {
				if s.provider != p.ID || s.tokens != "" {
					continue
				}
				host := s.host(t, change{})
				host.restAuth, host.gitAuth = "", ""
				q := s.question(t, change{})
				q.Token = secret.Value{}
				report := host.verifier().Verify(t.Context(), q)
				examine(t, report, "")
				expect(t, report, only(nil))
				if report.Requests != 1 {
					t.Errorf("%d requests, want 1", report.Requests)
				}
			}
		})
	}
}

func TestZeroVerifierIsReady(t *testing.T) {
	v := new(Verifier)
	if v.timeLimit() != verifyLimit || v.now().IsZero() || v.proxy() == nil {
		t.Error("the zero value lacks a clock, a limit or a proxy")
	}
	report := v.Verify(t.Context(), Question{})
	expect(t, report, allBut(check.Skip, map[string]check.Status{idReach: check.Fail}))
}
