package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// PKI is the sandbox's own certificate authority, the serving certificate of
// everything in it, and the key that signs service account tokens.
type PKI struct{ Dir string }

// CA is the file of the authority's certificate.
func (p PKI) CA() string { return filepath.Join(p.Dir, "ca.crt") }

// Cert is the file of the serving certificate, and Key that of its key.
func (p PKI) Cert() string { return filepath.Join(p.Dir, "serving.crt") }

// Key is the file of the serving certificate's key.
func (p PKI) Key() string { return filepath.Join(p.Dir, "serving.key") }

// ServiceAccount is the file of the key that signs tokens.
func (p PKI) ServiceAccount() string { return filepath.Join(p.Dir, "service-account.key") }

// servedNames are the names under which the parts of the sandbox are reached.
var servedNames = []string{
	"localhost", "kubernetes", "kubernetes.default.svc",
	"g.codefresh.io", "github.com", "api.github.com", "gitlab.com", "bitbucket.org", "api.bitbucket.org",
	"*.sandbox.test",
}

// NewPKI makes all keys and certificates in a folder.
func NewPKI(dir string) (PKI, error) {
	p := PKI{Dir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return p, fmt.Errorf("making the certificate folder: %w", err)
	}
	caKey, err := newKey()
	if err != nil {
		return p, err
	}
	ca := certificate("cfwizard sandbox CA")
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign
	if err := writeCertificate(p.CA(), ca, ca, caKey, caKey); err != nil {
		return p, err
	}
	key, err := newKey()
	if err != nil {
		return p, err
	}
	serving := certificate("sandbox")
	serving.DNSNames, serving.IPAddresses = servedNames, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	serving.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if err := writeCertificate(p.Cert(), serving, ca, key, caKey); err != nil {
		return p, err
	}
	if err := writeKey(p.Key(), key); err != nil {
		return p, err
	}
	accounts, err := newKey()
	if err != nil {
		return p, err
	}
	return p, writeKey(p.ServiceAccount(), accounts)
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

func certificate(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
}

func writeCertificate(path string, cert, issuer *x509.Certificate, key, issuerKey *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, cert, issuer, key.Public(), issuerKey)
	if err != nil {
		return fmt.Errorf("signing %s: %w", path, err)
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", path, err)
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
