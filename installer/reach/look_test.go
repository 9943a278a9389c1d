package reach

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

func TestEverythingIsFine(t *testing.T) {
	root := authority(t, "Good Root", nil)
	var requests atomic.Int32
	server := serve(t, &tls.Config{Certificates: []tls.Certificate{issue(t, &root, nil).served()}}, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.Method != http.MethodHead || r.Host != host || r.TLS.ServerName != host {
			t.Errorf("%s %s for %s", r.Method, r.Host, r.TLS.ServerName)
		}
		w.Header().Set("Server", "nginx")
		http.Redirect(w, r, "https://elsewhere.example.com/", http.StatusMovedPermanently)
	})
	for name, records := range map[string]map[string]string{
		"by DNS":            {host: address},
		"by the controller": {host: ""},
	} {
		t.Run(name, func(t *testing.T) {
			requests.Store(0)
			p := prober(t, records, network{address + ":443": server}, poolOf(root))
			checks := p.Look(t.Context(), Question{Host: host, Protocol: "https", Addresses: []string{address}}).Checks()
			says(t, byID(t, checks, "access.tcp"), check.Pass, "connects")
			says(t, byID(t, checks, "access.tls"), check.Pass, "good until 2026-11-30", "Good Root", "names "+host)
			says(t, byID(t, checks, "access.http"), check.Pass, "301 Moved Permanently", "server nginx")
			if sent := requests.Load(); sent != 1 {
				t.Errorf("%d requests were sent", sent)
			}
		})
	}
}

func TestPlainHTTP(t *testing.T) {
	server := serve(t, nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	p := prober(t, map[string]string{host: address}, network{address + ":80": server}, nil)
	checks := p.Look(t.Context(), Question{Host: host, Protocol: "http"}).Checks()
	says(t, byID(t, checks, "access.tcp"), check.Pass, host+":80")
	says(t, byID(t, checks, "access.tls"), check.Skip, "http")
	says(t, byID(t, checks, "access.http"), check.Pass, "503")
}

func TestZeroProberIsReady(t *testing.T) {
	server := serve(t, nil, http.NotFound)
	checks := Look(t.Context(), Question{Host: server.String(), Protocol: "http"}).Checks()
	says(t, byID(t, checks, "access.dns"), check.Fail, "this very machine")
	says(t, byID(t, checks, "access.tcp"), check.Pass, server.String())
	says(t, byID(t, checks, "access.http"), check.Pass, "404 Not Found")
}

func TestPortOfTheHostIsUsed(t *testing.T) {
	server := serve(t, nil, func(http.ResponseWriter, *http.Request) {})
	p := prober(t, nil, network{"[2001:db8::7]:8080": server}, nil)
	checks := p.Look(t.Context(), Question{Host: "[2001:db8::7]:8080", Protocol: "http"}).Checks()
	says(t, byID(t, checks, "access.http"), check.Pass, "200 OK", "http://[2001:db8::7]:8080/")
}

func TestBadCertificatesAreShown(t *testing.T) {
	root, corp := authority(t, "Good Root", nil), authority(t, "Corp Root", nil)
	private := issue(t, &corp, nil)
	for name, test := range map[string]struct {
		ask    Question
		served tls.Certificate
		want   check.Status
		words  []string
	}{
		"expired":    {Question{}, issue(t, &root, until(-time.Minute)).served(), check.Fail, []string{"expired", "openssl s_client -connect " + host + ":443 -servername " + host}},
		"ends soon":  {Question{}, issue(t, &root, until(time.Hour)).served(), check.Warn, []string{"less than 1 day"}},
		"wrong name": {Question{}, issue(t, &root, names("other.example.com")).served(), check.Fail, []string{"other.example.com"}},
		"placeholder": {Question{Field: "access.ingress.host"}, issue(t, nil, func(c *x509.Certificate) { c.Subject.CommonName = "TRAEFIK DEFAULT CERT" }).served(),
			check.Fail, []string{"Traefik", "TLSStore", "access.ingress.skipValidation"}},
		"private authority":       {Question{}, private.served(corp), check.Fail, []string{"Corp Root", "public authority"}},
		"incomplete":              {Question{}, private.served(), check.Fail, []string{"incomplete", "Corp Root"}},
		"authority given":         {Question{ExtraRoots: corp.pem()}, private.served(), check.Fail, []string{"Codefresh does not know it"}},
		"own platform":            {Question{PrivatePlatform: true}, private.served(corp), check.Warn, []string{"your Codefresh platform trusts"}},
		"own platform, authority": {Question{PrivatePlatform: true, ExtraRoots: corp.pem()}, private.served(), check.Pass, []string{"trusted by the authorities given"}},
		"wrong authority given":   {Question{PrivatePlatform: true, ExtraRoots: root.pem()}, private.served(), check.Warn, []string{"do not vouch"}},
		"after install":           {Question{AfterInstall: true}, issue(t, nil, nil).served(), check.Skip, []string{"too early"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, &tls.Config{Certificates: []tls.Certificate{test.served}}, http.NotFound)
			p := prober(t, map[string]string{host: address}, network{address + ":443": server}, poolOf(root))
			test.ask.Host = host
			checks := p.Look(t.Context(), test.ask).Checks()
			says(t, byID(t, checks, "access.tls"), test.want, test.words...)
			says(t, byID(t, checks, "access.http"), check.Pass, "404")
		})
	}
}

