package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nowhere is a home without a cluster.
func nowhere(t testing.TB) *sandbox {
	t.Helper()
	home := t.TempDir()
	s := &sandbox{t: t, home: home, env: map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "TERM": "xterm-256color"}}
	s.linkTools()
	return s
}

func writeFile(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const deadKubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: dead, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: dead, context: {cluster: dead, user: dead}}]
users: [{name: dead, user: {token: x}}]
current-context: dead
`

const completeAnswers = `apiVersion: cfwizard/v1
kind: Answers
codefresh: {accountId: "123"}
`

func TestBadInputWithoutATerminal(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	s.env["CF_API_KEY"] = "key"
	good := writeFile(t, filepath.Join(s.home, "good.yaml"), completeAnswers)
	dead := writeFile(t, filepath.Join(s.home, "dead.kubeconfig"), deadKubeconfig)
	tests := []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"no terminal", nil, 2, []string{"no terminal", "codefresh.accountId", "fix:"}},
		{"no kubeconfig", []string{"install", "-f", good, "--yes"}, 8, []string{"no kubeconfig", "KUBECONFIG", "fix:"}},
		{"missing kubeconfig file", []string{"install", "-f", good, "--yes", "--kubeconfig", "nope"}, 2, []string{"no kubeconfig at /", "/nope", "fix:"}},
		{"unknown context", []string{"install", "-f", good, "--yes", "--kubeconfig", dead, "--context", "daed"}, 2, []string{`no context "daed"`, "Did you mean dead"}},
		{"unreachable cluster", []string{"install", "-f", good, "--yes", "--kubeconfig", dead}, 8, []string{"does not answer", "connection refused", "kubectl --context dead version"}},
		{"no --yes", []string{"install", "-f", good}, 2, []string{"--yes"}},
		{"missing file", []string{"plan", "-f", "nope.yaml"}, 2, []string{"nope.yaml", "no such file"}},
		{"folder as file", []string{"plan", "-f", s.home}, 2, []string{"this is a folder"}},
		{"unknown flag", []string{"plan", "--runtime.nmae", "x"}, 2, []string{"unknown flag", "fix:"}},
		{"unknown command", []string{"paln"}, 2, []string{"unknown command"}},
		{"unknown output", []string{"plan", "-f", good, "-o", "comand"}, 2, []string{"Did you mean command"}},
		{"unknown session", []string{"resume", "nope"}, 2, []string{`no session "nope"`}},
		{"no session", []string{"resume"}, 2, []string{"no saved session"}},
		{"literal secret as a flag", []string{"plan", "-f", good, "--codefresh.apiKey", "s3cret"}, 2, []string{"codefresh.apiKey", "never as its text"}},
	}
	for _, test := range tests {
		r := s.run("cfwizard", test.args...)
		if r.code != test.code {
			t.Errorf("%s: ended with %d, want %d\n%s", test.name, r.code, test.code, r.stderr)
		}
		for _, words := range test.says {
			if !strings.Contains(r.stderr, words) {
				t.Errorf("%s: does not say %q\n%s", test.name, words, r.stderr)
			}
		}
		if strings.Contains(r.stderr, "s3cret") {
			t.Errorf("%s: repeats the secret", test.name)
		}
	}
}

// A terminal that never answers must not be asked: nothing but the text may be
// written, and the wizard's first frame must not wait.
func TestTheTerminalIsNotQuestioned(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	for _, args := range [][]string{{"version"}, {"explain", "runtime.name"}, {"sessions"}} {
		w := s.open(80, 24, args...)
		if code := w.exit(); code != 0 {
			t.Errorf("%v ended with %d", args, code)
		}
		if raw := w.raw.String(); strings.Contains(raw, "\x1b") {
			t.Errorf("%v wrote an escape sequence: %q", args, raw)
		}
	}
	w := s.open(80, 24)
	w.wait("Cluster")
	for _, query := range []string{"\x1b]11;?", "\x1b[6n", "\x1b[c"} {
		if strings.Contains(w.raw.String(), query) {
			t.Errorf("the wizard asks the terminal %q", query)
		}
	}
}

func TestASmallTerminalIsTold(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	w := s.open(20, 5)
	w.wait("20×5")
	w.press(ctrlC)
	if code := w.exit(); code != 130 {
		t.Errorf("ended with %d, want 130", code)
	}
	w.givenBack()
}

func TestAClusterThatDoesNotAnswerIsShown(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	dead := writeFile(t, filepath.Join(s.home, "dead.kubeconfig"), deadKubeconfig)
	w := s.open(80, 24, "--kubeconfig", dead)
	w.wait("the cluster of context dead does not")
	w.wait("enter tries again")
	w.press(ctrlC)
	if code := w.exit(); code != 130 {
		t.Errorf("ended with %d, want 130", code)
	}
	if !strings.Contains(w.screen(), "cfwizard resume") {
		t.Errorf("does not say how to go on\n%s", w.screen())
	}
	w.givenBack()
}

func TestAHomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	s.env["XDG_STATE_HOME"] = writeFile(t, filepath.Join(s.home, "file"), "")
	dead := writeFile(t, filepath.Join(s.home, "dead.kubeconfig"), deadKubeconfig)
	w := s.open(80, 24, "--kubeconfig", dead)
	w.wait("enter tries again")
	w.press(enter)
	w.wait("could not be saved")
	w.press(ctrlC)
	if code := w.exit(); code != 130 {
		t.Errorf("ended with %d, want 130", code)
	}
	if screen := w.screen(); !strings.Contains(screen, "could not be saved") || strings.Contains(screen, "cfwizard resume") {
		t.Errorf("promises a session that is not there\n%s", screen)
	}
	w.givenBack()
}

// ctrl+c on every page leaves at once, with everything saved.
func TestInterruptOnEveryPage(t *testing.T) {
	t.Parallel()
	s := boot(t)
	pages := []struct {
		wait string
		keys []string
	}{
		{"sandbox · bare metal", []string{enter}},
		{"account acme, as ada", []string{enter, enter}},
		{"codefresh is free", []string{enter, enter, enter}},
		{"the newest when", []string{enter}},
		{"no open port needed", []string{enter}},
		{"may stay empty", []string{enter, enter}},
		{"Anything special?", []string{enter}},
		{"Install now", nil},
	}
	for last := range pages {
		w := s.sit(80, 24)
		for i := range last + 1 {
			w.wait(pages[i].wait)
			if i < last {
				w.press(pages[i].keys...)
			}
		}
		w.press(ctrlC)
		if code := w.exit(); code != 130 {
			t.Errorf("at %q: ended with %d, want 130", pages[last].wait, code)
		}
		if !strings.Contains(w.screen(), "Saved. Go on with: cfwizard resume") {
			t.Errorf("at %q: does not say how to go on\n%s", pages[last].wait, w.screen())
		}
		w.givenBack()
	}
}
