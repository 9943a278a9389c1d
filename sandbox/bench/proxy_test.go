package bench

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// counter stands between a client and the API server, counts the requests and
// notes when the first of them wrote.
type counter struct {
	kubeconfig string

	mu       sync.Mutex
	requests int
	wrote    time.Time
}

// newCounter begins to count for whoever uses its kubeconfig.
func newCounter(t *testing.T, kubeconfig string) *counter {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport, proxy.FlushInterval = transport, -1
	c := &counter{kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.see(r)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	c.write(t, server.URL)
	return c
}

func (c *counter) see(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	if c.wrote.IsZero() && writes(r) {
		c.wrote = time.Now()
	}
}

// writes tells requests that change something. The CRDs of the crds folder do
// not count: helm creates them before it renders, whatever may come of it.
func writes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Query().Get("dryRun") == "" &&
		!strings.Contains(r.URL.Path, "/authorization.k8s.io/") && !strings.Contains(r.URL.Path, "/authentication.k8s.io/") && !strings.HasSuffix(r.URL.Path, "/customresourcedefinitions")
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests
}

// firstWrite gives the seconds until the first write, which there must be, and
// not before its time.
func (c *counter) firstWrite(t *testing.T, began time.Time) float64 {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.wrote.IsZero():
		t.Fatalf("none of %d requests was counted as a write", c.requests)
	case c.wrote.Before(began):
		t.Fatalf("the first write came %s too early", began.Sub(c.wrote))
	}
	return c.wrote.Sub(began).Seconds()
}

func (c *counter) write(t *testing.T, server string) {
	t.Helper()
	config := clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"sandbox": {Server: server}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"sandbox": {}},
		Contexts:       map[string]*clientcmdapi.Context{"sandbox": {Cluster: "sandbox", AuthInfo: "sandbox"}},
		CurrentContext: "sandbox",
	}
	content, err := clientcmd.Write(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.kubeconfig, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