func TestHandshakesThatFail(t *testing.T) {
	certificate := issue(t, nil, nil).served()
	noName := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, nil }}
	mutual := func(version uint16) net.Addr {
		return listen(t, &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: version}, nil)
	}
	for name, test := range map[string]struct {
		server net.Addr
		words  []string
	}{
		"alert":           {listen(t, noName, nil), []string{"refuses TLS", "unrecognized name", "F5", "skipValidation"}},
		"plain HTTP":      {listen(t, nil, []byte("HTTP/1.1 400 Bad Request\r\n\r\n")), []string{"does not speak TLS"}},
		"closes":          {listen(t, nil, nil), []string{"closes the connection", "PROXY protocol"}},
		"client, TLS 1.3": {mutual(tls.VersionTLS13), []string{"client certificate", "SIMPLE"}},
		"client, TLS 1.2": {mutual(tls.VersionTLS12), []string{"client certificate", "SIMPLE"}},
		"old TLS":         {listen(t, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, nil), []string{"does not agree on TLS", "TLS 1.2 or newer"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := prober(t, map[string]string{host: ""}, network{address + ":443": test.server}, nil)
			checks := p.Look(t.Context(), Question{Host: host, Addresses: []string{address}, Field: "access.ingress.host"}).Checks()
			says(t, byID(t, checks, "access.tls"), check.Fail, test.words...)
			says(t, byID(t, checks, "access.http"), check.Skip)
		})
	}
}

func TestWhatIsNotHTTP(t *testing.T) {
	server := listen(t, nil, []byte("SSH-2.0-\x1b[2Jthing\r\n"))
	p := prober(t, map[string]string{host: address}, network{address + ":80": server}, nil)
	checks := p.Look(t.Context(), Question{Host: host, Protocol: "http"}).Checks()
	says(t, byID(t, checks, "access.http"), check.Fail, "does not answer HTTP", "curl", "http://"+host+"/")
}

func TestRefusedConnections(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	p := prober(t, map[string]string{host: address}, network{address + ":443": listener.Addr()}, nil)
	checks := p.Look(t.Context(), Question{Host: host}).Checks()
	says(t, byID(t, checks, "access.tcp"), check.Fail, host+":443 refuses connections", "kubectl get service,pod -A", "curl")
	says(t, byID(t, checks, "access.tls"), check.Skip)
	says(t, byID(t, checks, "access.http"), check.Skip)
}

// serve answers HTTP, over TLS if there is a configuration for it.
func serve(t *testing.T, config *tls.Config, handler http.HandlerFunc) net.Addr {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if config == nil {
		server.Start()
	} else {
		server.TLS = config
		server.StartTLS()
	}
	t.Cleanup(server.Close)
	return server.Listener.Addr()
}

// listen takes connections, reads once, says something and hangs up.
func listen(t *testing.T, config *tls.Config, answer []byte) net.Addr {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = conn.Write(answer)
			conn.Close()
		}
	}()
	return listener.Addr()
}
