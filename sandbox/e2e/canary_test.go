package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// canary follows the secrets of one run: the values that go in, and all that
// comes out.
type canary struct {
	*sandbox
	key, runtime, user string // the marks
	files              string // where the person keeps them
	helper             string // a child of the program: it gets credentials for the cluster
	heard              map[string]string
}

// The three secrets go through every face of the program, and afterwards are
// found in the one Secret that is meant to hold them, and nowhere else.
func TestCanary(t *testing.T) {
	t.Parallel()
	c := newCanary(t)
	processes := c.watchProcesses()
	c.wizard(t)
	c.crash()
	c.headless()
	c.failures()
	c.heard["processes"] = processes()
	if called, err := os.ReadFile(c.helper + ".called"); err != nil || len(called) == 0 {
		t.Errorf("no child was started: %v", err)
	}
	for _, where := range slices.Sorted(maps.Keys(c.heard)) {
		c.clean(where, []byte(c.heard[where]))
	}
	c.cleanFolder(c.home)
	c.cleanFolder(c.dir, "state.json", "etcd")
	c.cleanStore()
	c.inOneSecret()
}

// newCanary takes the secrets out of the environment, and puts a program
// between the wizard and the cluster that notes how it was called.
func newCanary(t *testing.T) *canary {
	t.Helper()
	s := boot(t, "codefresh.fresh-account")
	c := &canary{s, s.env["CF_API_KEY"], "ghp_sandboxgood", "ghp_sandboxuser", t.TempDir(), filepath.Join(s.home, "credentials"), map[string]string{}}
	delete(s.env, "CF_API_KEY")
	for name, value := range map[string]string{"key": c.key, "runtime": c.runtime, "user": c.user} {
		writeFile(t, filepath.Join(c.files, name), value)
	}
	server := s.must("kubectl", "config", "view", "--raw", "--output", "jsonpath={.clusters[0].cluster.server}")
	token := s.must("kubectl", "config", "view", "--raw", "--output", `jsonpath={.users[?(@.name=="sandbox")].user.token}`)
	writeFile(t, c.helper, "#!/bin/sh\n{ tr '\\0' ' ' </proc/$$/cmdline; env; } >>\"$0.called\"\n"+
		`echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"`+token+`"}}'`+"\n")
	if err := os.Chmod(c.helper, 0o700); err != nil {
		t.Fatal(err)
	}
	s.env["KUBECONFIG"] = writeFile(t, filepath.Join(s.home, "kubeconfig"), fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: sandbox,
clusters: [{name: c, cluster: {server: %q, insecure-skip-tls-verify: true}}], contexts: [{name: sandbox, context: {cluster: c, user: u}}],
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: Never}}}]}`, server, c.helper))
	return c
}

// wizard types the secrets, looks at everything that the review can show and
// save, and installs.
func (c *canary) wizard(t *testing.T) {
	t.Helper()
	w := c.sit(120, 40)
	w.answer("sandbox · bare metal", enter)
	w.answer("Codefresh URL", enter)
	w.answer("hidden", c.key, enter)
	w.answer("Runtime name", ctrlU, "payments", enter)
	w.answer("payments is free", enter, enter)
	w.answer("the newest when", enter)
	w.answer("no open port needed", enter)
	w.answer("Shared config URL", "https://github.com/acme/isc.git", enter)
	w.answer("recognise it from the URL", enter)
	w.answer("may stay empty", c.runtime, enter, enter)
	w.answer("Your own token", c.user, enter)
	w.answer("Anything special?", enter)
	w.answer("Install now", "p")
	w.answer("esc close", esc)
	w.answer("Install now", "s")
	w.wait("Save as…")
	forms := []string{"answers.yaml", "sh", "values.yaml", "tf", "v2.tf", "argocd.yaml", "flux.yaml", "json"}
	for range forms {
		w.press(enter, down)
	}
	eventually(t, "every form is saved", func() bool {
		return !slices.ContainsFunc(forms, func(ending string) bool {
			_, err := os.Stat(filepath.Join(c.home, "cf-gitops-runtime."+ending))
			return err != nil
		})
	})
	w.press(esc)
	w.answer("Install now", enter)
	w.wait("payments is installed")
	w.press("q")
	if code := w.exit(); code != 0 {
		t.Errorf("the wizard ended with %d\n%s", code, w.screen())
	}
	c.heard["the wizard's terminal"] = w.raw.String()
}

// crash makes the program dump all its stacks, which is what a panic shows.
func (c *canary) crash() {
	c.t.Helper()
	w := c.sit(120, 40)
	w.answer("sandbox · bare metal", enter)
	w.answer("Codefresh URL", enter)
	w.answer("hidden", c.key, enter)
	w.wait("Runtime name")
	if err := w.process.Process.Signal(syscall.SIGQUIT); err != nil {
		c.t.Fatal(err)
	}
	w.exit()
	if dump := w.raw.String(); !strings.Contains(dump, "goroutine ") {
		c.t.Errorf("the program does not dump its stacks\n%s", w.screen())
	}
	c.heard["the crash"] = w.raw.String()
}

// headless refers to files with the secrets.
func (c *canary) headless() {
	c.t.Helper()
	file := c.canaryAnswers()
	for _, form := range []string{"command", "values", "terraform", "terraform-v2", "argocd", "flux", "manifest", "json"} {
		c.hear(0, "plan", "-f", file, "-o", form)
	}
	c.hear(0, "check", "-f", file)
	c.hear(0, "check", "-f", file, "-o", "json")
	c.hear(0, "doctor", "-f", file)
	c.hear(0, "doctor", "-f", file, "-o", "json")
	c.hear(0, "install", "-f", file, "--yes", "-o", "json")
	c.hear(anyCode, "checklist", "-f", file)
	c.hear(anyCode, "checklist", "-f", file, "-o", "json")
	c.env["CFCONFIG"] = writeFile(c.t, filepath.Join(c.files, "cfconfig"), "contexts: {prod: {type: APIKey, url: '"+c.env["CF_URL"]+"', token: '"+c.key+"'}}\n")
	c.hear(0, "check", "-f", file, "--cf-context", "prod")
	c.hear(0, "sessions")
	c.heard["the saved session"] = c.savedAnswers()
}

// failures are told with words from elsewhere, which may hold a secret.
func (c *canary) failures() {
	c.t.Helper()
	file := c.canaryAnswers()
	c.env["GODEBUG"], c.env["HELM_DEBUG"] = "http2debug=2", "true"
	for _, one := range []struct {
		scenario string
		code     int
		args     []string
	}{
		{"validate-fails", 5, []string{"install", "-f", file, "--yes", "--skip-checks", "--options.skipUsageValidation", "true"}},
		{"codefresh.graphql-errors=the key " + c.key + " is not welcome", 7, []string{"check", "-f", file, "-o", "json"}},
		{"codefresh.graphql-errors=the key " + c.key + " is not welcome", 7, []string{"install", "-f", file, "--yes", "--skip-checks", "-o", "json"}},
		{"git.http-status=401", 3, []string{"check", "-f", file, "-o", "json"}},
		{"git.drip=1ms", 0, []string{"check", "-f", file}},
	} {
		c.scenario(one.scenario)
		c.hear(one.code, one.args...)
	}
	if evidence, err := filepath.Glob(filepath.Join(c.home, "state", "*", "bundles", "*")); err != nil || len(evidence) == 0 {
		c.t.Errorf("the failed install left no evidence: %v", err)
	}
}

// anyCode is for a command whose success depends on what is left to do.
const anyCode = -1

// hear runs a command and keeps what it says.
func (c *canary) hear(code int, args ...string) {
	c.t.Helper()
	r := c.run("cfwizard", args...)
	if r.code != code && code != anyCode {
		c.t.Errorf("%v ended with %d, want %d\n%s", args, r.code, code, r.stderr)
	}
	c.heard[strings.Join(args, " ")] += r.stdout + r.stderr
}

func (c *canary) canaryAnswers() string {
	c.t.Helper()
	return writeFile(c.t, filepath.Join(c.home, "canary.yaml"), fmt.Sprintf(`apiVersion: cfwizard/v1
