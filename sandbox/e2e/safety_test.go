package e2e

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSuspendAndContinue suspends the wizard and continues it under a shell, as
// a person does.
func TestSuspendAndContinue(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	shell := openTerminal(t, 80, 24, append(s.environ(), "PS1=prompt> "), s.home, "/bin/sh", "-i")
	shell.answer("prompt>", filepath.Join(s.home, "tools", "cfwizard")+enter)
	shell.answer("Cluster context", ctrlZ)
	shell.answer("Stopped", "echo the shell is $((40+2))"+enter)
	shell.wait("the shell is 42")
	shell.leftScreen()
	shell.press("fg" + enter)
	shell.answer("Cluster context", ctrlC)
	shell.answer("cfwizard resume", "exit"+enter)
	shell.exit()
	shell.givenBack()
	if again := strings.Count(shell.raw.String(), "\x1b[?1002h"); again != 2 {
		t.Errorf("the mouse was asked for %d times, want again after fg", again)
	}
}

// Where nobody could continue it, ctrl+z does not stop it.
func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	w := nowhere(t).open(80, 24)
	w.answer("Cluster context", ctrlZ)
	w.press("?")
	w.answer("Answers file", esc)
	w.answer("nothing to choose from", ctrlC)
	if code := w.exit(); code != 130 {
		t.Errorf("ended with %d, want 130", code)
	}
	w.givenBack()
}

func TestAClosedTerminalEndsTheSitting(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	w := s.open(80, 24, "--runtime.name", "lost")
	w.wait("Cluster context")
	if err := w.pty.Close(); err != nil {
		t.Fatal(err)
	}
	// Our own reader holds the terminal until it has something to read: have the
	// screen drawn once more.
	if err := w.process.Process.Signal(syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- w.process.Wait() }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on without a terminal")
	}
	if saved := s.savedAnswers(); !strings.Contains(saved, "name: lost") {
		t.Errorf("the session was not saved\n%s", saved)
	}
}

// The terminal of these tests answers no query. What is not the wizard must
// not even ask.
func TestOnlyTheWizardNeedsATerminal(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	kubeconfig := writeFile(t, filepath.Join(s.home, "kubeconfig"), deadKubeconfig)
	file := writeFile(t, filepath.Join(s.home, "answers.yaml"), completeAnswers)
	for _, args := range [][]string{{"version"}, {"explain", "runtime.name"}, {"plan", "-f", file, "-o", "command"}, {"check", "-f", file, "--kubeconfig", kubeconfig}, {"sessions"}, {"--help"}} {
		w := s.open(80, 24, args...)
		w.exit()
		if raw := w.raw.String(); strings.Contains(raw, "\x1b]11;?") || strings.Contains(raw, "\x1b[6n") || strings.Contains(raw, "\x1b[c") {
			t.Errorf("%s asks the terminal: %q", args[0], raw)
		}
	}
}
