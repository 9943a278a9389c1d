package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// fakeRegistry holds charts by tag and counts what is asked of it.
type fakeRegistry struct {
	*httptest.Server
	t *testing.T

	mu        sync.Mutex
	manifests map[string][]byte // by tag and by digest
	blobs     map[string][]byte
	asked     map[string]int // by method and kind
	troubles  atomic.Int32   // so many calls are answered with 503
	hold      chan struct{}  // if set, blobs are held back until it is closed
	dropped   atomic.Bool    // a held call was given up
}

func newFakeRegistry(t *testing.T, tags ...string) *fakeRegistry {
	t.Setenv("HOME", t.TempDir()) // no credentials of whoever runs the tests
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	f := &fakeRegistry{t: t, manifests: map[string][]byte{}, blobs: map[string][]byte{}, asked: map[string]int{}}
	for _, tag := range tags {
		f.push(tag)
	}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fakeRegistry) reference() string {
	return "oci://" + strings.TrimPrefix(f.URL, "http://") + "/charts/demo"
}

func (f *fakeRegistry) push(tag string) {
	config := []byte(`{"name":"demo","version":"` + tag + `"}`)
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": f.blob(registry.ConfigMediaType, config), "layers": []any{f.blob(registry.ChartLayerMediaType, packed(f.t, tag))}})
	if err != nil {
		f.t.Fatal(err)
	}
	f.manifests[tag], f.manifests[digestOf(manifest)] = manifest, manifest
}

func (f *fakeRegistry) blob(mediaType string, content []byte) map[string]any {
	f.blobs[digestOf(content)] = content
	return map[string]any{"mediaType": mediaType, "digest": digestOf(content), "size": len(content)}
}

func packed(t *testing.T, version string) []byte {
	t.Helper()
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "demo", Version: version, APIVersion: "v2"},
		Templates: []*chart.File{{Name: "templates/m.yaml", Data: []byte("kind: ConfigMap")}}}
	path, err := chartutil.Save(c, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func (f *fakeRegistry) count(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[what]
}

func (f *fakeRegistry) serve(w http.ResponseWriter, r *http.Request) {
	if f.troubles.Add(-1) >= 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	kind, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/charts/demo/"), "/")
	f.mu.Lock()
	f.asked[r.Method+" "+kind]++
	content := f.manifests[name]
	if kind == "blobs" {
		content = f.blobs[name]
	}
	f.mu.Unlock()
	switch {
	case kind == "tags":
		fmt.Fprint(w, f.tags())
	case content == nil:
		w.WriteHeader(http.StatusNotFound)
	default:
		f.send(w, r, kind, content)
	}
}

func (f *fakeRegistry) send(w http.ResponseWriter, r *http.Request, kind string, content []byte) {
	if kind == "blobs" && f.hold != nil {
		select {
		case <-f.hold:
		case <-r.Context().Done():
			f.dropped.Store(true)
			return
		}
	}
	if kind == "manifests" {
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		w.Header().Set("Docker-Content-Digest", digestOf(content))
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content)
	}
}

func (f *fakeRegistry) tags() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var tags []string
	for tag := range f.manifests {
		if !strings.HasPrefix(tag, "sha256:") {
			tags = append(tags, `"`+tag+`"`)
		}
	}
	return `{"name":"charts/demo","tags":[` + strings.Join(tags, ",") + `]}`
}

func TestTheNewestOrTheVersionAskedFor(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0", "1.2.0", "1.10.0", "2.0.0-rc.1")
	for asked, want := range map[string]string{"": "1.10.0", "1.0.0": "1.0.0", "2.0.0-rc.1": "2.0.0-rc.1", "~1.2": "1.2.0", "1": "1.10.0"} {
		fetched, err := newOCISource(chartCache{}).fetchFrom(t.Context(), f.reference(), asked)
		if err != nil || fetched.Chart.Metadata.Version != want || fetched.Note != "" {
			t.Errorf("%q gives %+v (%v), want %s", asked, fetched, err, want)
		}
	}
}

func TestAVersionThatIsNotThereIsSaidSo(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	for _, version := range []string{"3.0.0", "~3"} {
		_, err := FetchChart(t.Context(), f.reference(), version)
		var p *problem.Problem
		if !errors.As(err, &p) || p.Cause != "chart-version-missing" || p.Field != "runtime.version" {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestAllShareOnePull(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	s := newOCISource(chartCache{t.TempDir()})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := s.fetchFrom(t.Context(), f.reference(), ""); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := f.count("GET blobs"); got != 2 {
		t.Errorf("%d blobs were pulled, want the chart and its configuration", got)
	}
}

func TestWhoGivesUpDoesNotStopTheOthers(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	f.hold = make(chan struct{})
	s := newOCISource(chartCache{})
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := s.get(ctx, f.reference(), "1.0.0"); first <- err }()
	go func() { _, err := s.get(t.Context(), f.reference(), "1.0.0"); second <- err }()
	await(t, "both wait for one pull", func() bool { return s.waiting(f.reference()+"\n1.0.0") == 2 && f.count("GET blobs") > 0 })
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up got %v", err)
	}
	close(f.hold)
	if err := <-second; err != nil {
		t.Errorf("who waited got %v", err)
	}
}

// await gives a condition a minute to hold.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick, limit := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func (s *ociSource) waiting(key string) int {
	s.pulls.mu.Lock()
	defer s.pulls.mu.Unlock()
	if m := s.pulls.makers[key]; m != nil {
		return m.waiting
	}
	return 0
}

func TestAPullThatNobodyWaitsForEnds(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	f.hold = make(chan struct{})
	s := newOCISource(chartCache{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := s.get(ctx, f.reference(), "1.0.0"); done <- err }()
	await(t, "the pull has begun", func() bool { return f.count("GET blobs") > 0 })
	cancel()
	<-done
	await(t, "the registry is let go", f.dropped.Load)
	close(f.hold)
	if _, err := s.get(t.Context(), f.reference(), "1.0.0"); err != nil {
		t.Errorf("the next who asks got %v", err)
	}
}

func TestARegistryInTroubleIsAskedAgain(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	f.troubles.Store(registryTries - 1)
	if _, err := newOCISource(chartCache{}).get(t.Context(), f.reference(), "1.0.0"); err != nil {
		t.Error(err)
	}
}

func TestWhatIsTooLargeIsNotPulled(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	huge := make([]byte, maxChartBytes+1)
	f.mu.Lock()
	for digest := range f.blobs {
		f.blobs[digest] = huge
	}
	f.mu.Unlock()
	if _, err := newOCISource(chartCache{}).get(t.Context(), f.reference(), "1.0.0"); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
	path := filepath.Join(t.TempDir(), "huge.tgz")
	if err := os.WriteFile(path, huge, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FetchChart(t.Context(), path, ""); !errors.Is(err, errTooLarge) {
		t.Errorf("from disk: %v", err)
	}
}
