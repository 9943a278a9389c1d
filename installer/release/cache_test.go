package release

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cachedSource has pulled versions into a cache, as another process did.
func cachedSource(t *testing.T, f *fakeRegistry, versions ...string) chartCache {
	t.Helper()
	cache := chartCache{filepath.Join(t.TempDir(), "charts")}
	for _, version := range versions {
		if _, err := newOCISource(cache).get(t.Context(), f.reference(), version); err != nil {
			t.Fatal(err)
		}
	}
	return cache
}

func TestWhatIsCachedIsNotPulledAgain(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	cache := cachedSource(t, f, "1.0.0")
	before := f.count("GET blobs")
	again, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), "")
	if err != nil || again.Chart.Metadata.Version != "1.0.0" {
		t.Fatalf("%+v, %v", again, err)
	}
	if after := f.count("GET blobs"); after != before {
		t.Errorf("%d more blobs were pulled", after-before)
	}
	if f.count("HEAD manifests") < 2 {
		t.Error("the registry was not asked what the version is")
	}
}

func TestTheCacheIsPrivate(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	cache := cachedSource(t, f, "1.0.0")
	files := 0
	err := filepath.WalkDir(cache.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o700)
		if !entry.IsDir() {
			want = 0o600
			files++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || files != 3 {
		t.Errorf("%d files (%v), want manifest, chart and tag", files, err)
	}
}

func TestDamagedContentIsPulledAgain(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	cache := cachedSource(t, f, "1.0.0")
	blobs, err := filepath.Glob(filepath.Join(cache.dir, "blobs", "*"))
	if err != nil || len(blobs) != 2 {
		t.Fatalf("%v, %v", blobs, err)
	}
	for _, blob := range blobs {
		for _, damage := range []string{"", "other content"} {
			good, err := os.ReadFile(blob)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(blob, []byte(damage), 0o600); err != nil {
				t.Fatal(err)
			}
			before := f.count("GET blobs")
			fetched, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), "1.0.0")
			if err != nil || fetched.Chart.Metadata.Version != "1.0.0" {
				t.Fatalf("%+v, %v", fetched, err)
			}
			if f.count("GET blobs") == before {
				t.Error("damaged content was used")
			}
			if mended, err := os.ReadFile(blob); err != nil || string(mended) != string(good) {
				t.Errorf("the content was not mended (%v)", err)
			}
		}
	}
}

func TestOfflineWhatWasAskedForBeforeIsUsedAndSaidSo(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0", "1.1.0")
	cache := cachedSource(t, f, "1.0.0", "")
	f.Close()
	for asked, want := range map[string]string{"": "1.1.0", "1.0.0": "1.0.0"} {
		fetched, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), asked)
		if err != nil || fetched.Chart.Metadata.Version != want {
			t.Errorf("%q gives %+v (%v), want %s", asked, fetched, err, want)
		}
		if !strings.Contains(fetched.Note, "does not answer") || !strings.Contains(fetched.Note, want) {
			t.Errorf("%q: says %q", asked, fetched.Note)
		}
	}
	if _, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), "1.1.0"); err == nil {
		t.Error("a version that nobody asked for before was given")
	}
}

func TestOfflineDamagedContentIsNoChart(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	cache := cachedSource(t, f, "1.0.0")
	f.Close()
	blobs, err := filepath.Glob(filepath.Join(cache.dir, "blobs", "*"))
	if err != nil || len(blobs) != 2 {
		t.Fatalf("%v, %v", blobs, err)
	}
	for _, blob := range blobs {
		if err := os.WriteFile(blob, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if fetched, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), "1.0.0"); err == nil {
		t.Errorf("damaged content was used: %+v", fetched)
	}
}

// A registry that answers is believed: what it no longer has is not taken from
// the cache.
func TestAVersionThatIsGoneIsNotTakenFromTheCache(t *testing.T) {
	f := newFakeRegistry(t, "1.0.0")
	cache := cachedSource(t, f, "1.0.0")
	f.mu.Lock()
	clear(f.manifests)
	f.mu.Unlock()
	if fetched, err := newOCISource(cache).fetchFrom(t.Context(), f.reference(), "1.0.0"); err == nil {
		t.Errorf("gives %+v", fetched)
	}
}

func TestTheCacheStaysSmall(t *testing.T) {
	cache := chartCache{t.TempDir()}
	for i := range maxCached + 3 {
		if err := cache.keep([]byte{1, byte(i)}, []byte{2, byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(cache.dir, "blobs"))
	if err != nil || len(entries) != maxCached {
		t.Errorf("%d contents are kept (%v), want %d", len(entries), err, maxCached)
	}
}

func TestAFolderIsReadAnew(t *testing.T) {
	first, err := FetchChart(t.Context(), standInChart, "")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(standInChart)); err != nil {
		t.Fatal(err)
	}
	same, err := FetchChart(t.Context(), copied, "")
	if err != nil || same.Digest != first.Digest {
		t.Errorf("a copy has another digest (%v)", err)
	}
	if err := os.WriteFile(filepath.Join(copied, "charts", "argo-cd", "new.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := FetchChart(t.Context(), copied, "")
	if err != nil || other.Digest == first.Digest {
		t.Errorf("a change in a subchart is not noticed (%v)", err)
	}
}
