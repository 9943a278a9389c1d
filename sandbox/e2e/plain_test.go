package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const ctrlD = "\x04"

// talk is a sitting line by line: each question is looked for after the one
// before, since nothing is redrawn.
type talk struct {
	*terminal
	heard int
}

// talk opens the program on a terminal that can only scroll, without some of
// the variables.
func (s *sandbox) talk(without []string, args ...string) *talk {
	s.t.Helper()
	return s.talkTo(without, filepath.Join(s.home, "tools", "cfwizard"), args...)
}

func (s *sandbox) talkTo(without []string, program string, args ...string) *talk {
	s.t.Helper()
	environ := slices.DeleteFunc(s.environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == "TERM" || slices.Contains(without, name)
	})
	return &talk{terminal: openTerminal(s.t, 80, 24, append(environ, "TERM=dumb"), s.home, program, args...)}
}

// said is everything that the program wrote so far.
func (w *talk) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.raw.String()
}

// hear waits for words after those that were heard before.
func (w *talk) hear(words string) {
	w.t.Helper()
	deadline := time.After(patience)
	for {
		if at := strings.Index(w.said()[w.heard:], words); at >= 0 {
			w.heard += at + len(words)
			return
		}
		select {
		case <-w.changed:
		case <-w.done:
			if !strings.Contains(w.said()[w.heard:], words) {
				w.t.Fatalf("the program ended before it said %q\n%s", words, w.said())
			}
		case <-deadline:
			w.t.Fatalf("the program did not say %q\n%s", words, w.said())
		}
	}
}

// reply waits for a question and types a line.
func (w *talk) reply(question, line string) {
	w.t.Helper()
	w.hear(question)
	w.press(line + "\n")
}

func (w *talk) noEscapes() {
	w.t.Helper()
	if at := strings.IndexByte(w.said(), '\x1b'); at >= 0 {
		w.t.Errorf("an escape byte was written at %d\n%q", at, w.said()[max(0, at-80):min(len(w.said()), at+80)])
	}
}

func TestPlainInstalls(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	given := []string{"--codefresh.url", s.env["CF_URL"], "--chart", s.env["SANDBOX_CHART"]}
	t.Run("a dumb terminal is known, and ctrl+d saves", func(t *testing.T) { plainSaves(s.within(t), given) })
	t.Run("resumed, with a typed key, it installs", func(t *testing.T) { plainResumes(s.within(t)) })
	t.Run("ctrl+c while a secret is typed gives the echo back", func(t *testing.T) { plainInterrupted(s.within(t), given) })
	t.Run("a dry run prints", func(t *testing.T) { plainDryRun(s.within(t), given) })
}

func plainSaves(s *sandbox, given []string) {
	w := s.talk(nil, given...)
	w.hear("asking line by line")
	w.reply("Choice [3]", "")
	w.hear("pass: ")
	w.reply("Codefresh URL [", "")
	w.reply("Password or token", "")
	w.hear("account acme, as ada")
	w.reply("Runtime name [codefresh]", "Payments!")
	w.hear("problem: ")
	w.reply("Runtime name [codefresh]", "?")
	w.hear("CFWIZARD_RUNTIME_NAME")
	w.reply("Runtime name [codefresh]", "payments")
	w.hear("payments is free")
	w.reply("Namespace [codefresh]", "")
	w.reply("Helm release [", "")
	w.reply("Chart version", "")
	w.hear("Access mode:")
	w.press(ctrlD)
	if code := w.exit(); code != 0 {
		s.t.Errorf("ctrl+d ended with %d\n%s", code, w.said())
	}
	w.hear("cfwizard resume")
	w.noEscapes()
}

func plainResumes(s *sandbox) {
	w := s.talk([]string{"CF_API_KEY"}, "resume", "--plain")
	w.reply("Codefresh URL [", "")
	w.reply("Password or token", s.env["CF_API_KEY"])
	w.hear("characters.")
	w.hear("account acme, as ada")
	w.reply("Runtime name [payments]", "<")
	w.reply("Password or token, not shown [as typed before]", "")
	w.reply("Runtime name [payments]", "")
	w.reply("Namespace [codefresh]", "")
	w.reply("Helm release [", "")
	w.reply("Chart version", "")
	w.reply("Access mode:", "ingress")
	w.reply("Host", "runtime.example.com")
	w.hear("nginx")
	w.reply("Choice [1]", "nginx")
	w.reply("Choice [1]", "")
	w.reply("TLS Secret", "")
	w.reply("Shared config URL", "https://github.com/acme/isc.git")
	w.reply("Choice [1]", "")
	w.reply("may stay empty", "")
	w.reply("may stay empty", "")
	w.reply("Anything special", "")
	w.hear("Runtime: payments in namespace codefresh")
	w.reply("i install", "i")
	s.scenario("never-ready", "host-answers")
	w.reply("Install although", "yes")
	w.hear("Phase fetch")
	w.hear("Phase wait")
	w.press(ctrlC)
	w.reply("Leave the installation?", "stay")
	w.hear("It goes on.")
	w.press(ctrlC)
	w.reply("Leave the installation?", "stop")
	w.hear("problem: the installation was stopped")
	s.scenario("host-answers")
	w.reply("r retry as it is", "r")
	w.hear("payments is installed")
	w.reply("An empty line finishes", "")
	if code := w.exit(); code != 0 {
		s.t.Errorf("ended with %d\n%s", code, w.said())
	}
	w.noEscapes()
	if strings.Contains(w.said(), s.env["CF_API_KEY"]) {
		s.t.Error("the terminal shows the key that was typed")
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		s.t.Errorf("helm says %s, want deployed", got)
	}
}

func plainInterrupted(s *sandbox, given []string) {
	script := `trap : INT; "$0" "$@"; echo "it ended with $?"; stty -a`
	w := s.talkTo([]string{"CF_API_KEY"}, "/bin/sh", append([]string{"-c", script, filepath.Join(s.home, "tools", "cfwizard"), "--plain"}, given...)...)
	w.reply("Choice [3]", "")
	w.reply("Codefresh URL [", "")
	w.hear("Password or token")
	w.press("half a secr", ctrlC)
	w.hear("cfwizard resume")
	w.hear("it ended with 130")
	w.exit()
	if strings.Contains(w.said(), "half a secr") || strings.Contains(w.said(), "-echo ") || !strings.Contains(w.said(), " echo ") {
		s.t.Errorf("the secret is shown, or the terminal was left without echo\n%s", w.said())
	}
}

func plainDryRun(s *sandbox, given []string) {
	w := s.talk(nil, append(given, "--plain", "--dry-run", "--runtime.name", "billing", "--runtime.namespace", "billing", "--runtime.release", "billing")...)
	w.reply("Choice [3]", "sandbox")
	w.reply("Codefresh URL [", "")
	w.reply("Password or token", "")
	w.reply("Runtime name [billing]", "")
	w.reply("Namespace [billing]", "")
	w.reply("Helm release [billing]", "")
	w.reply("Chart version", "")
	w.reply("Access mode:", "1")
	w.hear("Git is skipped")
	w.reply("may stay empty", "")
	w.reply("may stay empty", "")
	w.reply("Anything special, yes or no [yes]", "no") // an Argo CD is there by now
	w.reply("i print and end", "i")
	w.hear("helm upgrade --install billing")
	if code := w.exit(); code != 0 {
		s.t.Errorf("ended with %d\n%s", code, w.said())
	}
	w.noEscapes()
}
