package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// faulty puts a proxy in front of the API server that misbehaves, and gives the
// kubeconfig that leads through it.
func (s *sandbox) faulty(name string, misbehave func(call int64, w http.ResponseWriter, r *http.Request) (done bool)) string {
	s.t.Helper()
	target, err := url.Parse(strings.TrimSpace(s.must("kubectl", "config", "view", "--raw", "--output", "jsonpath={.clusters[0].cluster.server}")))
	if err != nil {
		s.t.Fatal(err)
	}
	token := s.must("kubectl", "config", "view", "--raw", "--output", `jsonpath={.users[?(@.name=="sandbox")].user.token}`)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	var calls atomic.Int64
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !misbehave(calls.Add(1), w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	s.t.Cleanup(server.CloseClientConnections)
	s.t.Cleanup(server.Close)
	text := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: %[1]s, clusters: [{name: c, cluster: {server: "%[2]s", insecure-skip-tls-verify: true}}],
contexts: [{name: %[1]s, context: {cluster: c, user: u}}], users: [{name: u, user: {token: %[3]s}}]}`, name, server.URL, token)
	return writeFile(s.t, filepath.Join(s.home, name+".kubeconfig"), text)
}

// watched is a kubeconfig through a proxy that tells how often the cluster was
// read so far, and what was written to it.
func (s *sandbox) watched(name string) (kubeconfig string, asked func() (reads int, writes []string)) {
	s.t.Helper()
	var (
		mu     sync.Mutex
		reads  int
		writes []string
	)
	kubeconfig = s.faulty(name, func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		asksOnly := strings.Contains(r.URL.Path, "/authorization.k8s.io/") || strings.Contains(r.URL.Path, "/authentication.k8s.io/")
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			reads++
		case r.URL.Query().Get("dryRun") == "" && !asksOnly:
			writes = append(writes, r.Method+" "+r.URL.Path)
		}
		return false
	})
	return kubeconfig, func() (int, []string) {
		mu.Lock()
		defer mu.Unlock()
		return reads, slices.Clone(writes)
	}
}

func drop(w http.ResponseWriter) bool {
	if connection, _, err := w.(http.Hijacker).Hijack(); err == nil {
		connection.Close()
	}
	return true
}

func refuse(w http.ResponseWriter, status int) bool {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"made up by a test","code":%d}`, status)
	return true
}

// An API server in trouble never hangs a check nor passes it.
func TestCheckAgainstAnAPIServerInTrouble(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	const bound = 75 * time.Second
	for name, test := range map[string]struct {
		misbehave func(int64, http.ResponseWriter, *http.Request) bool
		codes     []int
		says      string
	}{
		"slow": {func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-time.After(5 * time.Second):
			case <-r.Context().Done():
			}
			return false
		}, []int{3, 8}, ""},
		"dropping": {func(call int64, w http.ResponseWriter, _ *http.Request) bool { return call%3 == 0 && drop(w) }, []int{3, 8}, ""},
		"dead":     {func(_ int64, w http.ResponseWriter, _ *http.Request) bool { return drop(w) }, []int{8}, "does not answer"},
		"429": {func(call int64, w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/nodes") && refuse(w, 429)
		}, []int{3}, "nodes"},
		"500": {func(_ int64, w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/services") && refuse(w, 500)
		}, []int{3}, "services"},
		"dying": {func(call int64, w http.ResponseWriter, _ *http.Request) bool { return call > 6 && drop(w) }, []int{3, 8}, "could not read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.within(t)
			config := s.faulty("api-"+name, test.misbehave)
			began := time.Now()
			r := s.run("cfwizard", "check", "-f", file, "--kubeconfig", config, "-o", "json")
			if took := time.Since(began); took > bound {
				t.Errorf("took %s, the bound is %s", took, bound)
			}
			fits := false
			for _, code := range test.codes {
				fits = fits || r.code == code
			}
			if !fits || !strings.Contains(r.stdout+r.stderr, test.says) {
				t.Errorf("ended with %d, want one of %v and %q\n%s%s", r.code, test.codes, test.says, r.stdout, r.stderr)
			}
			t.Logf("%s: exit %d after %s", name, r.code, time.Since(began).Round(100*time.Millisecond))
		})
	}
}
