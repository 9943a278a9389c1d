package reach

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

const (
	host    = "runtime.example.com"
	address = "203.0.113.7"
)

var now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// identity is a certificate and the key that belongs to it.
type identity struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// issue makes a certificate; without an issuer it signs itself.
func issue(t testing.TB, issuer *identity, change func(*x509.Certificate)) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.Unix()), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(90 * 24 * time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if change != nil {
		change(template)
	}
	parent, signer := template, key
	if issuer != nil {
		parent, signer = issuer.certificate, issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return identity{certificate, key}
}

// authority makes a certificate that can sign others.
func authority(t testing.TB, name string, issuer *identity) identity {
	t.Helper()
	return issue(t, issuer, func(c *x509.Certificate) {
		c.Subject, c.DNSNames, c.IsCA = pkix.Name{CommonName: name}, nil, true
		c.KeyUsage, c.ExtKeyUsage = x509.KeyUsageCertSign, nil
	})
}

func poolOf(identities ...identity) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, i := range identities {
		pool.AddCert(i.certificate)
	}
	return pool
}

func (i identity) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.certificate.Raw})
}

func (i identity) keyPEM(t testing.TB) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// served is the identity as a server shows it, with the certificates above it.
func (i identity) served(above ...identity) tls.Certificate {
	certificate := tls.Certificate{PrivateKey: i.key, Certificate: [][]byte{i.certificate.Raw}}
	for _, a := range above {
		certificate.Certificate = append(certificate.Certificate, a.certificate.Raw)
	}
	return certificate
}

// zone is a resolver that knows some names. An empty entry is a name that does
// not exist; asking for a name without an entry fails the test.
type zone struct {
	t       testing.TB
	records map[string]string
	aliases map[string]string
	fault   error
}

func (z zone) LookupNetIP(_ context.Context, _, name string) ([]netip.Addr, error) {
	record, known := z.records[strings.TrimSuffix(name, ".")]
	switch {
	case !known || !strings.HasSuffix(name, "."):
		z.t.Errorf("DNS was asked for %q", name)
		return nil, errors.New("unexpected name")
	case z.fault != nil:
		return nil, z.fault
	case record == "":
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	var addresses []netip.Addr
	for ip := range strings.FieldsSeq(record) {
		addresses = append(addresses, netip.MustParseAddr(ip))
	}
	return addresses, nil
}

func (z zone) LookupCNAME(_ context.Context, name string) (string, error) {
	if alias := z.aliases[strings.TrimSuffix(name, ".")]; alias != "" {
		return alias + ".", nil
	}
	return name, nil
}

// network connects addresses of the test to listeners on this machine. Dialing
// another address fails the test.
type network map[string]net.Addr

func (n network) dial(t testing.TB) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, protocol, to string) (net.Conn, error) {
		listener, known := n[to]
		if !known {
			t.Errorf("%q was dialed", to)
			return nil, errors.New("unexpected address")
		}
		return new(net.Dialer).DialContext(ctx, protocol, listener.String())
	}
}

func prober(t testing.TB, records map[string]string, listeners network, roots *x509.CertPool) Prober {
	return Prober{Resolver: zone{t: t, records: records}, Dial: listeners.dial(t), Roots: roots,
		Now: func() time.Time { return now }, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }}
}

// byID finds a check, and holds all of them to the rules of checks.
func byID(t testing.TB, checks []check.Check, id string) check.Check {
	t.Helper()
	var found check.Check
	for _, c := range checks {
		if c.Title == "" || c.Scope != "access" || (c.Status == check.Fail || c.Status == check.Warn) && c.Fix == "" {
			t.Errorf("%s is not a whole check: %+v", c.ID, c)
		}
		if c.ID == id {
			found = c
		}
	}
	if found.ID == "" {
		t.Fatalf("there is no check %s", id)
	}
	return found
}

// says holds a check to its status and to words that it must hold somewhere.
func says(t testing.TB, c check.Check, status check.Status, words ...string) {
	t.Helper()
	if c.Status != status {
		t.Errorf("%s is %s, want %s: %s (%s)", c.ID, c.Status, status, c.Title, c.Why)
	}
	all := strings.Join([]string{c.Title, c.Why, c.Fix, c.Evidence}, "\n")
	for _, word := range words {
		if !strings.Contains(all, word) {
			t.Errorf("%s does not say %q:\n%s", c.ID, word, all)
		}
	}
}
