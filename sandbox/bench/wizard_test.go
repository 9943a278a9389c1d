package bench

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	wide, high = 120, 40
	enter      = "\r"
)

// page is the wizard's screen.
type page struct {
	mu       sync.Mutex
	emulator *vt.Emulator
	changed  chan struct{}
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.emulator.Write(b)
	select {
	case p.changed <- struct{}{}:
	default:
	}
	return n, err
}

func (p *page) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emulator.String()
}

// wizard answers all questions, waits until the install is rehearsed, confirms,
// and gives the seconds until the first write.
func (i *installer) wizard() float64 {
	i.t.Helper()
	counted := newCounter(i.t, i.env["KUBECONFIG"])
	cmd := i.command(counted.kubeconfig, "cfwizard", "--codefresh.url", i.env["CF_URL"], "--chart", i.env["SANDBOX_CHART"], "--chart-version", largeVersion)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: wide, Rows: high})
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = terminal.Close()
	}()
	p := &page{emulator: vt.NewEmulator(wide, high), changed: make(chan struct{}, 1)}
	go func() { _, _ = io.Copy(p, terminal) }()
	for _, question := range [][2]string{{"sandbox · ", enter}, {"account acme, as ada", enter + enter}, {"codefresh is free", enter + enter + enter + enter},
		{"no open port needed", enter}, {"may stay empty", enter + enter}, {"Anything special?", enter}} {
		i.waitFor(p, question[0], "")
		if _, err := terminal.WriteString(question[1]); err != nil {
			i.t.Fatal(err)
		}
	}
	i.waitFor(p, "Install now", "not yet")
	began := time.Now()
	if _, err := terminal.WriteString(enter); err != nil {
		i.t.Fatal(err)
	}
	i.waitFor(p, "waiting for workloads", "")
	return counted.firstWrite(i.t, began)
}

// waitFor waits until the screen shows one text, and not another.
func (i *installer) waitFor(p *page, yes, no string) {
	i.t.Helper()
	limit := time.After(90 * time.Second)
	for {
		screen := p.screen()
		if strings.Contains(screen, yes) && (no == "" || !strings.Contains(screen, no)) {
			return
		}
		select {
		case <-p.changed:
		case <-limit:
			i.t.Fatalf("the wizard does not show %q\n%s", yes, screen)
		}
	}
}
