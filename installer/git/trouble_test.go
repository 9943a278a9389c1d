package git

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

func TestTroubleInWords(t *testing.T) {
	origin := &url.URL{Scheme: "https", Host: "git.example.com:8443"}
	leaf := &x509.Certificate{Subject: pkix.Name{CommonName: "git"}, Issuer: pkix.Name{CommonName: "Example CA\x1b[2J"}, NotAfter: today}
	root := &x509.Certificate{Subject: pkix.Name{CommonName: "Root"}, Issuer: pkix.Name{CommonName: "Root"}}
	untrustedBy := func(err error, chain ...*x509.Certificate) error {
		return &tls.CertificateVerificationError{UnverifiedCertificates: chain, Err: err}
	}
	tests := map[string]struct {
		err  error
		kind troubleKind
		says string
	}{
		"no such name":    {&net.DNSError{Err: "no such host", IsNotFound: true}, unreachable, "there is no host git.example.com: DNS does not know"},
		"refused":         {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, unreachable, "nothing listens"},
		"reset":           {&net.OpError{Op: "read", Err: syscall.ECONNRESET}, unreachable, "cuts the connection"},
		"too slow":        {fmt.Errorf("reading: %w", context.DeadlineExceeded), unreachable, "within 15s"},
		"proxy":           {&net.OpError{Op: "proxyconnect", Err: errors.New("bad gateway")}, unreachable, "the proxy does not answer"},
		"anything":        {errors.New("odd\x1b[2J"), unreachable, "does not answer: odd"},
		"not TLS":         {tls.RecordHeaderError{Msg: "first record does not look like TLS"}, untrusted, "does not speak TLS"},
		"an alert":        {fmt.Errorf("remote: %w", tls.AlertError(40)), untrusted, "refuses the TLS connection"},
		"unknown CA":      {untrustedBy(x509.UnknownAuthorityError{}, leaf), untrusted, "The missing CA is CN=Example CA"},
		"unknown root":    {untrustedBy(x509.UnknownAuthorityError{}, leaf, root), untrusted, "CN=Root, which the server sends along"},
		"another name":    {untrustedBy(x509.HostnameError{Certificate: leaf}, leaf), untrusted, "It is for no host at all"},
		"expired":         {untrustedBy(x509.CertificateInvalidError{Cert: leaf, Reason: x509.Expired}, leaf), untrusted, "to 2026-11-15"},
		"otherwise wrong": {untrustedBy(x509.CertificateInvalidError{Cert: leaf, Reason: x509.NotAuthorizedToSign}, leaf), untrusted, "is not valid"},
		"no certificate":  {untrustedBy(errors.New("none")), untrusted, "is not valid"},
	}
	for name, test := range tests {
		got := fromError(origin, test.err, 15*time.Second)
		if got.kind != test.kind || !strings.Contains(got.Error(), test.says) || got.fix == "" || strings.Contains(got.Error(), "\x1b") {
			t.Errorf("%s: kind %d, %q, fix %q; want %q", name, got.kind, got.Error(), got.fix, test.says)
		}
	}
}

func TestShowChain(t *testing.T) {
	for address, want := range map[string]string{
		"https://git.example.com":      "-connect git.example.com:443 -servername git.example.com <",
		"https://git.example.com:8443": "-connect git.example.com:8443 -servername git.example.com <",
		"https://[2001:db8::1]:8443":   "-connect [2001:db8::1]:8443 <",
		"https://10.1.2.3":             "-connect 10.1.2.3:443 <",
	} {
		origin, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := showChain(origin); !strings.Contains(got, want) {
			t.Errorf("%s: %s", address, got)
		}
	}
}

// Without TLS the answers are as good as any, but the token goes in clear.
func TestWithoutTLS(t *testing.T) {
	s := gitHubShape("github-enterprise", "ghe.example.com/api/v3", "ghe.example.com")
	host := s.host(t, change{})
	plain := httptest.NewServer(http.HandlerFunc(host.ServeHTTP))
	t.Cleanup(plain.Close)
	v := &Verifier{Proxy: noProxy, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, plain.Listener.Addr().String())
	}}
	s.url = strings.Replace(s.url, "https", "http", 1)
	q := s.question(t, change{})
	report := v.Verify(t.Context(), q)
	examine(t, report, s.token)
	expect(t, report, allBut(check.Pass, map[string]check.Status{idTLS: check.Warn}))
	q.APIURL = "https://ghe.example.com/api/v3"
	report = host.verifier().Verify(t.Context(), q)
	expect(t, report, allBut(check.Pass, map[string]check.Status{idTLS: check.Warn}))
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		pattern, branch string
		want            bool
	}{
		{"main", "main", true}, {"main", "mainly", false}, {"ma*", "main", true}, {"*", "feature/x", true}, {"**", "a/b", true},
		{"release/**", "release/1/2", true}, {"release/**", "main", false}, {"release/*", "release/1", true}, {"[", "main", true},
	} {
		if got := matches(test.pattern, test.branch); got != test.want {
			t.Errorf("%s matches %s: %v", test.pattern, test.branch, got)
		}
	}
}

func TestRoleName(t *testing.T) {
	for level, want := range map[int]string{0: "none", 10: "Guest", 20: "Reporter"} {
		if got := roleName(level); got != want {
			t.Errorf("%d is %s, want %s", level, got, want)
		}
	}
}

// What git advertises is read without panic, and never as more than it is.
func FuzzParseRefs(f *testing.F) {
	const hash = "0123456789012345678901234567890123456789"
	f.Add([]byte(pkt("# service=git-upload-pack\n", "", hash+" HEAD\x00symref=HEAD:refs/heads/main\n", hash+" refs/heads/main\n", "")))
	f.Add([]byte("00000000"))
	f.Add([]byte("ffff"))
	f.Add([]byte("0003x"))
	f.Fuzz(func(t *testing.T, body []byte) {
		found := parseRefs(body)
		for branch := range found.branches {
			if !strings.Contains(string(body), branchRef+branch) {
				t.Errorf("%q is not in %q", branch, body)
			}
		}
	})
}
