package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// A host that answers with something else than the API: it is said what, in
// time, and the token does not go anywhere else.
func TestGitBadInput(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	elsewhere, visits := lookout(t)
	for _, c := range []struct {
		name, scenario string
		want           findings
		why            string // words of the reason
	}{
		{"HTML", "html-body=on", findings{"git.reach": "fail is not the API"}, "A web page answered"},
		{"redirect", "redirect=" + elsewhere, findings{"git.reach": "fail sends elsewhere"}, "a redirect to " + elsewhere + ", which is not followed"},
		{"huge body", "huge-body=on", findings{"git.reach": "fail is not the API"}, "longer than 1 MiB"},
		{"invalid UTF-8", "invalid-utf8=on", findings{"git.reach": "fail is not the API"}, "not valid UTF-8"},
		{"status 500", "http-status=500", findings{"git.reach": "warn has trouble of its own"}, "500 Internal Server Error"},
		{"certificate for another name", "wrong-name=on", findings{"git.tls": "fail is for another name"}, "somebody-else.sandbox.test"},
		{"expired certificate", "expired-cert=on", findings{"git.tls": "fail is not valid today"}, "It is valid from"},
	} {
		s.scenario("codefresh.fresh-account", "git."+c.scenario)
		everyForge(t, s, c.name, func(t *testing.T, s *sandbox, f forge) {
			s.tryGit(f, gitCase{want: c.want, why: c.why})
		})
	}
	s.scenario("codefresh.fresh-account", "git.drip=on")
	t.Run("slow drip", func(t *testing.T) { s.within(t).endsADrip(forges[0]) })
	if seen := visits.Load(); seen != 0 {
		t.Errorf("the redirect was followed %d times", seen)
	}
	s.scenario("codefresh.fresh-account")
	t.Run("addresses", func(t *testing.T) { s.within(t).refusesAddresses() })
	t.Run("secrets in addresses", func(t *testing.T) { s.within(t).keepsSecretsOfAddresses() })
	t.Run("typed", func(t *testing.T) { s.within(t).forgetsATypedSecret() })
	t.Run("IPv6", func(t *testing.T) { s.within(t).takesIPv6() })
}

// lookout counts those who come.
func lookout(t *testing.T) (address string, visits *atomic.Int32) {
	visits = &atomic.Int32{}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			visits.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, visits
}

// endsADrip waits for a host that never ends its answer, but no longer than
// all questions to it may take together. How answers are read is the same for
// all providers.
func (s *sandbox) endsADrip(f forge) {
	s.t.Helper()
	const limit = 15 * time.Second
	found, took := s.askGit(f, gitQuestion{})
	found.expect(s.t, findings{"git.reach": "fail does not answer"})
	found.because(s.t, "git.reach", "did not answer in full within 15s")
	if took < limit || took > limit+promptly {
		s.t.Errorf("took %s, the limit is %s", took, limit)
	}
}
