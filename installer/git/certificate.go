package git

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// roots are the authorities that this machine trusts and the given ones.
func roots(pem []byte) (*x509.CertPool, error) {
	if len(pem) == 0 {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("the file holds no certificate in PEM form")
	}
	return pool, nil
}

// certificateTrouble tells what is wrong with the server's certificate, or
// nil when the error is of another kind.
func certificateTrouble(origin *url.URL, err error) *trouble {
	var unverified *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &unverified):
		return untrustedChain(origin, unverified)
	case errors.As(err, &notTLS):
		return &trouble{kind: untrusted, title: origin.Host + " does not speak TLS on that port", why: text.Line(notTLS.Msg),
			fix: "Correct the port, or write http:// if the server has no TLS, which sends the token in clear."}
	case errors.As(err, &alert):
		return &trouble{kind: untrusted, title: origin.Host + " refuses the TLS connection", why: "It answers: " + text.Line(alert.Error()) + ".",
			fix: "See what the server offers: " + showChain(origin)}
	}
	return nil
}

func untrustedChain(origin *url.URL, err *tls.CertificateVerificationError) *trouble {
	t := &trouble{kind: untrusted, title: "the certificate of " + origin.Host + " is not valid", why: text.Line(err.Err.Error()),
		fix: "Have the server's certificate corrected. To see it: " + showChain(origin)}
	chain := err.UnverifiedCertificates
	if len(chain) == 0 {
		return t
	}
	var wrongName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err.Err, &wrongName):
		t.title = "the certificate of " + origin.Host + " is for another name"
		t.why = "It is for " + namesOf(chain[0]) + "."
		t.fix = "Use the name that the certificate has, or have a certificate made for " + origin.Hostname() + "."
	case errors.As(err.Err, &invalid) && invalid.Reason == x509.Expired:
		t.title = "the certificate of " + origin.Host + " is not valid today"
		t.why = fmt.Sprintf("It is valid from %s to %s.", chain[0].NotBefore.Format("2006-01-02"), chain[0].NotAfter.Format("2006-01-02"))
	case errors.As(err.Err, &unknown):
		t.title = "the certificate of " + origin.Host + " comes from a CA that this machine does not know"
		t.why = missingCA(chain)
		t.fix = trustCA(origin)
	}
	return t
}

// missingCA names the authority above the last certificate that the server sent.
func missingCA(chain []*x509.Certificate) string {
	top := chain[len(chain)-1]
	name := text.Shorten(text.Line(top.Issuer.String()), 200)
	if top.Issuer.String() == top.Subject.String() {
		return "The missing CA is " + name + ", which the server sends along."
	}
	return fmt.Sprintf("The missing CA is %s. The server sends %s and not that one.", name, text.Plural(len(chain), "certificate"))
}

func trustCA(origin *url.URL) string {
	host := origin.Hostname()
	file := strings.ReplaceAll(host, ":", "-") + ".pem"
	return "Ask the server's administrator for the CA, or fetch what the server sends and compare it with them: " +
		showChain(origin) + " | sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' > " + file +
		" — then set tls.gitCA: {" + host + ": " + file + "}"
}

// showChain is the command that prints the server's certificates.
func showChain(origin *url.URL) string {
	port := origin.Port()
	if port == "" {
		port = "443"
	}
	command := "openssl s_client -showcerts -connect " + net.JoinHostPort(origin.Hostname(), port)
	if _, err := netip.ParseAddr(origin.Hostname()); err != nil {
		command += " -servername " + origin.Hostname()
	}
	return command + " </dev/null"
}

func namesOf(certificate *x509.Certificate) string {
	names := certificate.DNSNames
	for _, address := range certificate.IPAddresses {
		names = append(names, address.String())
	}
	if len(names) == 0 {
		return "no host at all"
	}
	return text.Shorten(text.Line(strings.Join(names, ", ")), 200)
}
