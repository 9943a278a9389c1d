package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const twoContexts = "contexts:\n  prod: {name: prod, type: APIKey, url: 'https://cf.example.com', token: s3cret.key}\n  dev: {name: dev, type: APIKey, url: 'https://g.codefresh.io', token: other.key}\ncurrent-context: prod\n"

func TestAContextOfTheCodefreshCLI(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cfconfig")
	if err := os.WriteFile(path, []byte(twoContexts), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CFCONFIG", path)
	out, stderr, code := run(t, nil, "plan", "-o", "json", "--cf-context", "prod", "--codefresh.accountId", "64f0c0ffee00000000000001",
		"--access.mode", "mesh", "--access.mesh.url", "https://runtime.example.com")
	if code != 0 || !strings.Contains(out, "https://cf.example.com") {
		t.Errorf("ended with %d\n%s%s", code, out, stderr)
	}
	if strings.Contains(out+stderr, "s3cret") {
		t.Error("the key is shown")
	}
	_, stderr, code = run(t, nil, "plan", "--cf-context", "nope")
	if code != invalid || !strings.Contains(stderr, "dev, prod") && !strings.Contains(stderr, "prod, dev") {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != twoContexts {
		t.Errorf("the file was changed: %v\n%s", err, now)
	}
}
