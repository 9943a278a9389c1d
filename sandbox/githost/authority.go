package githost

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net"
	"slices"
	"time"
)

// authority signs certificates that nobody trusts without being told to.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(now time.Time) (authority, error) {
	root := template("cfwizard sandbox Git CA", now.AddDate(0, 0, -90), now.AddDate(0, 0, 90))
	root.IsCA, root.BasicConstraintsValid, root.KeyUsage = true, true, x509.KeyUsageCertSign
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, fmt.Errorf("making the key of the Git CA: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		return authority{}, fmt.Errorf("signing the Git CA: %w", err)
	}
	certificate, err := x509.ParseCertificate(der)
	return authority{certificate, key}, err
}

// pem is what a client has to be given to trust the authority.
func (a authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

func (a authority) issue(leaf *x509.Certificate) (tls.Certificate, error) {
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a key for Git: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.certificate, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("signing a certificate for Git: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

func template(name string, from, until time.Time) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: from, NotAfter: until, KeyUsage: x509.KeyUsageDigitalSignature}
}

// certificates are the right one, and the two that a switch can put in its place.
type certificates struct{ right, wrongName, expired tls.Certificate }

func (a authority) issueAll(now time.Time) (all certificates, err error) {
	for _, wanted := range []struct {
		into        *tls.Certificate
		from, until time.Time
		names       []string
		addresses   []net.IP
	}{
		{&all.right, now.AddDate(0, 0, -1), now.AddDate(0, 0, 60), servedNames(), loopback},
		{&all.wrongName, now.AddDate(0, 0, -1), now.AddDate(0, 0, 60), []string{"somebody-else.sandbox.test"}, nil},
		{&all.expired, now.AddDate(0, 0, -60), now.AddDate(0, 0, -30), servedNames(), loopback},
	} {
		leaf := template("sandbox Git", wanted.from, wanted.until)
		leaf.DNSNames, leaf.IPAddresses = wanted.names, wanted.addresses
		if *wanted.into, err = a.issue(leaf); err != nil {
			return all, err
		}
	}
	return all, nil
}

var loopback = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}

func servedNames() []string {
	return append(slices.Sorted(maps.Keys(placesByName)), "localhost")
}
