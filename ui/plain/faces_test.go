package plain_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/cfwizard/cfwizard/cli"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
	"github.com/cfwizard/cfwizard/ui/plain"
)

const (
	accountID  = "64f0c0ffee00000000000001"
	sharedRepo = "https://github.com/acme/isc.git"
)

// wanted are the answers of a person, by the title of the question. What is
// not in it is taken as it is offered.
type wanted map[string]string

// The four access modes, and the same as the part of an answers file.
var modes = map[string]struct {
	typed wanted
	file  string
}{
	"tunnel":  {wanted{"Access mode": "tunnel"}, `{mode: tunnel}`},
	"ingress": {wanted{"Access mode": "ingress", "Host": "runtime.acme.io", "Ingress class": "traefik", "TLS Secret": "runtime-tls"}, `{mode: ingress, ingress: {host: runtime.acme.io, class: traefik, controller: traefik, tlsSecret: runtime-tls}}`},
	"mesh":    {wanted{"Access mode": "mesh", "Runtime URL": "https://runtime.acme.io"}, `{mode: mesh, mesh: {url: "https://runtime.acme.io"}}`},
	"gateway": {wanted{"Access mode": "gateway", "Gateway": "infra/public", "Host": "runtime.acme.io"}, `{mode: gateway, gateway: {parent: infra/public, host: runtime.acme.io}}`},
}

// The same answers give the same plan, byte by byte, typed line by line, typed
// on the full screen, and given in a file.
func TestAllFacesMakeTheSamePlan(t *testing.T) {
	for name, mode := range modes {
		for _, additional := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, additional %v", name, additional), func(t *testing.T) {
				want := wanted{"Runtime name": "payments", "Git runtime token": "ghp_typed", "Git user name": "bot"}
				for title, value := range mode.typed {
					want[title] = value
				}
				file := "apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {accountId: \"" + accountID + "\"}\nruntime: {name: payments}\naccess: " + mode.file +
					"\ngit: {username: bot, runtimeToken: {env: GIT_RUNTIME_TOKEN}"
				if additional {
					file += "}\n"
				} else {
					want["Shared config URL"] = sharedRepo
					file += ", sharedConfigRepo: \"" + sharedRepo + "\"}\n"
				}
				headless := planOf(t, file)
				if got := lineByLine(t, want, additional); !bytes.Equal(got, headless) {
					t.Errorf("line by line:\n%s\nheadless:\n%s", got, headless)
				}
				if got := fullScreen(t, want, additional); !bytes.Equal(got, headless) {
					t.Errorf("full screen:\n%s\nheadless:\n%s", got, headless)
				}
			})
		}
	}
}

// planOf is what `cfwizard plan -o json` prints for an answers file.
func planOf(t *testing.T, file string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "answers.yaml")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	code := cli.Run(t.Context(), []string{"plan", "-f", name, "-o", "json"}, cli.Program{In: strings.NewReader(""), Out: &out, Err: &messages,
		Getenv: func(string) string { return "" }, ExitCode: func(err error) int {
			if err != nil {
				return 1
			}
			return 0
		}})
	if code != 0 || out.Len() == 0 {
		t.Fatalf("plan ended with %d: %s", code, messages.String())
	}
	return out.Bytes()
}

func depsFor(t *testing.T, additional bool) ui.Deps {
	t.Setenv("CF_API_KEY", "there")
	repo := ""
	if additional {
		repo = sharedRepo
	}
	return ui.Deps{Engine: plain.FakeEngine(t, accountID, repo), Session: session.New(answers.Default(), time.Now()), DryRun: true, Now: time.Now,
		Save: func(session.Session) error { return nil }}
}

func printed(t *testing.T, outcome ui.Outcome) []byte {
	t.Helper()
	if outcome.Ending != ui.Printed {
		t.Fatalf("ended with %d, %v", outcome.Ending, outcome.Err)
	}
	text, err := outcome.Plan.Print("json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// lineByLine types the answers to a sitting without a screen.
func lineByLine(t *testing.T, want wanted, additional bool) []byte {
	t.Helper()
	outcome, said := plain.Sit(t, depsFor(t, additional), func(question string) (string, bool) {
		if strings.Contains(question, "i print and end") {
			return "i", true
		}
		lines := strings.Split(question, "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			for title, value := range want {
				if strings.HasPrefix(lines[i], title+":") || strings.HasPrefix(lines[i], title+",") || strings.HasPrefix(lines[i], title+" [") {
					return value, true
				}
			}
		}
		return "", true
	})
	if strings.Contains(said, "problem: ") {
		t.Errorf("a line was refused:\n%s", said)
	}
	return printed(t, outcome)
}

// fullScreen presses the keys that answer what has the focus.
func fullScreen(t *testing.T, want wanted, additional bool) []byte {
	t.Helper()
	s := &screen{t: t, model: ui.New(t.Context(), depsFor(t, additional), lipgloss.NewRenderer(io.Discard))}
	s.send(tea.WindowSizeMsg{Width: 120, Height: 60})
	s.run(s.model.Init())
	for range 60 {
		if s.quit {
			return printed(t, s.model.(ui.Model).Outcome())
		}
		s.answer(want)
	}
	t.Fatalf("the full screen did not end\n%s", s.model.View())
	return nil
}

// screen is the full screen without a terminal.
type screen struct {
	t     *testing.T
	model tea.Model
	quit  bool
}

func (s *screen) send(msg tea.Msg) {
	next, command := s.model.Update(msg)
	s.model = next
	s.run(command)
}

func (s *screen) run(command tea.Cmd) {
	if command == nil || s.quit {
		return
	}
	switch msg := command().(type) {
	case tea.BatchMsg:
		for _, each := range msg {
			s.run(each)
		}
	case tea.QuitMsg:
		s.quit = true
	case nil:
	default:
		s.send(msg)
	}
}

// focused finds the wanted answer whose title has the cursor.
func (s *screen) focused(want wanted) (value string, found bool) {
	for title, value := range want {
		for line := range strings.SplitSeq(s.model.View(), "\n") {
			if _, label, here := strings.Cut(line, "› "); here && strings.HasPrefix(label+" ", title+" ") {
				return value, true
			}
		}
	}
	return "", false
}

func (s *screen) answer(want wanted) {
	if value, found := s.focused(want); found {
		s.send(tea.KeyMsg{Type: tea.KeyCtrlU})
		if !s.choose(value) {
			s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(value)})
		}
	}
	s.send(tea.KeyMsg{Type: tea.KeyEnter})
}

// choose moves to a choice, where there are choices.
func (s *screen) choose(value string) bool {
	chosen := func() bool { return strings.Contains(s.model.View(), "› "+value+" ") }
	if !strings.Contains(s.model.View(), "  "+value+"  ") && !chosen() {
		return false
	}
	for range 10 {
		if chosen() {
			return true
		}
		s.send(tea.KeyMsg{Type: tea.KeyDown})
	}
	return chosen()
}
