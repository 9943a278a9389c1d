package platform

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/secret"
)

// authority signs certificates for a test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) authority {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return authority{certificate, key}
}

func (a authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

func (a authority) sign(t *testing.T, name string, notAfter time.Time) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(10, 0, 0, 1)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: notAfter}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
}

// serveTLS gives a client of https://codefresh.test, which answers with the
// certificate.
func serveTLS(t *testing.T, certificate tls.Certificate, handler http.Handler, ca []byte) *Client {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	options := []Option{WithTransport(&http.Transport{})}
	if ca != nil {
		options = append(options, WithCA(ca))
	}
	client := New("https://codefresh.test", secret.New(plainKey), options...)
	client.http.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, server.Listener.Addr().String())
	}
	t.Cleanup(client.http.CloseIdleConnections)
	return client
}

func TestCertificates(t *testing.T) {
	ours, others := newAuthority(t, "Acme\x1b[2J Root"), newAuthority(t, "Other Root")
	tomorrow, yesterday := time.Now().Add(24*time.Hour), time.Now().Add(-24*time.Hour)
	tests := map[string]struct {
		certificate tls.Certificate
		ca          []byte
		cause       string
		field, says string
	}{
		"trusted by the file": {ours.sign(t, "codefresh.test", tomorrow), ours.pem(), "", "", ""},
		"of two in the file":  {ours.sign(t, "codefresh.test", tomorrow), append(others.pem(), ours.pem()...), "", "", ""},
		"unknown":             {ours.sign(t, "codefresh.test", tomorrow), nil, causeUnknownCA, "tls.platformCA", "issued by Acme Root"},
		"of another file":     {ours.sign(t, "codefresh.test", tomorrow), others.pem(), causeUnknownCA, "tls.platformCA", "not from the authority in tls.platformCA"},
		"for another name":    {ours.sign(t, "other.test", tomorrow), ours.pem(), causeCertificate, "codefresh.url", "It is for other.test, 10.0.0.1, not for codefresh.test."},
		"expired":             {ours.sign(t, "codefresh.test", yesterday), ours.pem(), causeCertificate, "codefresh.url", yesterday.UTC().Format("2006-01-02")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var exchanges []exchange
			if test.cause == "" {
				exchanges = append(exchanges, exchange{asks: "query Runtimes", body: data(`{"runtimes":null}`)})
			}
			client := serveTLS(t, test.certificate, newScript(t, exchanges...), test.ca)
			client.pause = func(context.Context, time.Duration) error { t.Error("it tries again"); return nil }
			_, err := client.Runtimes(t.Context())
			if test.cause == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if p := expectProblem(t, err, test.cause); p.Field != test.field || !strings.Contains(p.Error(), test.says) {
				t.Errorf("got %s", p.Error())
			}
		})
	}
}

func TestAServerThatSpeaksNoTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(newScript(t))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	defer server.Close()
	_, err := New(strings.Replace(server.URL, "http:", "https:", 1), secret.New(plainKey)).Runtimes(t.Context())
	if p := expectProblem(t, err, causeNotCodefresh); !strings.Contains(p.Why, "http, not https") {
		t.Errorf("got %s", p.Error())
	}
}
