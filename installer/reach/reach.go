// Package reach finds out, from this machine, whether a runtime's host can be
// reached: by its name, over TCP, over TLS and by HTTP. Look asks the network;
// Checks judges what was seen, without it.
package reach

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	stepWait   = 3 * time.Second
	allWait    = 8 * time.Second
	maxTargets = 8
)

// Question is what is asked about one host.
type Question struct {
	Host            string   // as in the runtime's URL; a port may follow it
	Protocol        string   // http, or https if empty
	Addresses       []string // IPs or names that the controller's Service shows
	ExtraRoots      []byte   // PEM of authorities that a private platform trusts
	Field           string   // the answers field that the checks are about
	AfterInstall    bool     // the address can exist only after the install
	PrivatePlatform bool     // Codefresh runs in the person's own network
}

// Resolver turns names into addresses. A *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
	LookupCNAME(ctx context.Context, host string) (string, error)
}

// Prober asks the network. Its zero value uses what the system has.
type Prober struct {
	Resolver Resolver
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	Now      func() time.Time
	Roots    *x509.CertPool
	Proxy    func(*http.Request) (*url.URL, error)
}

// Look asks with what the system has.
func Look(ctx context.Context, q Question) Answer { return Prober{}.Look(ctx, q) }

// Look asks DNS, connects, shakes hands and sends one HEAD. Every wait is
// bounded, and what fails is part of the answer.
func (p Prober) Look(ctx context.Context, q Question) Answer {
	ctx, cancel := context.WithTimeout(ctx, allWait)
	defer cancel()
	p = p.complete()
	a := Answer{Question: q, At: p.Now(), Roots: p.Roots}
	if q.name() == "" {
		return a
	}
	a.Proxy = p.proxyOf(q)
	a.DNS, a.Controller = p.resolve(ctx, q)
	conn := p.connect(ctx, &a)
	if conn == nil {
		return a
	}
	defer conn.Close()
	if q.encrypted() {
		if conn, a.TLS = handshake(ctx, conn, q.name()); a.TLS.Err != nil {
			return a
		}
	}
	a.HTTP = head(ctx, conn, q.url())
	return a
}

// complete fills the gaps with what the system has.
func (p Prober) complete() Prober {
	if p.Resolver == nil {
		p.Resolver = net.DefaultResolver
	}
	if p.Dial == nil {
		p.Dial = new(net.Dialer).DialContext
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Proxy == nil {
		p.Proxy = http.ProxyFromEnvironment
	}
	if p.Roots == nil {
		if p.Roots, _ = x509.SystemCertPool(); p.Roots == nil {
			p.Roots = x509.NewCertPool()
		}
	}
	return p
}

// proxyOf is the proxy that the environment names for the host. It is not
// used: Codefresh will not come through it either. But a machine that needs
// one may see neither public names nor public addresses.
func (p Prober) proxyOf(q Question) string {
	request, err := http.NewRequest(http.MethodHead, q.url(), nil)
	if err != nil {
		return ""
	}
	proxy, err := p.Proxy(request)
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

func (q Question) encrypted() bool { return q.Protocol != "http" }

func (q Question) url() string {
	place := url.URL{Scheme: "https", Host: q.name(), Path: "/"}
	if !q.encrypted() {
		place.Scheme = "http"
	}
	if strings.Contains(place.Host, ":") {
		place.Host = "[" + place.Host + "]"
	}
	if _, port, err := net.SplitHostPort(q.Host); err == nil {
		place.Host += ":" + port
	}
	return place.String()
}

// name is the host without its port.
func (q Question) name() string {
	name := q.Host
	if host, _, err := net.SplitHostPort(q.Host); err == nil {
		name = host
	}
	return strings.TrimSuffix(strings.Trim(name, "[]"), ".")
}

func (q Question) port() string {
	if _, port, err := net.SplitHostPort(q.Host); err == nil && port != "" {
		return port
	}
	if q.encrypted() {
		return "443"
	}
	return "80"
}

// isAddress reports whether the host is an IP, which needs no DNS.
func (q Question) isAddress() bool {
	_, err := netip.ParseAddr(q.name())
	return err == nil
}

// names are the controller's addresses, each once, and few enough to ask for.
func (q Question) names() []string {
	names := slices.DeleteFunc(slices.Clone(q.Addresses), func(s string) bool { return strings.TrimSpace(s) == "" })
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), maxTargets)]
}
