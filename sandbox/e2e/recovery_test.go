package e2e

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// installLimit is how long an install may take in all.
const installLimit = 3 * time.Minute

// installUntil starts an install without questions and kills it when the
// moment has come. It reports whether the install had ended before. It may run
// beside the test.
func (s *sandbox) installUntil(file string, signal syscall.Signal, moment func(line int, event map[string]any) bool) (ended bool) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.home, "tools", "cfwizard"), "install", "-f", file, "--yes", "--skip-checks", "-o", "json")
	cmd.Env, cmd.Dir = s.environ(), s.home
	ended = true
	s.follow(cmd, func(number int, event map[string]any) {
		if ended && moment(number, event) {
			ended = false
			_ = cmd.Process.Signal(signal)
		}
	})
	return ended
}

// follow runs an install to its end and tells each of its events. One that does
// not end in time is killed.
func (s *sandbox) follow(cmd *exec.Cmd, each func(number int, event map[string]any)) {
	s.t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Errorf("starting the install: %v", err)
		return
	}
	limit := time.AfterFunc(installLimit, func() {
		s.t.Errorf("the install did not end within %s", installLimit)
		_ = cmd.Process.Kill()
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for number := 0; lines.Scan(); number++ {
		var event map[string]any
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			s.t.Errorf("not JSON: %s", lines.Text())
			continue
		}
		each(number, event)
	}
	_ = cmd.Wait()
	limit.Stop()
}

// atObject is the moment when an object of that name is told to be there.
func atObject(name string) func(int, map[string]any) bool {
	return func(_ int, event map[string]any) bool {
		object, _ := event["object"].(map[string]any)
		return object != nil && object["name"] == name && event["state"] != "ahead"
	}
}

func atPhase(name string) func(int, map[string]any) bool {
	return func(_ int, event map[string]any) bool { return event["phase"] == name }
}

// hookLeftovers are what must not stay behind: values in clear, and a role with
// all rights.
func (s *sandbox) hookLeftovers() string {
	s.t.Helper()
	roles := s.must("kubectl", "get", "clusterroles,clusterrolebindings", "--output", "name")
	maps := s.run("kubectl", "get", "configmaps", "--namespace", "codefresh", "--output", "name").stdout
	var found []string
	for name := range strings.SplitSeq(roles+maps, "\n") {
		if strings.Contains(name, "validate-") || strings.Contains(name, "helm-values-config") {
			found = append(found, name)
		}
	}
	return strings.Join(found, " ")
}

// answersNamed are the answers of a runtime of another name: Codefresh keeps
// the names of those before.
func (s *sandbox) answersNamed(name string) string {
	return s.answers("runtime: {name: " + name + ", chart: \"" + s.env["SANDBOX_CHART"] + "\"}\n")
}

// removeRuntime makes room for the next try.
func (s *sandbox) removeRuntime() {
	s.t.Helper()
	s.must("helm", "uninstall", "cf-gitops-runtime", "--namespace", "codefresh", "--no-hooks")
	s.must("kubectl", "delete", "secret", "codefresh-token", "--namespace", "codefresh", "--ignore-not-found")
}

// Whenever a run is killed, the next one reaches deployed and leaves nothing
// of the hooks behind. TestSoakBrokenAnywhere tries all moments.
func TestKilledAtManyMoments(t *testing.T) {
	slowProof(t)
	t.Parallel()
	s := boot(t)
	moments := []struct {
		name   string
		signal syscall.Signal
		at     func(int, map[string]any) bool
	}{
		{"validate-values", syscall.SIGKILL, atObject("validate-values")},
		{"wait", syscall.SIGHUP, atPhase("wait")},
	}
	for i, moment := range moments {
		file := s.answersNamed(fmt.Sprintf("payments%d", i))
		if s.installUntil(file, moment.signal, moment.at) {
			t.Errorf("%s: the install ended before that moment", moment.name)
		}
		if r := s.run("cfwizard", "install", "-f", file, "--yes", "--skip-checks"); r.code != 0 {
			t.Errorf("%s: the next run ended with %d\n%s", moment.name, r.code, r.stderr)
		}
		if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
			t.Errorf("%s: helm says %s, want deployed", moment.name, got)
		}
		if left := s.hookLeftovers(); left != "" {
			t.Errorf("%s: left behind: %s", moment.name, left)
		}
		s.removeRuntime()
	}
}

// elsewhere is another machine with the same cluster: nothing is saved on it.
func (s *sandbox) elsewhere() *sandbox {
	other := *s
	home := s.t.TempDir()
	other.env = maps.Clone(s.env)
	other.env["HOME"], other.env["XDG_STATE_HOME"] = home, filepath.Join(home, "state")
	return &other
}

