package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The keys that tests press.
const (
	enter = "\r"
	esc   = "\x1b"
	down  = "\x1b[B"
	up    = "\x1b[A"
	ctrlC = "\x03"
	ctrlU = "\x15"
	ctrlZ = "\x1a"
)

// terminal is the program on a pseudo-terminal with an emulator behind it.
type terminal struct {
	t       testing.TB
	process *exec.Cmd
	pty     *os.File
	done    chan struct{}

	mu       sync.Mutex
	emulator *vt.Emulator
	changed  chan struct{}
	raw      strings.Builder
}

// open starts a program on a terminal of a given size.
func (s *sandbox) open(columns, rows int, args ...string) *terminal {
	s.t.Helper()
	return openTerminal(s.t, columns, rows, s.environ(), s.home, filepath.Join(s.home, "tools", "cfwizard"), args...)
}

func openTerminal(t testing.TB, columns, rows int, environ []string, dir, program string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir = environ, dir
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, process: cmd, pty: file, done: make(chan struct{}), emulator: vt.NewEmulator(columns, rows), changed: make(chan struct{}, 1)}
	go term.read()
	t.Cleanup(func() { _ = term.Close() })
	return term
}

// read feeds what the program writes to the emulator until it ends. It
// answers no query: the program must not wait for one.
func (term *terminal) read() {
	defer close(term.done)
	buffer := make([]byte, 32<<10)
	for {
		n, err := term.pty.Read(buffer)
		term.mu.Lock()
		_, _ = term.emulator.Write(buffer[:n])
		term.raw.Write(buffer[:n])
		term.mu.Unlock()
		select {
		case term.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// Close kills the program if it still runs.
func (term *terminal) Close() error {
	if term.process.ProcessState == nil {
		_ = term.process.Process.Kill()
		_ = term.process.Wait()
	}
	return term.pty.Close()
}

// screen is what a person sees, without blanks at line ends.
func (term *terminal) screen() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	lines := strings.Split(term.emulator.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// wait waits until the screen shows a text.
func (term *terminal) wait(text string) {
	term.t.Helper()
	term.waitFor(text, patience)
}

func (term *terminal) waitFor(text string, limit time.Duration) {
	term.t.Helper()
	deadline := time.After(limit)
	for !strings.Contains(term.screen(), text) {
		select {
		case <-term.changed:
		case <-term.done:
			if strings.Contains(term.screen(), text) {
				return
			}
			term.t.Fatalf("the program ended before it showed %q\n%s", text, term.screen())
		case <-deadline:
			term.t.Fatalf("the screen did not show %q within %s\n%s", text, limit, term.screen())
		}
	}
}

// press types keys, one after another.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	for _, key := range keys {
		if _, err := term.pty.WriteString(key); err != nil {
			term.t.Fatalf("typing: %v\n%s", err, term.screen())
		}
	}
}

// answer waits for a question and answers it.
func (term *terminal) answer(question string, keys ...string) {
	term.t.Helper()
	term.wait(question)
	term.press(keys...)
}

// exit waits until the program ends and gives its exit code.
func (term *terminal) exit() int {
	term.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- term.process.Wait() }()
	select {
	case <-ended:
		<-term.done
		return term.process.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		term.t.Fatalf("the program did not end within 30 s\n%s", term.screen())
		return -1
	}
}

// kill is kill -9.
func (term *terminal) kill() {
	_ = term.process.Process.Signal(syscall.SIGKILL)
	_ = term.process.Wait()
}

// givenBack checks that the program left the alternate screen, shows the
// cursor, hears the mouse no more, and that what is typed can be seen.
func (term *terminal) givenBack() {
	term.t.Helper()
	term.leftScreen()
	settings := exec.Command("stty", "-a")
	settings.Stdin = term.pty
	out, err := settings.Output()
	if err != nil || !strings.Contains(string(out), " echo ") || !strings.Contains(string(out), " icanon ") {
		term.t.Errorf("the program ended without echo or lines (%v)\n%s", err, out)
	}
}

// leftScreen is for what the terminal itself was asked for.
func (term *terminal) leftScreen() {
	term.t.Helper()
	term.mu.Lock()
	raw := term.raw.String()
	term.mu.Unlock()
	if !strings.Contains(raw, "\x1b[?1049h") {
		return
	}
	for what, mode := range map[string]string{"alternate screen": "1049", "mouse": "1002", "mouse in cells": "1006", "bracketed paste": "2004"} {
		if strings.LastIndex(raw, "\x1b[?"+mode+"l") < strings.LastIndex(raw, "\x1b[?"+mode+"h") {
			term.t.Errorf("the program ended with the %s on", what)
		}
	}
	if strings.LastIndex(raw, "\x1b[?25h") < strings.LastIndex(raw, "\x1b[?25l") {
		term.t.Error("the program ended with a hidden cursor")
	}
}
