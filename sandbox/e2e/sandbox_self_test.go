package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Killing the process that started a sandbox takes all of it along.
func TestSandboxEndsWithItsStarter(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sandbox")
	cmd := exec.Command(binary(t, "sandbox"), "up", "--tied", "--dir", dir)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the sandbox is up", func() bool {
		_, err := os.Stat(filepath.Join(dir, "state.json"))
		return err == nil
	})
	if count := processesOf(t, dir); count < 6 {
		t.Fatalf("only %d processes run in the sandbox", count)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	eventually(t, "all processes are gone", func() bool { return processesOf(t, dir) == 0 })
}

// processesOf counts the processes whose command line names a folder.
func processesOf(t *testing.T, dir string) int {
	t.Helper()
	out, err := exec.Command("ps", "-eo", "args").Output()
	if err != nil {
		t.Fatalf("listing processes: %v", err)
	}
	count := 0
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.Contains(line, dir) {
			count++
		}
	}
	return count
}

// patience is for a busy machine: what comes, comes at once on an idle one.
const patience = 2 * time.Minute

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("not within %s: %s", patience, what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func TestScenariosSwitchWhileRunning(t *testing.T) {
	slowProof(t)
	t.Parallel()
	s := boot(t)
	s.scenario("nodes-eks")
	if id := s.must("kubectl", "get", "nodes", "--output", "jsonpath={.items[0].spec.providerID}"); !strings.HasPrefix(id, "aws:///") {
		t.Errorf("nodes-eks: the provider ID is %q", id)
	}
	s.scenario("unschedulable")
	s.must("kubectl", "run", "probe", "--image", "x")
	eventually(t, "the scheduler says why the pod waits", func() bool {
		out := s.must("kubectl", "get", "pod", "probe", "--output", "jsonpath={.status.conditions}")
		return strings.Contains(out, "untolerated taint")
	})
	s.scenario("quota")
	if out := s.must("kubectl", "get", "resourcequota", "--namespace", "codefresh", "--output", "name"); !strings.Contains(out, "sandbox") {
		t.Errorf("quota: found %q", out)
	}
	s.scenario("no-rights")
	if r := s.run("kubectl", "get", "pods"); r.code == 0 || !strings.Contains(r.stderr, "forbidden") {
		t.Errorf("no-rights: kubectl said %q", r.stderr)
	}
	s.scenario("healthy")
	eventually(t, "the pod runs once nodes accept pods again", func() bool {
		return s.must("kubectl", "get", "pod", "probe", "--output", "jsonpath={.status.phase}") == "Running"
	})
	if out := s.must("kubectl", "get", "resourcequota", "--namespace", "codefresh", "--output", "name"); out != "" {
		t.Errorf("healthy keeps the quota: %q", out)
	}
}
