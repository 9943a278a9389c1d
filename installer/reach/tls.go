package reach

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// tooOld is the alert of a server that knows no version of TLS that we know.
const tooOld = tls.AlertError(70)

func (a Answer) judgeTLS() check.Check {
	c := check.Check{ID: "access.tls"}
	_, connected := a.connected()
	switch {
	case !a.encrypted():
		c.Status, c.Title, c.Why = check.Skip, "TLS is not used", "The protocol is http."
	case !connected:
		c.Status, c.Title, c.Why = check.Skip, "the certificate was not seen", "There is no connection to the host."
	case a.TLS.WantsCertificate && (a.TLS.Err != nil || a.HTTP.Err != nil):
		c.Status, c.Title = check.Fail, a.name()+" asks for a client certificate"
		c.Why = "Codefresh has none to show, and neither has the chart's own check."
		c.Fix = "Turn mutual TLS off for this host (Istio: tls.mode SIMPLE on the Gateway's server)."
		c.Evidence = Verdict{Chain: a.TLS.Chain}.seen()
	case a.TLS.Err != nil:
		return a.noHandshake(c)
	default:
		return a.judgeChain(c)
	}
	return c
}

func (a Answer) judgeChain(c check.Check) check.Check {
	return a.judgeTrust(c, func(v Verdict) string { return v.fix() + a.certificateHint(v) + " See it with: " + a.openssl() })
}

// judgeTrust judges the chain by what the platform trusts that will meet it.
func (a Answer) judgeTrust(c check.Check, fix func(Verdict) string) check.Check {
	v := JudgeCertificate(a.TLS.Chain, a.name(), a.Roots, a.At)
	note := ""
	if v.untrusted() && len(a.ExtraRoots) > 0 {
		v, note = a.withTheirAuthority(v)
	}
	c.Status, c.Title, c.Why, c.Evidence = statusOf(v), v.what(), strings.TrimSpace(v.why()+note), v.seen()
	if c.Status == check.Pass {
		return c
	}
	c.Fix = fix(v)
	if a.PrivatePlatform && v.untrusted() {
		c.Status = check.Warn
		c.Fix = "Make sure that your Codefresh platform trusts this certificate's authority. If it does not: " + c.Fix
	}
	return c
}

// withTheirAuthority judges again with the authorities that a private platform
// trusts. Codefresh's own cloud does not know them.
func (a Answer) withTheirAuthority(v Verdict) (Verdict, string) {
	again := JudgeCertificate(a.TLS.Chain, a.name(), withExtra(a.Roots, a.ExtraRoots), a.At)
	switch {
	case !again.OK():
		return v, " The authorities given besides do not vouch for it either."
	case a.PrivatePlatform:
		return again, " It is trusted by the authorities given besides."
	}
	return v, " You trust its authority, but Codefresh does not know it."
}

// certificateHint says what else ends the trouble before the install.
func (a Answer) certificateHint(v Verdict) string {
	if v.OK() || !strings.HasPrefix(a.Field, "access.ingress.") {
		return ""
	}
	return " If the right certificate comes only with the install (access.ingress.tlsSecret), set access.ingress.skipValidation, or the chart's own check stops it."
}

func statusOf(v Verdict) check.Status {
	switch v.Trouble {
	case None:
		return check.Pass
	case ExpiresSoon:
		return check.Warn
	}
	return check.Fail
}

// noHandshake tells the ways in which TLS does not come about. The alert of
// the other side has no exported type; only its operation tells it.
func (a Answer) noHandshake(c check.Check) check.Check {
	c.Status, c.Evidence = check.Fail, text.Line(a.TLS.Err.Error())
	var alert *net.OpError
	var notTLS tls.RecordHeaderError
	switch err := a.TLS.Err; {
	case errors.As(err, &notTLS):
		c.Title = a.place() + " does not speak TLS"
		c.Why = "What answers there is something else, most often plain HTTP."
		c.Fix = "Let the controller or its load balancer do TLS on port " + a.port() + "."
	case errors.As(err, &alert) && alert.Op == "remote error" && alert.Err.Error() != tooOld.Error():
		c.Title = a.place() + " refuses TLS for " + a.name()
		c.Why = "Its alert says: " + text.Line(alert.Err.Error()) + ". It has no certificate for this name: " +
			"NGINX Ingress Controller (F5) answers so until an Ingress with a TLS Secret names the host, and an AWS load balancer without a certificate does too."
		c.Fix = "Give the host a certificate (access.ingress.tlsSecret, or certificate-arn on an AWS load balancer)." + a.certificateHint(Verdict{Trouble: NoCertificate})
	case isTimeout(err):
		c.Title = a.place() + " does not finish the TLS handshake"
		c.Why = "It took the connection and then said nothing; a load balancer without a healthy target does that."
		c.Fix = "See whether the controller's pods run: kubectl get pod -A."
	case isClosed(err):
		c.Title = a.place() + " closes the connection during the TLS handshake"
		c.Why = "A load balancer without a healthy target, a PROXY protocol that only one side speaks, and an Istio Gateway without a server for the host do that."
		c.Fix = "See what the controller's log says, and whether its Gateway or Ingress names " + a.name() + "."
	default:
		c.Title = a.place() + " does not agree on TLS"
		c.Why = "It has to offer TLS 1.2 or newer. It says: " + c.Evidence + "."
		c.Fix = "See which versions and ciphers it offers."
	}
	c.Fix += " Look at it with: " + a.openssl()
	return c
}

// openssl is the command that shows the chain.
func (a Answer) openssl() string {
	return "openssl s_client -connect " + a.place() + " -servername " + a.name() + " -showcerts </dev/null"
}
