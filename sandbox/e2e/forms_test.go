package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeTools stand for kubectl and helm in a printed script: kubectl does
// nothing, helm renders with the real helm instead of installing.
const helmTemplate = `#!/bin/sh
set -eu
[ "$1 $2" = "upgrade --install" ] || exit 9
release=$3
shift 3
crds=--include-crds
count=$#
while [ "$count" -gt 0 ]; do
	word=$1
	shift
	count=$((count - 1))
	case $word in
	--create-namespace | --wait) ;;
	--timeout) shift; count=$((count - 1)) ;;
	--skip-crds) crds= ;;
	*) set -- "$@" "$word" ;;
	esac
done
exec "$REAL_HELM" template "$release" $crds "$@"
`

// The printed command, run by a shell with helm itself, renders what an
// install would apply, for every answers file.
func TestPrintedCommandsRenderTheSameWithHelm(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	tools := filepath.Join(s.home, "tools")
	for _, name := range []string{"helm", "kubectl"} {
		if err := os.Remove(filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, script := range map[string]string{"helm": helmTemplate, "kubectl": "#!/bin/sh\ncat >/dev/null 2>&1 </dev/null\nexit 0\n"} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.env["REAL_HELM"] = binary(t, "helm")
	s.env["CF_API_KEY"], s.env["GIT_RUNTIME_TOKEN"], s.env["TOKEN"] = "k", "t", "t"
	chart, err := filepath.Abs("../chart/gitops-runtime")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/answers/*.yaml")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d answers files (%v)", len(files), err)
	}
	s.copyFiles("../../testdata/answers/files")
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			if i%6 != 0 {
				slowProof(t)
			}
			s.within(t).rendersTheSame(file, chart)
		})
	}
}

// rendersTheSame compares what the printed command of an answers file gives
// with what an install would apply.
func (s *sandbox) rendersTheSame(file, chart string) {
	s.t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		s.t.Fatal(err)
	}
	script := s.must("cfwizard", "plan", "-f", path, "--chart", chart, "-o", "command")
	r := s.runWith(script, "/bin/sh", "-s")
	if r.code != 0 {
		s.t.Fatalf("the script ended with %d\n%s\n%s", r.code, script, r.stderr)
	}
	ours := s.must("cfwizard", "plan", "-f", path, "--chart", chart, "-o", "manifest")
	if len(ours) < 30_000 {
		s.t.Errorf("only %d bytes", len(ours))
	}
	if strings.TrimSpace(ours) != strings.TrimSpace(r.stdout) {
		s.t.Errorf("helm renders something else: %s", firstDifference(ours, r.stdout))
	}
}

// copyFiles puts the files that answers refer to into the working folder.
func (s *sandbox) copyFiles(dir string) {
	s.t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.home, entry.Name()), data, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}
