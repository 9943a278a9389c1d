package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

func TestADefectLeavesAReportWithoutSecrets(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	var shown bytes.Buffer
	a := &app{Program: Program{Err: &shown}, root: &cobra.Command{Use: "broken", SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { panic("the token is hunter2.secret") }}}
	a.engine.Version = "1.2.3"
	a.root.SetArgs([]string{})
	a.engine.KeepSecret("codefresh.apiKey", secret.New("hunter2.secret"))
	err := a.execute(t.Context())
	if problem.KindOf(err) != problem.Internal || problem.All(err)[0].Cause != "crashed" || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("told %v", err)
	}
	reports, _ := filepath.Glob(filepath.Join(state, "cfwizard", "crashes", "*.txt"))
	if len(reports) != 1 || !strings.Contains(err.Error(), reports[0]) {
		t.Fatalf("reports %v, told %v", reports, err)
	}
	info, statErr := os.Stat(reports[0])
	text, readErr := os.ReadFile(reports[0])
	if statErr != nil || readErr != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v, %v)", info.Mode(), statErr, readErr)
	}
	for _, want := range []string{"cfwizard 1.2.3", "panic: the token is", "crash_test.go"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "hunter2") {
		t.Errorf("the report holds the secret\n%s", text)
	}
}
