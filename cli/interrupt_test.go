package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
)

const interrupted = 10 + int(problem.Interrupted)

// runEnded runs the program as if a signal had come.
func runEnded(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	end()
	open, _ := io.Pipe() // nobody ever types anything
	var out, err bytes.Buffer
	code = Run(ctx, args, Program{Version: "test", In: open, Out: &out, Err: &err, Getenv: func(string) string { return "" }, ExitCode: exitCode})
	return out.String(), err.String(), code
}

func TestASignalIsToldAsOne(t *testing.T) {
	nowhere(t)
	t.Setenv("CF_API_KEY", "key")
	chart := []string{"--chart", "oci://127.0.0.1:1/charts/x", "--codefresh.accountId", "a", "--codefresh.url", "https://127.0.0.1:1"}
	for _, args := range [][]string{
		{"check"}, {"doctor"}, {"checklist", "--wait", "1m"}, {"plan", "-o", "manifest"}, {"plan", "--crds.mode", "skip"}, {"plan", "-f", "-"},
		{"install", "--yes"}, {"install", "--yes", "--skip-checks"}, {"upgrade", "--yes"}, {"uninstall", "--yes"}, {"resume"},
	} {
		out, stderr, code := runEnded(t, append(args, chart...)...)
		if code != interrupted || out != "" || !strings.Contains(stderr, "interrupted") || !strings.Contains(stderr, "fix:") {
			t.Errorf("%v ended with %d\n%s%s", args, code, out, stderr)
		}
		if begun := slices.Contains(args, "--skip-checks") || args[0] == "resume"; begun != strings.Contains(stderr, "Go on with `cfwizard resume 2") {
			t.Errorf("%v says how to go on: %s", args, stderr)
		}
	}
}

// What was told, and how a defect ended, is not made a signal's doing.
func TestASignalHidesNothing(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	failed := &problem.Problem{Kind: problem.InstallFailed, What: "x"}
	for name, test := range map[string]struct {
		ctx  context.Context
		err  error
		want error
	}{
		"nothing":   {ended, nil, nil},
		"no signal": {t.Context(), failed, failed},
		"told":      {ended, alreadyTold{failed}, alreadyTold{failed}},
	} {
		if got := new(app).cutOff(test.ctx, test.err); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	nowhere(t)
	a := &app{Program: Program{Err: new(bytes.Buffer)}}
	a.root = &cobra.Command{RunE: func(*cobra.Command, []string) error { panic("broken") }}
	a.root.SetArgs(nil)
	if err := a.execute(ended); problem.All(err)[0].Cause != "crashed" {
		t.Errorf("a defect is told as %v", err)
	}
}

// Nobody who is to be asked holds up the end of the program.
func TestAQuestionEndsWithTheProgram(t *testing.T) {
	for name, test := range map[string]struct {
		typed  string
		ended  bool
		agreed bool
	}{"yes": {"y\n", false, true}, "in full": {" YES \n", false, true}, "no": {"n\n", false, false}, "nothing": {"", false, false}, "the end": {"", true, false}} {
		ctx, end := context.WithCancel(t.Context())
		in := io.Reader(strings.NewReader(test.typed))
		if test.ended {
			in, _ = io.Pipe()
			end()
		}
		var told bytes.Buffer
		a := &app{Program: Program{In: in, Err: &told}}
		agreed, err := a.agree(ctx, "Do it?")
		if agreed != test.agreed || errors.Is(err, context.Canceled) != test.ended {
			t.Errorf("%s: %t, %v", name, agreed, err)
		}
		end()
	}
}

func TestLinesOfJSONAlwaysEndWithDone(t *testing.T) {
	nowhere(t)
	for _, args := range [][]string{
		{"install"}, {"install", "--yes", "-f", "nope.yaml"}, {"install", "--yes"}, {"install", "--yes", "--codefresh.accountId", "a"},
		{"upgrade"}, {"upgrade", "--yes", "--runtime.version", "1", "-f", "nope.yaml"}, {"uninstall"}, {"uninstall", "--yes"},
	} {
		out, stderr, code := runHere(t, nil, append(args, "-o", "json")...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		last := lines[len(lines)-1]
		if code == 0 || !strings.Contains(last, `"type":"done"`) || !strings.Contains(last, `"ok":false`) {
			t.Errorf("%v ended with %d and %q\n%s", args, code, last, stderr)
		}
		if !strings.Contains(out, `"type":"problem"`) {
			t.Errorf("%v names no problem:\n%s", args, out)
		}
	}
}

func TestNothingIsAListInJSON(t *testing.T) {
	nowhere(t)
	var out bytes.Buffer
	a := &app{Program: Program{Out: &out}}
	if err := a.showChecks([]check.Check(nil), "json"); err != nil || !strings.Contains(out.String(), `"checks": []`) {
		t.Errorf("%v: %s", err, out.String())
	}
	undone, stderr, code := runHere(t, nil, "doctor", "--undo", "-o", "json")
	if code != 0 || strings.TrimSpace(undone) != `{"undone":[]}` {
		t.Errorf("ended with %d: %s%s", code, undone, stderr)
	}
}
