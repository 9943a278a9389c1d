package reach

import (
	"crypto/x509"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

// Answer is what was seen of a host.
type Answer struct {
	Question
	At         time.Time
	Roots      *x509.CertPool // the authorities that this machine trusts
	Proxy      string         // the proxy that this machine needs, if any
	DNS        Lookup
	Controller []Lookup // the controller's addresses, with names resolved
	Dials      []Dial
	TLS        Handshake
	HTTP       Response
}

// Lookup is what DNS said of a name.
type Lookup struct {
	Name      string
	Canonical string // the last name of the chain of aliases, if there is one
	Addresses []netip.Addr
	Err       error
}

// Dial is one attempt to connect.
type Dial struct {
	Address netip.AddrPort
	Err     error
}

// Handshake is what TLS showed.
type Handshake struct {
	Chain            []*x509.Certificate
	WantsCertificate bool // the server asked for one of ours
	Err              error
}

// Response is what HTTP answered.
type Response struct {
	Status string
	Code   int
	Server string
	Type   string
	Length int64
	Err    error
}

// Checks judges what was seen. It asks nothing.
func (a Answer) Checks() []check.Check {
	checks := []check.Check{a.judgeDNS(), a.judgeTCP(), a.judgeTLS(), a.judgeHTTP()}
	for i := range checks {
		checks[i].Scope, checks[i].Field = "access", a.Field
		if a.AfterInstall {
			checks[i] = postponed(checks[i])
		}
	}
	return checks
}

// postponed turns trouble that only the install can end into a skip.
func postponed(c check.Check) check.Check {
	if c.Status != check.Fail && c.Status != check.Warn {
		return c
	}
	c.Status = check.Skip
	c.Why = strings.TrimSpace("It is too early to judge: the load balancer and its address come with the install. " + c.Why)
	return c
}

// fromHere softens a failure that may be this machine's alone, because it
// reaches the world through a proxy only.
func (a Answer) fromHere(c check.Check) check.Check {
	if a.Proxy != "" && c.Status == check.Fail {
		c.Status = check.Warn
		c.Why += " This machine needs the proxy " + a.Proxy + ", so others may see more than it does."
	}
	return c
}

// direct reports whether the controller was asked by its address, because DNS
// does not know the host.
func (a Answer) direct() bool { return len(a.DNS.Addresses) == 0 }

// connected is the attempt whose connection was used.
func (a Answer) connected() (Dial, bool) {
	for _, d := range a.Dials {
		if d.Err == nil {
			return d, true
		}
	}
	return Dial{}, false
}

// place is the host and port as a person would connect to it.
func (a Answer) place() string {
	if d, ok := a.connected(); ok && a.direct() {
		return d.Address.String()
	}
	return net.JoinHostPort(a.name(), a.port())
}
