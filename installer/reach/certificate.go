package reach

import (
	"crypto/x509"
	"errors"
	"net/netip"
	"slices"
	"time"
)

// renewWithin is how soon an end of a certificate is worth a warning.
const renewWithin = 14 * 24 * time.Hour

// Trouble is what is wrong with a certificate.
type Trouble string

// The troubles. None is the best of them.
const (
	None             Trouble = ""
	NoCertificate    Trouble = "no certificate"
	Placeholder      Trouble = "placeholder"
	WrongName        Trouble = "wrong name"
	Expired          Trouble = "expired"
	NotYetValid      Trouble = "not yet valid"
	ExpiresSoon      Trouble = "expires soon"
	SelfSigned       Trouble = "self-signed"
	UnknownAuthority Trouble = "unknown authority"
	IncompleteChain  Trouble = "incomplete chain"
	Unusable         Trouble = "unusable"
)

// Verdict is the judgement on a chain of certificates.
type Verdict struct {
	Trouble Trouble
	Host    string
	Chain   []*x509.Certificate
	About   *x509.Certificate // the certificate that the trouble is with
	Fake    Fake              // whose placeholder it is
	Err     error             // what the verification said
	now     time.Time
}

// OK reports whether clients that trust the roots take the certificate.
func (v Verdict) OK() bool { return v.Trouble == None || v.Trouble == ExpiresSoon }

// untrusted reports whether only the missing trust speaks against it.
func (v Verdict) untrusted() bool {
	return v.Trouble == SelfSigned || v.Trouble == UnknownAuthority || v.Trouble == IncompleteChain
}

// JudgeCertificate judges a chain, the host's own certificate first. What is
// nearest to the cause comes first: a placeholder is also for another name,
// and a certificate for another name is not worth renewing. Without roots,
// those of the system count.
func JudgeCertificate(chain []*x509.Certificate, host string, roots *x509.CertPool, now time.Time) Verdict {
	v := Verdict{Host: host, Chain: chain, now: now}
	if len(chain) == 0 {
		v.Trouble = NoCertificate
		return v
	}
	leaf := chain[0]
	v.About = leaf
	fake, isFake := fakeOf(leaf)
	switch {
	case isFake:
		v.Trouble, v.Fake = Placeholder, fake
	case leaf.VerifyHostname(host) != nil:
		v.Trouble = WrongName
	case now.After(leaf.NotAfter):
		v.Trouble = Expired
	case now.Before(leaf.NotBefore):
		v.Trouble = NotYetValid
	default:
		v.verify(roots)
	}
	return v
}

func (v *Verdict) verify(roots *x509.CertPool) {
	leaf := v.Chain[0]
	others := x509.NewCertPool()
	for _, c := range v.Chain[1:] {
		others.AddCert(c)
	}
	_, v.Err = leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: others, CurrentTime: v.now})
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	switch {
	case v.Err == nil && leaf.NotAfter.Sub(v.now) < renewWithin:
		v.Trouble = ExpiresSoon
	case v.Err == nil:
	case errors.As(v.Err, &unknown):
		v.distrust()
	case errors.As(v.Err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		v.outOfTime(invalid.Cert)
	default:
		v.Trouble = Unusable
	}
}

// outOfTime is about a certificate above the host's own.
func (v *Verdict) outOfTime(c *x509.Certificate) {
	v.About, v.Trouble = c, Expired
	if v.now.Before(c.NotBefore) {
		v.Trouble = NotYetValid
	}
}

// distrust tells an authority that nobody knows from one that was not sent.
func (v *Verdict) distrust() {
	v.About = v.top()
	switch {
	case isSelfSigned(v.Chain[0]):
		v.Trouble = SelfSigned
	case isSelfSigned(v.About):
		v.Trouble = UnknownAuthority
	default:
		v.Trouble = IncompleteChain
	}
}

// top follows the issuers from the host's own certificate as far as what was
// sent allows.
func (v *Verdict) top() *x509.Certificate {
	c := v.Chain[0]
	for range v.Chain {
		i := slices.IndexFunc(v.Chain, func(other *x509.Certificate) bool {
			return !other.Equal(c) && c.CheckSignatureFrom(other) == nil
		})
		if i < 0 {
			break
		}
		c = v.Chain[i]
	}
	return c
}

func isSelfSigned(c *x509.Certificate) bool {
	return string(c.RawIssuer) == string(c.RawSubject) && c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// namesOf are the names and addresses that a certificate is for.
func namesOf(c *x509.Certificate) []string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		if address, ok := netip.AddrFromSlice(ip); ok {
			names = append(names, address.Unmap().String())
		}
	}
	return names
}
