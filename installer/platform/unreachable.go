package platform

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// noAnswer is the failure of a request that no answer came to, or not all of it.
func (c *Client) noAnswer(err error) *failure {
	failed := c.silence(err)
	failed.Err = c.withoutSecrets(err)
	return failed
}

func (c *Client) silence(err error) *failure {
	dns, isDNS := errors.AsType[*net.DNSError](err)
	connection, isConnection := errors.AsType[*net.OpError](err)
	certificate := c.untrusted(err)
	switch {
	case certificate != nil:
		return &failure{Problem: certificate}
	case errors.Is(err, context.Canceled):
		return &failure{Problem: interrupted(err)}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{Problem: c.unreachable("It did not finish answering in time.")}
	case errors.Is(err, http.ErrSchemeMismatch):
		return &failure{Problem: c.notCodefresh("It speaks http, not https.")}
	case isConnection && connection.Op == "proxyconnect":
		p := c.unreachable("The proxy cannot be reached: " + c.sentence(connection.Err.Error()))
		p.Fix = "Check HTTPS_PROXY, or put " + c.base.Hostname() + " into NO_PROXY."
		return &failure{Problem: p, passing: true}
	case isDNS && dns.IsNotFound:
		p := c.unreachable("There is no host " + c.base.Hostname() + ".")
		p.Fix = "Check the spelling of the address, and that this machine can resolve it."
		return &failure{Problem: p}
	}
	return &failure{Problem: c.unreachable(c.sentence(bare(err))), passing: true}
}

func (c *Client) unreachable(why string) *problem.Problem {
	return &problem.Problem{Kind: problem.Refused, Cause: causeUnreachable, Field: c.voice.field,
		What: c.voice.name + " does not answer at " + c.shown(), Why: why, Fix: c.voice.network}
}

// bare is the error without the method and the address before it.
func bare(err error) string {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		return outer.Err.Error()
	}
	return err.Error()
}

// withoutSecrets keeps the raw error for the log, unless it tells a secret,
// such as the password of a proxy.
func (c *Client) withoutSecrets(err error) error {
	if redacted := secret.Redact(err.Error(), c.key); redacted != err.Error() {
		return errors.New(redacted)
	}
	return err
}

// untrusted is the problem with the platform's certificate, or nil.
func (c *Client) untrusted(err error) *problem.Problem {
	failed, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok || len(failed.UnverifiedCertificates) == 0 {
		return nil
	}
	chain := failed.UnverifiedCertificates
	if wrong, ok := errors.AsType[x509.HostnameError](err); ok {
		return c.badCertificate("is for another name", "It is for "+c.names(wrong.Certificate)+", not for "+c.base.Hostname()+".",
			"Check the address: another program may answer there, or "+c.voice.place+" has another name.")
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return c.unknownCA(c.issuer(chain[len(chain)-1].Issuer))
	}
	invalid, ok := errors.AsType[x509.CertificateInvalidError](err)
	if ok && invalid.Reason == x509.Expired {
		days := invalid.Cert.NotBefore.Format("2006-01-02") + " to " + invalid.Cert.NotAfter.Format("2006-01-02")
		return c.badCertificate("is not valid today", "It is valid from "+days+".", "Check this machine's clock; if it is right, "+c.voice.place+" needs a new certificate.")
	}
	return c.badCertificate("is not valid", c.sentence(failed.Err.Error()), "Ask those who run "+c.voice.place+" for a valid certificate.")
}

func (c *Client) badCertificate(what, why, fix string) *problem.Problem {
	return &problem.Problem{Kind: problem.Refused, Cause: causeCertificate, Field: c.voice.field,
		What: "the certificate at " + c.shown() + " " + what, Why: why, Fix: fix}
}

func (c *Client) unknownCA(issuer string) *problem.Problem {
	p := &problem.Problem{Kind: problem.Refused, Cause: causeUnknownCA, Field: "tls.platformCA",
		What: "the certificate at " + c.shown() + " is from an authority that this machine does not know",
		Why:  "It was issued by " + issuer + ": the authority of your own platform, or of a proxy that reads along.",
		Fix:  "Save the certificate of " + issuer + " as a PEM file and set tls.platformCA to it."}
	if c.voice.runtime {
		p.Field, p.Why = c.voice.field, "It was issued by "+issuer+". Codefresh and browsers have to trust the certificate of the runtime's host."
		p.Fix = "Give the host a certificate that they trust, as its access mode does it: cfwizard checklist tells how."
		return p
	}
	if c.ownCA {
		p.What = "the certificate at " + c.shown() + " is not from the authority in tls.platformCA"
	}
	return p
}

// issuer names an authority as people know it.
func (c *Client) issuer(name pkix.Name) string {
	return cmp.Or(c.quote(name.CommonName), c.quote(strings.Join(name.Organization, ", ")), c.quote(name.String()), "an authority without a name")
}

// names are those that a certificate is for.
func (c *Client) names(certificate *x509.Certificate) string {
	names := slices.Clone(certificate.DNSNames)
	for _, address := range certificate.IPAddresses {
		names = append(names, address.String())
	}
	return cmp.Or(c.quote(strings.Join(names, ", ")), c.quote(certificate.Subject.CommonName), "no name")
}

// brokenOff is what a call ends with that could not wait for its next attempt:
// with the last problem, unless the person ended it.
func (c *Client) brokenOff(ctx context.Context, last *problem.Problem) *problem.Problem {
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(ctx.Err())
	}
	return last
}

func interrupted(err error) *problem.Problem {
	return &problem.Problem{Kind: problem.Interrupted, Cause: "interrupted", What: "the question was broken off",
		Fix: "Ask again.", Err: err}
}
