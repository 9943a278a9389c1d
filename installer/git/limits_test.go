package git

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

func TestRateLimits(t *testing.T) {
	reset := "1794744060" // a minute after today
	tests := map[string]struct {
		reply reply
		until string
	}{
		"seconds":               {reply{status: 429, header: map[string]string{"Retry-After": "90"}, body: `{}`}, "12:01:30"},
		"a date":                {reply{status: 429, header: map[string]string{"Retry-After": "Sun, 15 Nov 2026 12:02:00 GMT"}}, "12:02:00"},
		"none remain":           {reply{status: 403, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}, body: `{}`}, "12:01:00"},
		"too fast":              {reply{status: 403, header: map[string]string{"Retry-After": "10"}, body: `{}`}, "12:00:10"},
		"without saying":        {reply{status: 429}, "12:01:00"},
		"a reset that has been": {reply{status: 429, header: map[string]string{"RateLimit-Reset": "1"}}, "12:01:00"},
	}
	s := gitHubShape("github", "api.github.com", "github.com")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			host := s.host(t, change{replies: map[string]reply{"GET api.github.com/user": test.reply}})
			v := host.verifier()
			report := v.Verify(t.Context(), s.question(t, change{}))
			examine(t, report, s.token)
			expect(t, report, only(map[string]check.Status{idToken: check.Warn}))
			if c := checkOf(report, idToken); !strings.Contains(c.Why, test.until) || report.Requests != 1 {
				t.Errorf("%d requests, %+v", report.Requests, c)
			}
			again := v.Verify(t.Context(), s.question(t, change{}))
			examine(t, again, s.token)
			expect(t, again, allBut(check.Skip, map[string]check.Status{idReach: check.Warn}))
			if again.Requests != 0 || len(host.seen) != 1 {
				t.Errorf("%d requests were sent within the limit", len(host.seen)-1)
			}
		})
	}
}

// When the limit is over, and for another token, requests go out again.
func TestRateLimitsEnd(t *testing.T) {
	s := gitHubShape("github", "api.github.com", "github.com")
	host := s.host(t, change{})
	v := host.verifier()
	now := today
	v.Now = func() time.Time { return now }
	q := s.question(t, change{})
	v.limits.set(limitedBy("api.github.com", q.Token), today.Add(time.Minute))
	if report := v.Verify(t.Context(), q); report.Requests != 0 {
		t.Errorf("%d requests within the limit", report.Requests)
	}
	now = today.Add(time.Minute)
	if report := v.Verify(t.Context(), q); report.Requests != s.promised() {
		t.Errorf("%d requests after the limit", report.Requests)
	}
}

// A limit that comes in the middle stops the rest.
func TestRateLimitInTheMiddle(t *testing.T) {
	s := gitHubShape("github", "api.github.com", "github.com")
	host := s.host(t, change{replies: map[string]reply{"GET api.github.com/repos/acme/isc": {status: 429, header: map[string]string{"Retry-After": "5"}}}})
	report := host.verifier().Verify(t.Context(), s.question(t, change{}))
	examine(t, report, s.token)
	expect(t, report, map[string]check.Status{idToken: check.Pass, idRepo: check.Warn, idWrite: check.Skip, idBranch: check.Skip})
	if report.Requests != 2 {
		t.Errorf("%d requests", report.Requests)
	}
}

// unsteady fails the first requests in some way, and then serves.
type unsteady struct {
	*fakeHost
	fails int
	fail  func(w http.ResponseWriter)
}

func (u *unsteady) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if u.fails > 0 {
		u.fails--
		u.fail(w)
		return
	}
	u.fakeHost.ServeHTTP(w, r)
}

func TestOneSecondTry(t *testing.T) {
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { reply{status: code, kind: "text/html", body: "<html>"}.write(w) }
	}
	tests := map[string]struct {
		fails    int
		fail     func(http.ResponseWriter)
		requests int
		status   check.Status
	}{
		"one bad gateway":     {1, status(502), 5, check.Pass},
		"one unavailable":     {1, status(503), 5, check.Pass},
		"two gateway timeout": {2, status(504), 2, check.Warn},
		"an error is final":   {1, status(500), 1, check.Warn},
		"one reset":           {1, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, 5, check.Pass},
		"two resets":          {2, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, 2, check.Fail},
		"it says when": {1, func(w http.ResponseWriter) {
			reply{status: 503, header: map[string]string{"Retry-After": "60"}}.write(w)
		}, 1, check.Warn},
	}
	s := gitHubShape("github", "api.github.com", "github.com")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			host := s.host(t, change{})
			host.Config.Handler = &unsteady{fakeHost: host, fails: test.fails, fail: test.fail}
			report := host.verifier().Verify(t.Context(), s.question(t, change{}))
			examine(t, report, s.token)
			if c := checkOf(report, idReach); c.Status != test.status || report.Requests != test.requests {
				t.Errorf("%d requests, want %d: %+v", report.Requests, test.requests, c)
			}
		})
	}
}
