package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// gathers gives the answers of arguments.
func gathers(t *testing.T, args ...string) (answers.Answers, error) {
	t.Helper()
	a := &app{Program: Program{Err: new(strings.Builder), Getenv: func(string) string { return "" }}}
	cmd := a.rootCommand()
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return a.gather(cmd, answers.Default())
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The file that one starts from comes first, whoever names more of them.
func TestAStartingValuesFileIsNeverLost(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	write(t, "start.yaml", "x: y\n")
	write(t, "a.yaml", "apiVersion: cfwizard/v1\nkind: Answers\noptions: {values: [mine.yaml]}\n")
	for name, args := range map[string][]string{
		"alone": nil, "an answers file": {"-f", "a.yaml"}, "a flag": {"--options.values", "mine.yaml"}, "both": {"-f", "a.yaml", "--options.values", "mine.yaml"}, "named twice": {"--options.values", "start.yaml,mine.yaml"},
	} {
		got, err := gathers(t, append(args, "--from-values", "start.yaml")...)
		want := []string{filepath.Join(here, "start.yaml")}
		if name != "alone" {
			want = append(want, filepath.Join(here, "mine.yaml"))
		}
		if err != nil || !slices.Equal(got.Options.Values, want) {
			t.Errorf("%s: %v, %v; want %v", name, got.Options.Values, err, want)
		}
	}
}

// A session may be gone on with in another folder.
func TestPathsAreMadeWhole(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	t.Setenv("HOME", "/home/a")
	write(t, "a.yaml", "apiVersion: cfwizard/v1\nkind: Answers\ncluster: {kubeconfig: ~/.kube/config}\ncodefresh: {apiKey: {file: secrets/key}}\ngit: {runtimeToken: {file: ~/token}}\n"+
		"runtime: {chart: charts/x.tgz}\ntls: {platformCA: ../ca.pem, gitCA: {git.example.com: ca.pem}}\noptions: {values: [~/v.yaml, /abs.yaml]}\n")
	got, err := gathers(t, "-f", "a.yaml", "--git.userToken", "file:user", "--argocd.auth", "env:A")
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"cluster.kubeconfig": "/home/a/.kube/config", "codefresh.apiKey": "file:" + here + "/secrets/key", "git.runtimeToken": "file:/home/a/token", "git.userToken": "file:" + here + "/user",
		"argocd.auth": "env:A", "runtime.chart": here + "/charts/x.tgz", "tls.platformCA": filepath.Dir(here) + "/ca.pem", "tls.gitCA": "git.example.com=" + here + "/ca.pem",
		"options.values": "/home/a/v.yaml,/abs.yaml",
	} {
		if value := got.Get(field); value != want {
			t.Errorf("%s is %s, want %s", field, value, want)
		}
	}
	if plain, err := gathers(t); err != nil || plain.Runtime.Chart != answers.Default().Runtime.Chart || plain.Cluster.Kubeconfig != "" {
		t.Errorf("what is no path was changed: %+v, %v", plain, err)
	}
	t.Setenv("HOME", "")
	if _, err := gathers(t, "--kubeconfig", "~/.kube/config"); err == nil || !strings.Contains(err.Error(), "cluster.kubeconfig") {
		t.Errorf("without a home: %v", err)
	}
}

// A token in an address goes no further, and is not repeated.
func TestATokenInAnAddressIsRefused(t *testing.T) {
	store := nowhere(t)
	write(t, "a.yaml", "apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {accountId: a}\ngit: {sharedConfigRepo: \"https://x:hunter2@github.com/a/b.git\"}\n")
	for place, args := range map[string][]string{
		"a.yaml:4:25: git.sharedConfigRepo": {"-f", "a.yaml"},
		"--chart: runtime.chart":            {"--chart", "oci://x:hunter2@quay.io/a"},
		"--codefresh.url: codefresh.url":    {"--codefresh.url", "https://hunter2@codefresh.example.com"},
	} {
		for _, command := range [][]string{{"plan"}, {"install", "--yes", "--skip-checks"}, {"check"}} {
			out, stderr, code := runHere(t, nil, append(command, args...)...)
			if code != invalid || !strings.Contains(stderr, place+": it carries a user name or a token") || strings.Contains(out+stderr, "hunter2") {
				t.Errorf("%v %v ended with %d\n%s%s", command, args, code, out, stderr)
			}
		}
	}
	if kept, _ := store.List(); len(kept) != 0 {
		t.Errorf("saved %v", kept)
	}
}

func TestWordsOfAValuesFileDoNotMoveTheCursor(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "v.yaml", "\"a\\e[2J\": 1\nglobal: {runtime: {name: payments}}\n")
	_, stderr, _ := runHere(t, nil, "plan", "--from-values", "v.yaml", "--codefresh.accountId", "a")
	if !strings.Contains(stderr, "the chart has no such key") || strings.Contains(stderr, "\x1b") {
		t.Errorf("said %q", stderr)
	}
}

// A log that cannot be written is told, and holds nothing up.
func TestACommandIsWorthMoreThanItsLog(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", "")
	for _, state := range []string{"file", ""} {
		t.Setenv("XDG_STATE_HOME", state)
		t.Setenv("HOME", "")
		out, stderr, code := runHere(t, nil, "version", "-v")
		if code != 0 || !strings.HasPrefix(out, "cfwizard test") || !strings.Contains(stderr, "No log is written") || !strings.Contains(stderr, "XDG_STATE_HOME") {
			t.Errorf("%q: ended with %d\n%s%s", state, code, out, stderr)
		}
	}
}
