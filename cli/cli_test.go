package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// run runs the program without a terminal, in a folder of its own.
func run(t *testing.T, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	return runHere(t, env, args...)
}

func runHere(t *testing.T, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(t.Context(), args, Program{Version: "test", In: strings.NewReader(""), Out: &out, Err: &err,
		Getenv:   func(name string) string { return env[name] },
		ExitCode: exitCode})
	return out.String(), err.String(), code
}

// exitCode tells the kinds apart.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	return 10 + int(problem.KindOf(err))
}

const invalid = 10 + int(problem.Invalid)

// Every field can be explained, and be given as a flag and as a variable.
func TestEveryFieldHasItsFlagItsVariableAndItsWords(t *testing.T) {
	t.Setenv("HOME", "/home/a")
	here := t.TempDir()
	t.Chdir(here)
	for _, field := range answers.Fields {
		out, _, code := runHere(t, nil, "explain", field.Path)
		for _, want := range []string{field.Path, field.Meaning, field.Flag(), field.Env(), field.HelmValue} {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("explain %s ended with %d and lacks %q", field.Path, code, want)
			}
		}
		value := field.Example
		for name, given := range map[string]struct {
			env  map[string]string
			args []string
		}{
			"flag":     {nil, []string{field.Flag(), value}},
			"variable": {map[string]string{field.Env(): value}, nil},
		} {
			p := &app{Program: Program{Getenv: func(n string) string { return given.env[n] }}}
			cmd := p.rootCommand()
			if err := cmd.ParseFlags(given.args); err != nil {
				t.Errorf("%s: %v", field.Path, err)
				continue
			}
			want := value
			if whole, isPath := map[string]string{"cluster.kubeconfig": "/home/a/.kube/config", "tls.platformCA": "/here/ca.pem", "tls.gitCA": "git.example.com=/here/ca.pem", "options.values": "/here/extra.yaml"}[field.Path]; isPath {
				want = whole
			}
			got, err := p.gather(cmd, answers.Default())
			if read := strings.ReplaceAll(got.Get(field.Path), here, "/here"); err != nil || read != want {
				t.Errorf("%s as a %s gives %q, %v; want %q", field.Path, name, read, err, want)
			}
		}
	}
}

func TestTheOrderOfSources(t *testing.T) {
	t.Chdir(t.TempDir())
	file := filepath.Join(".", "a.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {accountId: a}\nruntime: {name: file, namespace: file, release: file}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("v.yaml", []byte("global: {runtime: {name: values, ingress: {enabled: true, hosts: [v.example.com]}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := runHere(t, map[string]string{"CFWIZARD_RUNTIME_NAME": "env", "CFWIZARD_RUNTIME_NAMESPACE": "env"},
		"plan", "-f", file, "--from-values", "v.yaml", "--runtime.name", "flag", "-o", "json")
	if code != 0 {
		t.Fatalf("ended with %d: %s", code, stderr)
	}
	for _, want := range []string{`"name": "flag"`, `"namespace": "env"`, `"release": "file"`, `"v.example.com"`} {
		if !strings.Contains(out, want) {
			t.Errorf("the plan lacks %s\n%s", want, out)
		}
	}
}

func TestInvalidAnswersNameTheirPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.yaml", []byte("apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {accountId: a}\naccess:\n  mode: ingress\n  ingress: {host: 10.0.0.1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := runHere(t, map[string]string{"CFWIZARD_RUNTIME_NAMESPACE": "No_Namespace"}, "plan", "-f", "a.yaml", "--runtime.name", "My_Runtime")
	if code != invalid {
		t.Errorf("ended with %d", code)
	}
	for _, want := range []string{"--runtime.name: runtime.name:", "CFWIZARD_RUNTIME_NAMESPACE: runtime.namespace:", "a.yaml:6:19: access.ingress.host:", "a.yaml:6:12: access.ingress.class:"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("does not say %q\n%s", want, stderr)
		}
	}
}

func TestBadFilesAreRefusedAndNothingIsWritten(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i < 'k'; i++ {
		bomb += string(i) + ": &" + string(i) + " [" + strings.Repeat("*"+string(i-1)+",", 9) + "]\n"
	}
	head := "apiVersion: cfwizard/v1\nkind: Answers\n"
	for name, content := range map[string]string{
		"10 MB": head + "#" + strings.Repeat("x", 10<<20), "a bomb": head + bomb, "two keys": head + "runtime: {name: a, name: b}\n",
		"tabs": head + "runtime:\n\tname: x\n", "unknown version": "apiVersion: cfwizard/v2\nkind: Answers\n", "a literal": head + "codefresh: {apiKey: hunter2}\n",
		"two sources": head + "codefresh: {apiKey: {env: A, file: B}}\n", "control": head + "runtime: {name: \"a\\e[2J\"}\n", "not UTF-8": head + "runtime: {name: \"\xff\xfe\"}\n",
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("a.yaml", []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		out, stderr, code := runHere(t, nil, "plan", "-f", "a.yaml")
		if code != invalid || out != "" || !strings.Contains(stderr, "a.yaml") || !strings.Contains(stderr, "fix:") {
			t.Errorf("%s: ended with %d\n%s%.300s", name, code, out, stderr)
		}
		if strings.Contains(stderr, "hunter2") || strings.Contains(stderr, "\x1b") {
			t.Errorf("%s: repeats what it must not: %q", name, stderr)
		}
		if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
			t.Errorf("%s: wrote something", name)
		}
	}
}

func TestPlanNeedsNoClusterAndNoNetwork(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, form := range []string{"command", "values", "terraform", "terraform-v2", "argocd", "flux", "json"} {
		out, stderr, code := run(t, map[string]string{"HTTPS_PROXY": "http://127.0.0.1:1"}, "plan", "--codefresh.accountId", "a", "-o", form, "--crds.mode", "skip", "--chart", "oci://127.0.0.1:1/charts/gitops-runtime")
		if code != 0 || len(out) < 100 || !strings.Contains(stderr, "today's chart stands in for it") {
			t.Errorf("%s: ended with %d\n%s", form, code, stderr)
		}
	}
}

func TestUnreadableSourcesAreNamed(t *testing.T) {
	_, stderr, code := run(t, nil, "plan", "--codefresh.accountId", "a", "--tls.platformCA", "/no/nope.pem", "--options.values", "/no/nope.yaml")
	if code != invalid || !strings.Contains(stderr, "tls.platformCA: /no/nope.pem cannot be read") || !strings.Contains(stderr, "options.values: /no/nope.yaml cannot be read") {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
}

func TestCheckValues(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("v.yaml", []byte("global: {runtime: {name: My_Runtime}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := runHere(t, nil, "check", "--values", "v.yaml", "-o", "json")
	if code != 10+int(problem.CheckFailed) || !strings.Contains(out, `"ok": false`) || !strings.Contains(out, "v.yaml:1:20") {
		t.Errorf("ended with %d\n%s", code, out)
	}
	if _, stderr, code := runHere(t, nil, "check", "--values", "nope.yaml"); code != invalid || !strings.Contains(stderr, "no such file") {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
}

// Line by line needs a person too: nothing is asked of a pipe.
func TestPlainNeverAsksWithoutATerminal(t *testing.T) {
	for _, args := range [][]string{{"--plain"}, {"--plain", "--dry-run"}} {
		_, stderr, code := run(t, map[string]string{"TERM": "dumb"}, args...)
		if code != invalid || !strings.Contains(stderr, "there is no terminal to ask in") || !strings.Contains(stderr, "codefresh.accountId") {
			t.Errorf("%v ended with %d: %s", args, code, stderr)
		}
	}
}