kind: Answers
codefresh: {url: %q, accountId: %q, apiKey: {file: %q}}
runtime: {name: payments, chart: %q}
git: {sharedConfigRepo: https://github.com/acme/isc.git, runtimeToken: {file: %q}, userToken: {file: %q}}
`, c.env["CF_URL"], c.env["CF_ACCOUNT_ID"], filepath.Join(c.files, "key"), c.env["SANDBOX_CHART"],
		filepath.Join(c.files, "runtime"), filepath.Join(c.files, "user")))
}

// watchProcesses notes the arguments and the environment of every process of
// the run until it is asked for them.
func (c *canary) watchProcesses() (seen func() string) {
	var group sync.WaitGroup
	found, done := map[string]bool{}, make(chan struct{})
	group.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-c.t.Context().Done():
				return
			case <-tick.C:
				c.noteProcesses(found)
			}
		}
	})
	return func() string {
		close(done)
		group.Wait()
		all := strings.Join(slices.Sorted(maps.Keys(found)), "\n")
		if !strings.Contains(all, "cfwizard") {
			c.t.Errorf("no process of the program was seen:\n%s", all)
		}
		return all
	}
}

func (c *canary) noteProcesses(found map[string]bool) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		// A process may be gone by now.
		arguments, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		environment, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if text := string(arguments) + "\n" + string(environment); strings.Contains(text, c.home) {
			found[strings.ReplaceAll(text, "\x00", " ")] = true
		}
	}
}
