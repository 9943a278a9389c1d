package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tokensKey is the one place of the store that is meant to hold secrets.
const tokensKey = "/registry/secrets/codefresh/cfwizard-tokens"

// cleanStore looks through all that was ever written to etcd, old revisions
// and deleted objects included: values stand there as they are, behind their
// keys.
func (c *canary) cleanStore() {
	c.t.Helper()
	found := map[string]bool{}
	keys := map[string]bool{}
	releases := 0
	for _, file := range c.storeFiles() {
		data, err := os.ReadFile(file)
		if err != nil {
			c.t.Fatal(err)
		}
		for name, mark := range c.marks() {
			for _, form := range forms(mark) {
				for _, key := range holders(data, form) {
					found[name] = true
					if key != tokensKey || form != mark || name == "user token" {
						c.t.Errorf("%s: %s holds the %s", filepath.Base(file), key, name)
					}
				}
			}
		}
		for _, key := range []string{tokensKey, "/registry/configmaps/codefresh/helm-values-config", "/registry/secrets/codefresh/codefresh-token"} {
			keys[key] = keys[key] || bytes.Contains(data, []byte(key))
		}
		releases += c.cleanReleases(file, data)
	}
	for key, seen := range keys {
		if !seen {
			c.t.Errorf("the store never held %s", key)
		}
	}
	if !found["API key"] || !found["runtime token"] || releases < 2 {
		c.t.Errorf("the store should hold two secrets, %v, and some releases of Helm, %d: is it read rightly?", found, releases)
	}
}

// storeFiles are etcd's database and its log.
func (c *canary) storeFiles() []string {
	c.t.Helper()
	log, err := filepath.Glob(filepath.Join(c.dir, "etcd", "member", "wal", "*.wal"))
	if err != nil || len(log) == 0 {
		c.t.Fatalf("etcd has no log: %v", err)
	}
	return append(log, filepath.Join(c.dir, "etcd", "member", "snap", "db"))
}

// holders are the keys behind which a text stands.
func holders(data []byte, text string) []string {
	var keys []string
	for start := 0; ; {
		at := bytes.Index(data[start:], []byte(text))
		if at < 0 {
			return keys
		}
		start += at + len(text)
		keys = append(keys, keyBefore(data[:start-len(text)]))
	}
}

var keyText = regexp.MustCompile(`^/registry/[A-Za-z0-9./_:-]+`)

func keyBefore(data []byte) string {
	return string(keyText.Find(data[max(bytes.LastIndex(data, []byte("/registry/")), 0):]))
}

// packed is how Helm keeps a release: compressed, in base64.
var packed = regexp.MustCompile(`H4sI[A-Za-z0-9+/]{100,}={0,2}`)

// cleanReleases unpacks what Helm keeps and looks into it.
func (c *canary) cleanReleases(file string, data []byte) (unpacked int) {
	c.t.Helper()
	texts := packed.FindAll(data, -1)
	slices.SortFunc(texts, bytes.Compare)
	for _, text := range slices.CompactFunc(texts, bytes.Equal) {
		compressed, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			continue // cut by the end of a page that is in use no more
		}
		release, _ := unpack(compressed)
		c.clean("a Helm release in "+filepath.Base(file), release)
		if strings.Contains(string(release), `"name":"cf-gitops-runtime"`) {
			unpacked++
		}
	}
	return unpacked
}

// unpack opens what gzip has packed. Files in an archive stand one behind the
// other in what it gives.
func unpack(data []byte) (inner []byte, isPacked bool) {
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	inner, err = io.ReadAll(reader)
	return inner, err == nil
}

// inOneSecret looks through the Secrets as they are now.
func (c *canary) inOneSecret() {
	c.t.Helper()
	const each = `{range .items[*]}{.metadata.name}{"\n"}{.data}{"\n"}{end}`
	lines := strings.Split(c.must("kubectl", "get", "secrets", "--all-namespaces", "--output", "jsonpath="+each), "\n")
	holding := map[string][]string{}
	for i := 0; i+1 < len(lines); i += 2 {
		for name, mark := range c.marks() {
			if strings.Contains(lines[i+1], base64.StdEncoding.EncodeToString([]byte(mark))) {
				holding[name] = append(holding[name], lines[i])
			}
		}
	}
	want := []string{"cfwizard-tokens"}
	if !slices.Equal(holding["API key"], want) || !slices.Equal(holding["runtime token"], want) || holding["user token"] != nil {
		c.t.Errorf("the secrets are in %v, want API key and runtime token in %v", holding, want)
	}
}

// forms are the ways in which a mark can stand in a text: as it is, and within
// something in base64 at each of the three places where it can begin.
func forms(mark string) []string {
	all := []string{mark}
	for before := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + mark))
		all = append(all, encoded[(before*8+5)/6:len(encoded)-2])
	}
	return all
}

func (c *canary) marks() map[string]string {
	return map[string]string{"API key": c.key, "runtime token": c.runtime, "user token": c.user}
}

// clean sees that no mark is in a text.
func (c *canary) clean(where string, text []byte) {
	c.t.Helper()
	for name, mark := range c.marks() {
		for _, form := range forms(mark) {
			if at := strings.Index(string(text), form); at >= 0 {
				c.t.Errorf("%s holds the %s: …%q…", where, name, text[max(at-80, 0):min(at+80, len(text))])
			}
		}
	}
}

// cleanFolder sees that no mark is in any file of a folder.
func (c *canary) cleanFolder(folder string, except ...string) {
	c.t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(except, entry.Name()) && entry.IsDir():
			return fs.SkipDir
		case slices.Contains(except, entry.Name()) || !entry.Type().IsRegular():
			return nil
		}
		files++
		data, err := os.ReadFile(path)
		c.clean(path, data)
		if inner, isPacked := unpack(data); isPacked {
			c.clean(path+", unpacked,", inner)
		}
		return err
	})
	if err != nil || files < 5 {
		c.t.Errorf("looked at %d files of %s: %v", files, folder, err)
	}
}
