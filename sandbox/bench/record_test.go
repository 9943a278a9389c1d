package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// same compares what two installations left in the cluster.
func same(t *testing.T, ours, theirs cost) {
	t.Helper()
	if len(ours.manifest) < 2_000_000 || len(ours.hooks) < 10_000 || len(ours.record) < 2_000_000 {
		t.Errorf("only %d, %d and %d bytes are compared", len(ours.manifest), len(ours.hooks), len(ours.record))
	}
	for what, pair := range map[string][2]string{"manifests": {ours.manifest, theirs.manifest}, "hooks": {ours.hooks, theirs.hooks}, "release record": {ours.record, theirs.record}} {
		if pair[0] != pair[1] {
			t.Errorf("the %s differ at %s", what, difference(pair[0], pair[1]))
		} else {
			fmt.Printf("the %s are equal: %d bytes\n", what, len(pair[0]))
		}
	}
}

func difference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	show := func(s string) string { return s[max(0, at-60):min(len(s), at+60)] }
	return fmt.Sprintf("%d: %q, helm's %q", at, show(a), show(b))
}

// record is what helm stored about the release, without times.
func (i *installer) record() string {
	i.t.Helper()
	stored := i.kubectl("get", "secret", "sh.helm.release.v1."+benchRelease+".v1", "--namespace", benchSpace, "--output", "jsonpath={.data.release}")
	var tree any
	if err := json.Unmarshal(unpack(i.t, stored), &tree); err != nil {
		i.t.Fatal(err)
	}
	forgetTimes(tree)
	out, err := json.Marshal(tree)
	if err != nil {
		i.t.Fatal(err)
	}
	return string(out)
}

func unpack(t *testing.T, stored string) []byte {
	t.Helper()
	content := []byte(stored)
	for range 2 { // Kubernetes' encoding, and helm's
		decoded, err := base64.StdEncoding.DecodeString(string(content))
		if err != nil {
			t.Fatal(err)
		}
		content = decoded
	}
	zipped, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	content, err = io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// forgetTimes leaves of a time only whether there is one.
func forgetTimes(tree any) {
	switch node := tree.(type) {
	case map[string]any:
		for key, child := range node {
			switch key {
			case "first_deployed", "last_deployed", "started_at", "completed_at":
				node[key] = child != ""
			default:
				forgetTimes(child)
			}
		}
	case []any:
		for _, child := range node {
			forgetTimes(child)
		}
	}
}
