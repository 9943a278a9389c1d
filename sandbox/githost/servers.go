package githost

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Servers are a host's listeners on loopback.
type Servers struct {
	env     map[string]string
	servers []*http.Server
}

// Serve opens HTTPS on a port for each provider, on one for all of them, and
// the proxy. It writes the certificate of its authority into a folder.
func (h *Host) Serve(dir string) (*Servers, error) {
	ca, err := newAuthority(time.Now())
	if err != nil {
		return nil, err
	}
	issued, err := ca.issueAll(time.Now())
	if err != nil {
		return nil, err
	}
	caFile := filepath.Join(dir, "git-ca.crt")
	if err := os.WriteFile(caFile, ca.pem(), 0o600); err != nil {
		return nil, fmt.Errorf("writing the Git CA: %w", err)
	}
	s := &Servers{env: map[string]string{"SANDBOX_GIT_CA": caFile}}
	if err := s.open(h, issued); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Servers) open(h *Host, issued certificates) error {
	for _, own := range append(Providers(), everyone) {
		address, err := s.listen(h, own, issued)
		if err != nil {
			return err
		}
		s.env[own.variable()] = "https://" + address
	}
	common := strings.TrimPrefix(s.env[everyone.variable()], "https://")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening for the Git proxy: %w", err)
	}
	server := s.add(proxy{h, common})
	go func() { _ = server.Serve(listener) }()
	s.env["SANDBOX_GIT_PROXY"] = "http://" + listener.Addr().String()
	return nil
}

// variable is the environment variable that holds a provider's address.
func (p Provider) variable() string {
	if p == everyone {
		return "SANDBOX_GIT"
	}
	return "SANDBOX_GIT_" + strings.ToUpper(strings.ReplaceAll(string(p), "-", "_"))
}

// Env is what a shell needs to know of the servers: SANDBOX_GIT_CA, the
// address of each provider, of all of them, and of the proxy.
func (s *Servers) Env() map[string]string { return s.env }

// Close ends all of them at once.
func (s *Servers) Close() {
	for _, server := range s.servers {
		_ = server.Close()
	}
}

// add keeps the server's own complaints to itself: failed handshakes are what
// it is there for.
func (s *Servers) add(handler http.Handler) *http.Server {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	s.servers = append(s.servers, server)
	return server
}

func (s *Servers) listen(h *Host, own Provider, issued certificates) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening for Git: %w", err)
	}
	server := s.add(h.handlerFor(own))
	server.TLSConfig = &tls.Config{GetCertificate: h.choose(own, issued)}
	go func() { _ = server.ServeTLS(moody{listener, h, own}, "", "") }()
	return listener.Addr().String(), nil
}

// choose gives the certificate that the switches ask for. On the common port
// the name in the handshake tells the provider.
func (h *Host) choose(own Provider, issued certificates) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		provider := own
		if named, ok := placesByName[strings.ToLower(hello.ServerName)]; ok {
			provider = named.provider
		}
		switch on := h.switchesFor(provider); {
		case on[switchWrongName] != "":
			return &issued.wrongName, nil
		case on[switchExpiredCert] != "":
			return &issued.expired, nil
		default:
			return &issued.right, nil
		}
	}
}

// moody is a listener that resets connections while its provider is unreachable.
type moody struct {
	net.Listener
	host *Host
	own  Provider
}

func (m moody) Accept() (net.Conn, error) {
	for {
		connection, err := m.Listener.Accept()
		if err != nil || !m.host.isOn(m.own, switchUnreachable) {
			return connection, err
		}
		if tcp, ok := connection.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = connection.Close()
	}
}
