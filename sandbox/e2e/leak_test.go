package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// TestNothingRunsOnAfterAnInstall lets the engine's own test look for
// goroutines after installs on a real cluster.
func TestNothingRunsOnAfterAnInstall(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	cmd := exec.Command("go", "test", "-tags", "sandbox", "-count", "1", "-v", "-run", "^TestNothingRunsOnAfterAnInstall$", "./installer")
	cmd.Dir = "../.."
	cmd.Env = os.Environ()
	for name, value := range s.env {
		if name != "HOME" && name != "PATH" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "CFWIZARD_LEAK_ANSWERS="+s.answers(""))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestNothingRunsOnAfterAnInstall")) {
		t.Fatalf("%v\n%s", err, out)
	}
}
