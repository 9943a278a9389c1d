package bench

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// TestTheFirstFrameComesAtOnce compares the time until the wizard shows its
// first question with a whole `helm version`. The terminal answers no query,
// as some never do.
func TestTheFirstFrameComesAtOnce(t *testing.T) {
	const runs = 15
	var ours []float64
	for range runs {
		ours = append(ours, firstFrame(t))
	}
	slices.Sort(ours)
	ratio(t, "first frame / helm version", ours[runs/2], median(t, binary(t, "helm"), "version"), 2, "ms")
}

func firstFrame(t *testing.T) float64 {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(binary(t, "cfwizard"))
	cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color"}
	began := time.Now()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: wide, Rows: high})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = terminal.Close()
	}()
	p := &page{emulator: vt.NewEmulator(wide, high), changed: make(chan struct{}, 1)}
	go func() { _, _ = io.Copy(p, terminal) }()
	limit := time.After(20 * time.Second)
	for !strings.Contains(p.screen(), "Cluster context") {
		select {
		case <-p.changed:
		case <-limit:
			t.Fatalf("no first question\n%s", p.screen())
		}
	}
	return float64(time.Since(began).Microseconds()) / 1000
}
