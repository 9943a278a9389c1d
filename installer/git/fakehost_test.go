package git

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// reply is what a fake host answers to one request.
type reply struct {
	status int    // 200 unless said otherwise
	kind   string // application/json unless said otherwise
	header map[string]string
	body   string
	hang   bool // until the caller goes away
}

// fakeHost stands for all hosts of a provider. It answers what it was told to,
// and fails the test on any other request and on any other credentials.
type fakeHost struct {
	*httptest.Server
	t        *testing.T
	replies  map[string]reply // by method, host and address, perhaps with " as " and credentials
	restAuth string           // the credentials that the API must see
	gitAuth  string           // the credentials that git must see

	mu     sync.Mutex
	seen   []string
	bodies map[string]string // what came with the requests that write
}

func newFakeHost(t *testing.T, replies map[string]reply) *fakeHost {
	t.Helper()
	h := &fakeHost{t: t, replies: map[string]reply{}, bodies: map[string]string{}}
	maps.Copy(h.replies, replies)
	h.Server = httptest.NewUnstartedServer(h)
	h.TLS = &tls.Config{Certificates: []tls.Certificate{testCertificate()}}
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.StartTLS()
	t.Cleanup(h.Close)
	return h
}

func (h *fakeHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Method + " " + r.Host + r.RequestURI
	body, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Errorf("%s: %v", key, err)
	}
	h.mu.Lock()
	h.seen = append(h.seen, key)
	if r.Method != http.MethodGet {
		h.bodies[key] = string(body)
	}
	h.mu.Unlock()
	answer, expected := h.replies[key]
	if !expected {
		h.t.Errorf("unexpected request: %s", key)
		answer.status = http.StatusTeapot
	}
	want := h.restAuth
	if r.URL.Query().Has("service") {
		want = h.gitAuth
	}
	got := r.Header.Get("Authorization") + r.Header.Get("PRIVATE-TOKEN")
	if named, isNamed := h.replies[key+" as "+got]; isNamed {
		answer, want = named, got
	}
	if got != want {
		h.t.Errorf("%s came with the credentials %q, want %q", key, got, want)
	}
	if answer.hang {
		<-r.Context().Done()
		return
	}
	answer.write(w)
}

func (a reply) write(w http.ResponseWriter) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.kind == "" {
		a.kind = "application/json; charset=utf-8"
	}
	w.Header().Set("Content-Type", a.kind)
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	fmt.Fprint(w, a.body)
}

// verifier reaches the fake host under every name.
func (h *fakeHost) verifier() *Verifier {
	return &Verifier{Proxy: noProxy, Now: func() time.Time { return today }, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, h.Listener.Addr().String())
	}}
}

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// today is when all tests happen.
var today = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

const testCAName = "Example Corp Root CA"

type authority struct {
	pem  []byte
	leaf tls.Certificate
}

// testAuthority is a CA and the one certificate that it made.
var testAuthority = sync.OnceValues(func() (authority, error) {
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: testCAName}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "git"}, NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		DNSNames: []string{"github.com", "api.github.com", "ghe.example.com", "gitlab.com", "gitlab.example.com", "bitbucket.org",
			"api.bitbucket.org", "bitbucket.example.com", "xn--mnchen-3ya.example"},
		IPAddresses: []net.IP{net.ParseIP("2001:db8::1")}}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	if err != nil {
		return authority{}, err
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, leafKey.Public(), rootKey)
	return authority{
		pem:  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}),
		leaf: tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey},
	}, err
})

func testCertificate() tls.Certificate { return mustAuthority().leaf }

func testCA() []byte { return mustAuthority().pem }

func mustAuthority() authority {
	made, err := testAuthority()
	if err != nil {
		panic(err)
	}
	return made
}
