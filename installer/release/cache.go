package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// chartCache keeps charts that were pulled, by the digest of their content, and
// which of them a tag meant. Its zero value keeps nothing.
type chartCache struct{ dir string }

// maxCached is how many contents are kept: two for each chart.
const maxCached = 32

// userCache is under the user's cache folder, if there is one.
func userCache() chartCache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return chartCache{}
	}
	return chartCache{filepath.Join(dir, "cfwizard", "charts")}
}

// resolution is what a version of a chart turned out to be.
type resolution struct {
	Reference string    `json:"reference"`
	Asked     string    `json:"asked"` // the version that was asked for; empty is the newest
	Tag       string    `json:"tag"`
	Manifest  string    `json:"manifest"` // its digest
	Time      time.Time `json:"time"`
}

var errNotCached = errors.New("not in the cache")

// chart reads the chart of a manifest. What is damaged is dropped.
func (c chartCache) chart(manifest string) ([]byte, error) {
	content, err := c.blob(manifest)
	if err != nil {
		return nil, err
	}
	layer, err := chartLayer(content)
	if err != nil {
		return nil, err
	}
	return c.blob(layer)
}

// keep stores a manifest and its chart.
func (c chartCache) keep(manifest, archive []byte) error {
	if c.dir == "" {
		return nil
	}
	for _, content := range [][]byte{archive, manifest} {
		if err := c.write(c.blobPath(digestOf(content)), content); err != nil {
			return err
		}
	}
	return c.prune()
}

// blob reads a content and holds it to its digest.
func (c chartCache) blob(digest string) ([]byte, error) {
	if c.dir == "" {
		return nil, errNotCached
	}
	path := c.blobPath(digest)
	content, err := readAtMost(path, maxChartBytes)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotCached, err)
	}
	if digestOf(content) != digest {
		_ = os.Remove(path)
		return nil, fmt.Errorf("%w: its content was damaged", errNotCached)
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // what was read last is pruned last
	return content, nil
}

func (c chartCache) blobPath(digest string) string {
	return filepath.Join(c.dir, "blobs", strings.ReplaceAll(digest, ":", "-"))
}

// remember stores what a version was resolved to.
func (c chartCache) remember(r resolution) error {
	if c.dir == "" {
		return nil
	}
	content, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.write(c.tagPath(r.Reference, r.Asked), content)
}

// recall gives what a version was resolved to before.
func (c chartCache) recall(reference, asked string) (resolution, error) {
	var r resolution
	if c.dir == "" {
		return r, errNotCached
	}
	content, err := readAtMost(c.tagPath(reference, asked), maxManifestBytes)
	if err != nil {
		return r, fmt.Errorf("%w: %w", errNotCached, err)
	}
	if err := json.Unmarshal(content, &r); err != nil || r.Reference != reference || r.Asked != asked {
		return r, errNotCached
	}
	return r, nil
}

func (c chartCache) tagPath(reference, asked string) string {
	return filepath.Join(c.dir, "tags", strings.TrimPrefix(digestOf([]byte(reference+"\n"+asked)), "sha256:")+".json")
}

// write is all or nothing.
func (c chartCache) write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("writing to the cache: %w", err)
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("writing to the cache: %w", err)
	}
	return nil
}

// prune drops what was not read for longest.
func (c chartCache) prune() error {
	dir := filepath.Join(c.dir, "blobs")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxCached {
		return err
	}
	age := func(e os.DirEntry) time.Time {
		if info, err := e.Info(); err == nil {
			return info.ModTime()
		}
		return time.Time{}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return age(a).Compare(age(b)) })
	for _, entry := range entries[:len(entries)-maxCached] {
		_ = os.Remove(filepath.Join(dir, entry.Name()))
	}
	return nil
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

var errTooLarge = errors.New("it is too large for a chart")

func readAtMost(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = errTooLarge
	}
	return content, err
}
