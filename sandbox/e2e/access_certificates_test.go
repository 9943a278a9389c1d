package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// authority signs the certificates of the tests.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

var theAuthority = sync.OnceValue(func() authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority of the tests"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return authority{certificate, key}
})

func inPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// trusted lets the sandbox's programs trust the authority.
func (s *sandbox) trusted() {
	s.t.Helper()
	s.env["SSL_CERT_FILE"] = writeFile(s.t, filepath.Join(s.home, "authority.pem"), inPEM("CERTIFICATE", theAuthority().certificate.Raw))
}

// secretFor is the Secret runtime-tls with a certificate for a host.
func secretFor(t testing.TB, host, namespace string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 3, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, theAuthority().certificate, key.Public(), theAuthority().key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	return "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\nmetadata: {name: runtime-tls, namespace: " + namespace + "}\n" +
		"data: {tls.crt: " + encode(inPEM("CERTIFICATE", der)) + ", tls.key: " + encode(inPEM("PRIVATE KEY", private)) + "}"
}

// certificateFor adds that Secret where an Ingress looks for it.
func certificateFor(host string) edit { return certificateIn("codefresh", host) }

func certificateIn(namespace, host string) edit {
	return func(f *fixture) { f.addText(secretFor(f.t, host, namespace)) }
}
