// Package e2e tries the real binary on a real pseudo-terminal against the
// sandbox. It needs the built binaries: `make e2e` builds them.
package e2e

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// binary is the path of one of the project's binaries.
func binary(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("CFWIZARD_BIN")
	if dir == "" {
		dir = filepath.Join("..", "..", "bin")
	}
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is not built: run `make binaries`", name)
	}
	return path
}

// sandbox is a running one, with a home of its own for the program.
type sandbox struct {
	t    testing.TB
	dir  string
	home string
	env  map[string]string
}

// boot starts a sandbox that ends with the test, even when the test is killed.
func boot(t testing.TB, scenarios ...string) *sandbox {
	t.Helper()
	s := &sandbox{t: t, dir: filepath.Join(t.TempDir(), "sandbox"), home: t.TempDir()}
	args := []string{"up", "--tied", "--dir", s.dir}
	for _, name := range scenarios {
		args = append(args, "--scenario", name)
	}
	cmd := exec.Command(binary(t, "sandbox"), args...)
	leash, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		leash.Close()
		<-ended
		if t.Failed() {
			t.Logf("the sandbox said:\n%s", log.String())
		}
	})
	s.readEnv(ended)
	s.linkTools()
	return s
}

// soaking reports whether there is time for the slow proofs: `make soak` has it.
func soaking() bool { return os.Getenv("CFWIZARD_SOAK") != "" }

// slowProof keeps a test out of `make test`.
func slowProof(t *testing.T) {
	t.Helper()
	if !soaking() {
		t.Skip("a slow proof: `make soak` runs it")
	}
}

// within is the same sandbox, whose troubles are a subtest's.
func (s *sandbox) within(t *testing.T) *sandbox {
	copied := *s
	copied.t = t
	return &copied
}

// readEnv waits until the sandbox answers and takes what `sandbox env` says.
func (s *sandbox) readEnv(ended <-chan struct{}) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		var out []byte
		_, err := os.Stat(filepath.Join(s.dir, "state.json")) // cheaper than to ask again and again
		if err == nil {
			out, err = exec.CommandContext(ctx, binary(s.t, "sandbox"), "env", "--dir", s.dir).Output()
		}
		if err != nil {
			select {
			case <-ctx.Done():
				s.t.Fatalf("the sandbox did not come up within %s", patience)
			case <-ended:
				s.t.Fatal("the sandbox ended while it came up")
			case <-time.After(20 * time.Millisecond):
			}
			continue
		}
		s.env = map[string]string{"HOME": s.home, "XDG_STATE_HOME": filepath.Join(s.home, "state"), "TERM": "xterm-256color"}
		for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
			name, value, _ := strings.Cut(strings.TrimPrefix(line, "export "), "=")
			s.env[name] = strings.Trim(value, "'")
		}
		// Names on the internet lead to the Git stand-ins, and nowhere else.
		s.env["HTTPS_PROXY"], s.env["SSL_CERT_FILE"] = s.env["SANDBOX_GIT_PROXY"], s.env["SANDBOX_GIT_CA"]
		return
	}
}

// linkTools makes a folder with kubectl and helm for printed scripts.
func (s *sandbox) linkTools() {
	s.t.Helper()
	tools := filepath.Join(s.home, "tools")
	if err := os.MkdirAll(tools, 0o755); err != nil {
		s.t.Fatal(err)
	}
	for link, target := range map[string]string{"kubectl": "sandbox", "helm": "helm", "cfwizard": "cfwizard"} {
		if err := os.Symlink(binary(s.t, target), filepath.Join(tools, link)); err != nil {
			s.t.Fatal(err)
		}
	}
	s.env["PATH"] = tools + string(os.PathListSeparator) + os.Getenv("PATH")
}

func (s *sandbox) environ() []string {
	list := make([]string, 0, len(s.env))
	for name, value := range s.env {
		list = append(list, name+"="+value)
	}
	return list
}

// result is what a command did.
type result struct {
	stdout, stderr string
	code           int
}

// run runs a program without a terminal.
func (s *sandbox) run(name string, args ...string) result {
	s.t.Helper()
	return s.runWith("", name, args...)
}

func (s *sandbox) runWith(stdin, name string, args ...string) result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	path := name
	if !strings.Contains(name, "/") {
		path = filepath.Join(s.home, "tools", name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = s.environ()
	cmd.Dir = s.home
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		s.t.Fatalf("%s %v did not end in three minutes\n%s", name, args, stderr.String())
	}
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		s.t.Fatalf("%s: %v", name, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs a program that has to succeed and gives its output.
func (s *sandbox) must(name string, args ...string) string {
	s.t.Helper()
	r := s.run(name, args...)
	if r.code != 0 {
		s.t.Fatalf("%s %v ended with %d\n%s%s", name, args, r.code, r.stdout, r.stderr)
	}
	return r.stdout
}

// scenario switches the running sandbox.
func (s *sandbox) scenario(names ...string) {
	s.t.Helper()
	out, err := exec.Command(binary(s.t, "sandbox"), append([]string{"scenario", "--dir", s.dir}, names...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("scenario %v: %v\n%s", names, err, out)
	}
}

// answers writes an answers file for this sandbox; extra lines are added.
func (s *sandbox) answers(extra string) string {
	s.t.Helper()
	path := filepath.Join(s.home, "answers.yaml")
	text := "apiVersion: cfwizard/v1\nkind: Answers\n" +
		"codefresh: {url: \"" + s.env["CF_URL"] + "\", accountId: \"" + s.env["CF_ACCOUNT_ID"] + "\"}\n" + extra
	if !strings.Contains(extra, "runtime:") {
		text += "runtime: {name: payments, chart: \"" + s.env["SANDBOX_CHART"] + "\"}\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// status is what helm itself says about the release.
func (s *sandbox) status(release, namespace string) string {
	s.t.Helper()
	out := s.must("helm", "status", release, "--namespace", namespace)
	for line := range strings.SplitSeq(out, "\n") {
		if rest, found := strings.CutPrefix(line, "STATUS: "); found {
			return rest
		}
	}
	return ""
}

var _ io.Closer = (*terminal)(nil)
