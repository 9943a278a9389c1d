package quietstart_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	// Importing bubbletea is what would ask the terminal.
	_ "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/ui/quietstart"
)

const child = "QUIETSTART_CHILD"

// The child does what main does, and says what is left of CI.
func TestMain(m *testing.M) {
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	during := os.Getenv("CI")
	quietstart.End()
	after, set := os.LookupEnv("CI")
	fmt.Printf("during %q, after %q %v", during, after, set)
}

// start runs the child and gives what it said, and what Go told about its
// packages.
func start(t *testing.T, environment ...string) (said, trace string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "CI=") })
	cmd.Env = append(append(cmd.Env, child+"=1", "GODEBUG=inittrace=1"), environment...)
	var out, told strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), told.String())
	}
	return out.String(), told.String()
}

func TestItIsInitialisedBeforeTheLibrary(t *testing.T) {
	_, trace := start(t)
	ours := strings.Index(trace, "init github.com/cfwizard/cfwizard/ui/quietstart ")
	for _, library := range []string{"github.com/muesli/termenv", "github.com/charmbracelet/lipgloss", "github.com/charmbracelet/bubbletea"} {
		if theirs := strings.Index(trace, "init "+library+" "); ours < 0 || theirs < ours {
			t.Errorf("ours is at %d, %s at %d of\n%s", ours, library, theirs, trace)
		}
	}
}

func TestTheEnvironmentIsPutBack(t *testing.T) {
	for _, test := range []struct {
		environment []string
		want        string
	}{
		{nil, `during "1", after "" false`},
		{[]string{"CI="}, `during "1", after "" true`},
		{[]string{"CI=mine"}, `during "1", after "mine" true`},
	} {
		if said, _ := start(t, test.environment...); said != test.want {
			t.Errorf("%v: %s, want %s", test.environment, said, test.want)
		}
	}
}