// What was applied is only waited for, wherever one comes back to it.
func TestComeBackFromAnotherMachine(t *testing.T) {
	t.Parallel()
	s := boot(t, "never-ready")
	if s.installUntil(s.answers(""), syscall.SIGKILL, atPhase("wait")) {
		t.Fatal("the install ended before it waited")
	}
	s.scenario("healthy")
	other := s.elsewhere()
	r := other.run("cfwizard", "resume")
	if r.code != 0 || !strings.Contains(r.stderr, "begun elsewhere") || !strings.Contains(r.stderr, "wait") {
		t.Errorf("resume ended with %d\n%s", r.code, r.stderr)
	}
	if strings.Contains(r.stderr, "● hooks") || strings.Contains(r.stderr, "● apply") {
		t.Errorf("what was done is done again:\n%s", r.stderr)
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("helm says %s, want deployed", got)
	}
	if r := s.run("helm", "history", "cf-gitops-runtime", "--namespace", "codefresh", "--output", "json"); !strings.Contains(r.stdout, `"revision":1,`) || strings.Contains(r.stdout, `"revision":2`) {
		t.Errorf("helm's history: %s%s", r.stdout, r.stderr)
	}
}

// The doctor says what a killed run left, and mends it.
func TestTheDoctorMendsAKilledRun(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	s.installUntil(file, syscall.SIGKILL, atObject("validate-values"))
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "pending-install" {
		t.Fatalf("helm says %s, want pending-install", got)
	}
	s.must("kubectl", "delete", "lease", "cfwizard-cf-gitops-runtime", "--namespace", "codefresh") // as if half a minute had passed
	r := s.run("cfwizard", "doctor", "-f", file)
	if r.code != 3 || !strings.Contains(r.stdout, "nobody works on it") || !strings.Contains(r.stdout, "left behind") && !strings.Contains(r.stdout, "behind") {
		t.Errorf("doctor ended with %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = s.run("cfwizard", "doctor", "-f", file, "--fix", "--yes")
	if !strings.Contains(r.stderr, "mark the pending record as failed") {
		t.Errorf("doctor --fix ended with %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "failed" {
		t.Errorf("helm says %s, want failed", got)
	}
	if left := s.hookLeftovers(); left != "" {
		t.Errorf("left behind: %s", left)
	}
	if r := s.run("helm", "uninstall", "cf-gitops-runtime", "--namespace", "codefresh"); r.code != 0 {
		t.Errorf("helm itself does not accept the release: %s", r.stderr)
	}
}

// Of two runs at once, one installs and the other says who does.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	s := boot(t, "never-ready")
	file := s.answers("")
	first := make(chan bool, 1)
	started := make(chan struct{})
	go func() {
		once := false
		first <- s.installUntil(file, syscall.SIGKILL, func(_ int, event map[string]any) bool {
			if event["phase"] == "hooks" && !once {
				once = true
				close(started)
			}
			return false
		})
	}()
	select {
	case <-started:
	case <-first:
		t.Fatal("the first ended before its hooks")
	}
	r := s.run("cfwizard", "install", "-f", file, "--yes", "--skip-checks")
	if r.code != 5 || !strings.Contains(r.stderr, "is being installed by") || !strings.Contains(r.stderr, "process") {
		t.Errorf("the second ended with %d\n%s", r.code, r.stderr)
	}
	s.scenario("healthy")
	if !<-first {
		t.Error("the first was killed")
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("helm says %s, want deployed", got)
	}
	if r := s.run("kubectl", "get", "lease", "cfwizard-cf-gitops-runtime", "--namespace", "codefresh"); r.code == 0 {
		t.Errorf("the lease stays behind: %s", r.stdout)
	}
}

// A failed install keeps its evidence, without secrets.
func TestAFailedInstallKeepsItsEvidence(t *testing.T) {
	t.Parallel()
	s := boot(t, "validate-fails")
	r := s.run("cfwizard", "install", "-f", s.answers(""), "--yes", "--skip-checks")
	if r.code != 5 {
		t.Fatalf("ended with %d\n%s", r.code, r.stderr)
	}
	_, path, found := strings.Cut(r.stderr, "is kept in ")
	path, _, _ = strings.Cut(path, "\n")
	if !found {
		t.Fatalf("no bundle is named\n%s", r.stderr)
	}
	files := s.unpack(path)
	for _, name := range []string{"problem.txt", "plan.json", "pods.json", "events.json", "jobs.json"} {
		if files[name] == "" {
			t.Errorf("the bundle has no %s, but %d files", name, len(files))
		}
	}
	for name, content := range files {
		if strings.Contains(content, s.env["CF_API_KEY"]) {
			t.Errorf("%s holds the API key", name)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the bundle has the rights %v, %v", info.Mode(), err)
	}
}

func (s *sandbox) unpack(path string) map[string]string {
	s.t.Helper()
	file, err := os.Open(path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		s.t.Fatal(err)
	}
	files := map[string]string{}
	for archive := tar.NewReader(zip); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			s.t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			s.t.Fatal(err)
		}
		files[header.Name] = string(content)
	}
}
