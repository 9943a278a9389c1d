package reach

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	maxNames     = 10
	maxNameWidth = 120
)

// what says the verdict in one line.
func (v Verdict) what() string {
	its := "the certificate of " + v.Host
	switch v.Trouble {
	case None:
		return its + " is good until " + day(v.About.NotAfter)
	case NoCertificate:
		return "there is no certificate for " + v.Host
	case Placeholder:
		return its + " is a placeholder of " + v.Fake.Owner
	case WrongName:
		return "the certificate is not for " + v.Host
	case Expired:
		return v.which() + " expired on " + day(v.About.NotAfter)
	case NotYetValid:
		return v.which() + " is valid only from " + day(v.About.NotBefore)
	case ExpiresSoon:
		return its + " ends in less than " + text.Plural(int(v.About.NotAfter.Sub(v.now).Hours()/24)+1, "day")
	case SelfSigned:
		return its + " is self-signed"
	case UnknownAuthority:
		return its + " is from an unknown authority"
	case IncompleteChain:
		return "the certificate chain of " + v.Host + " is incomplete"
	}
	return its + " cannot be used"
}

// which names the certificate that the trouble is with.
func (v Verdict) which() string {
	if v.About.Equal(v.Chain[0]) {
		return "the certificate of " + v.Host
	}
	return "the certificate of the authority " + nameOf(v.About.Subject)
}

func (v Verdict) why() string {
	switch v.Trouble {
	case Placeholder:
		return "It stands in until there is a right one, and clients refuse it."
	case WrongName:
		return v.whoseName()
	case Expired, NotYetValid:
		return "Clients refuse it. This machine's clock says " + day(v.now) + "."
	case SelfSigned:
		return "Nobody vouches for it, so Codefresh and the chart's own check refuse it."
	case UnknownAuthority:
		return "Its authority is " + nameOf(v.About.Subject) + ", which only those trust who were given it."
	case IncompleteChain:
		return "The certificate of its issuer, " + nameOf(v.About.Issuer) + ", does not come with it, so clients cannot follow the chain." +
			" If that is a private authority, Codefresh does not know it either."
	case Unusable:
		return text.Line(v.Err.Error())
	}
	return ""
}

func (v Verdict) whoseName() string {
	names := namesOf(v.Chain[0])
	if len(names) == 0 {
		return "It holds no names (SANs). Its common name, " + nameOf(v.Chain[0].Subject) + ", does not count any more."
	}
	return "It is for " + enumerate(names) + "."
}

func (v Verdict) fix() string {
	switch v.Trouble {
	case NoCertificate:
		return "Give it a certificate with " + v.Host + " among its names (SANs)."
	case Placeholder:
		return v.Fake.Fix
	case WrongName:
		return "Use a certificate with " + v.Host + " among its names (SANs)."
	case Expired, Unusable:
		return "Have the certificate issued again."
	case ExpiresSoon:
		return "Renew it before " + day(v.About.NotAfter) + "."
	case NotYetValid:
		return "Set this machine's clock if it is wrong; else wait, or have the certificate issued again."
	case SelfSigned, UnknownAuthority:
		return "Use a certificate of a public authority, such as Let's Encrypt."
	case IncompleteChain:
		return "Use the full chain: the certificate first, then those of its issuers (often called fullchain.pem)." + v.whereIssuer()
	}
	return ""
}

// whereIssuer says where the missing certificate is, if it says so itself.
func (v Verdict) whereIssuer() string {
	if len(v.About.IssuingCertificateURL) == 0 {
		return ""
	}
	return " The missing one is at " + text.Shorten(text.Line(v.About.IssuingCertificateURL[0]), maxNameWidth) + "."
}

// seen lists the chain for the evidence.
func (v Verdict) seen() string {
	var lines []string
	for i, c := range v.Chain {
		line := fmt.Sprintf("%d: subject %s, issuer %s, %s to %s", i+1, nameOf(c.Subject), nameOf(c.Issuer), day(c.NotBefore), day(c.NotAfter))
		if names := namesOf(c); len(names) > 0 {
			line += ", names " + enumerate(names)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func nameOf(name pkix.Name) string {
	if s := text.Line(name.String()); s != "" {
		return text.Shorten(s, maxNameWidth)
	}
	return "(empty)"
}

func enumerate(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), maxNames)] {
		shown = append(shown, text.Shorten(text.Line(name), maxNameWidth))
	}
	line := strings.Join(shown, ", ")
	if more := len(names) - maxNames; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// withExtra is the roots and those of a PEM file besides.
func withExtra(roots *x509.CertPool, pem []byte) *x509.CertPool {
	all := x509.NewCertPool()
	if roots != nil {
		all = roots.Clone()
	}
	all.AppendCertsFromPEM(pem)
	return all
}
