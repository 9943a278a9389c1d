package reach

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxHeader = 64 << 10

// resolve asks for the host and the controller's names at the same time.
func (p Prober) resolve(ctx context.Context, q Question) (host Lookup, controller []Lookup) {
	names := q.names()
	controller = make([]Lookup, len(names))
	var all sync.WaitGroup
	all.Go(func() { host = p.lookup(ctx, q.name()) })
	for i, name := range names {
		all.Go(func() { controller[i] = p.lookup(ctx, name) })
	}
	all.Wait()
	return host, controller
}

// lookup asks for a name from the root: a search domain with a wildcard would
// otherwise know every name.
func (p Prober) lookup(ctx context.Context, name string) Lookup {
	seen := Lookup{Name: strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".")}
	if ip, err := netip.ParseAddr(seen.Name); err == nil {
		seen.Addresses = []netip.Addr{ip.Unmap()}
		return seen
	}
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	var alias sync.WaitGroup
	alias.Go(func() {
		if canonical, err := p.Resolver.LookupCNAME(ctx, seen.Name+"."); err == nil {
			seen.Canonical = strings.TrimSuffix(strings.ToLower(canonical), ".")
		}
	})
	found, err := p.Resolver.LookupNetIP(ctx, "ip", seen.Name+".")
	alias.Wait()
	for _, ip := range found {
		seen.Addresses = append(seen.Addresses, ip.Unmap())
	}
	slices.SortFunc(seen.Addresses, netip.Addr.Compare)
	seen.Addresses, seen.Err = slices.Compact(seen.Addresses), err
	return seen
}

// connect dials every address at once and keeps the first connection in order.
func (p Prober) connect(ctx context.Context, a *Answer) net.Conn {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	targets := a.targets()
	a.Dials = make([]Dial, len(targets))
	conns := make([]net.Conn, len(targets))
	var all sync.WaitGroup
	for i, target := range targets {
		all.Go(func() {
			conn, err := p.Dial(ctx, "tcp", target.String())
			conns[i], a.Dials[i] = conn, Dial{Address: target, Err: err}
		})
	}
	all.Wait()
	var kept net.Conn
	for i, conn := range conns {
		switch {
		case a.Dials[i].Err != nil:
		case kept == nil:
			kept = conn
		default:
			conn.Close()
		}
	}
	return kept
}

// targets are the host's addresses, or the controller's while DNS does not
// know the host.
func (a Answer) targets() []netip.AddrPort {
	addresses := a.DNS.Addresses
	if a.direct() {
		for _, lookup := range a.Controller {
			addresses = append(addresses, lookup.Addresses...)
		}
	}
	port, err := strconv.ParseUint(a.port(), 10, 16)
	if err != nil {
		return nil
	}
	var targets []netip.AddrPort
	for _, ip := range addresses[:min(len(addresses), maxTargets)] {
		targets = append(targets, netip.AddrPortFrom(ip, uint16(port)))
	}
	return targets
}

// handshake does not let TLS verify: the chain is wanted even if it is bad,
// and JudgeCertificate verifies it.
func handshake(ctx context.Context, conn net.Conn, host string) (net.Conn, Handshake) {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	var seen Handshake
	client := tls.Client(conn, &tls.Config{
		ServerName:         host,
		InsecureSkipVerify: true,
		NextProtos:         []string{"http/1.1"},
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			seen.WantsCertificate = true
			return new(tls.Certificate), nil
		},
	})
	seen.Err = client.HandshakeContext(ctx)
	seen.Chain = client.ConnectionState().PeerCertificates
	return client, seen
}

// head sends one HEAD over the connection and follows nothing.
func head(ctx context.Context, conn net.Conn, url string) Response {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
	if err != nil {
		return Response{Err: err}
	}
	request.Close = true
	request.Header.Set("User-Agent", "cfwizard")
	if err := request.Write(conn); err != nil {
		return Response{Err: err}
	}
	response, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, maxHeader)), request)
	if err != nil {
		return Response{Err: err}
	}
	defer response.Body.Close()
	return Response{Status: response.Status, Code: response.StatusCode, Length: response.ContentLength,
		Server: response.Header.Get("Server"), Type: response.Header.Get("Content-Type")}
}
