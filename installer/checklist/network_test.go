package checklist

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/reach"
)

const runtimeHost = "runtime.acme.io"

// network is what this machine sees: names, and one server behind every
// address.
type network struct {
	names map[string]string
	serve *httptest.Server
	roots *x509.CertPool
}

func (n *network) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	address, known := n.names[strings.TrimSuffix(host, ".")]
	if !known {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr(address)}, nil
}

func (n *network) LookupCNAME(_ context.Context, host string) (string, error) { return host, nil }

func (n *network) prober() reach.Prober {
	return reach.Prober{Resolver: n, Roots: n.roots, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, n.serve.Listener.Addr().String())
	}}
}

// pair is a certificate for a name, of an authority of its own.
type pair struct {
	crt, key []byte
	tls      tls.Certificate
	roots    *x509.CertPool
}

func certificateFor(t *testing.T, name string) pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p := pair{crt: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), roots: x509.NewCertPool()}
	p.roots.AppendCertsFromPEM(p.crt)
	if p.tls, err = tls.X509KeyPair(p.crt, p.key); err != nil {
		t.Fatal(err)
	}
	return p
}

// outside gives a world a network whose host serves a certificate.
func (w *world) outside(served pair, trusted *x509.CertPool) *network {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{served.tls}}
	server.StartTLS()
	w.t.Cleanup(server.Close)
	n := &network{names: map[string]string{}, serve: server, roots: trusted}
	w.change = func(s *Scene) { s.Prober = n.prober() }
	return n
}
