package reach

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

// mute is a resolver that answers only when it is told to stop.
type mute struct{}

func (mute) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (mute) LookupCNAME(ctx context.Context, _ string) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func TestEveryWaitIsBounded(t *testing.T) {
	known := func(t *testing.T) Resolver {
		return zone{t: t, records: map[string]string{host: address + " 203.0.113.8 203.0.113.9"}}
	}
	hang := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	silence := func(context.Context, string, string) (net.Conn, error) {
		ours, _ := net.Pipe()
		return ours, nil
	}
	for name, test := range map[string]struct {
		ask      Question
		resolver func(*testing.T) Resolver
		dial     func(context.Context, string, string) (net.Conn, error)
		waited   time.Duration
		id       string
		want     check.Status
		words    []string
	}{
		"DNS": {Question{}, func(*testing.T) Resolver { return mute{} }, hang, stepWait, "access.dns", check.Warn, []string{"no answer"}},
		"DNS, then the controller": {Question{Addresses: []string{address, "lb.example.com"}}, func(*testing.T) Resolver { return mute{} }, hang,
			2 * stepWait, "access.tcp", check.Fail, []string{address + ":443 does not answer", "--connect-to ::" + address + ":443"}},
		"TCP":  {Question{}, known, hang, stepWait, "access.tcp", check.Fail, []string{"does not answer", "firewall", "Open TCP port 443"}},
		"TLS":  {Question{}, known, silence, stepWait, "access.tls", check.Fail, []string{"does not finish", "openssl"}},
		"HTTP": {Question{Protocol: "http"}, known, silence, stepWait, "access.http", check.Fail, []string{"does not answer HTTP"}},
		"all": {Question{Addresses: []string{address}}, func(*testing.T) Resolver { return mute{} }, func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-time.After(stepWait - time.Millisecond)
			return silence(ctx, "", "")
		}, allWait, "access.tls", check.Fail, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := deaf(t)
				p.Resolver, p.Dial = test.resolver(t), test.dial
				test.ask.Host = host
				began := time.Now()
				answer := p.Look(t.Context(), test.ask)
				if waited := time.Since(began); waited != test.waited {
					t.Errorf("waited %s, want %s", waited, test.waited)
				}
				says(t, byID(t, answer.Checks(), test.id), test.want, test.words...)
			})
		})
	}
}

func TestLookEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := deaf(t)
	p.Resolver = mute{}
	if answer := p.Look(ctx, Question{Host: host}); answer.DNS.Err == nil {
		t.Error("it found something")
	}
}

func TestTCPOfSeveralAddresses(t *testing.T) {
	v4, other, v6 := netip.MustParseAddrPort("203.0.113.7:443"), netip.MustParseAddrPort("203.0.113.8:443"), netip.MustParseAddrPort("[2001:db8::7]:443")
	for name, test := range map[string]struct {
		dials []Dial
		want  check.Status
		words []string
	}{
		"all":     {[]Dial{{v4, nil}, {v6, nil}}, check.Pass, []string{"203.0.113.7:443 connects; [2001:db8::7]:443 connects"}},
		"no IPv6": {[]Dial{{v4, nil}, {v6, syscall.ENETUNREACH}}, check.Pass, []string{"fails (network is unreachable)"}},
		"one is silent": {[]Dial{{v4, context.DeadlineExceeded}, {other, nil}}, check.Warn,
			[]string{"203.0.113.7:443 fail", "203.0.113.7:443 does not answer"}},
		"unreachable":        {[]Dial{{v4, syscall.EHOSTUNREACH}}, check.Fail, []string{"cannot be reached"}},
		"no route":           {[]Dial{{v6, syscall.ENETUNREACH}}, check.Warn, []string{"this machine has no way"}},
		"refused by Windows": {[]Dial{{v4, windowsRefused}}, check.Fail, []string{"refuses"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := Answer{Question: Question{Host: host}, DNS: Lookup{Name: host, Addresses: []netip.Addr{v4.Addr()}}, Dials: test.dials}
			says(t, a.judgeTCP(), test.want, test.words...)
		})
	}
}
