package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
)

const deadKubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: dead, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: dead, context: {cluster: dead, user: dead}}]
users: [{name: dead, user: {token: x}}]
current-context: dead
`

// nowhere is a machine of its own, whose only cluster does not answer.
func nowhere(t *testing.T) session.Store {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "config")
	if err := os.WriteFile(config, []byte(deadKubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CACHE_HOME": filepath.Join(home, "cache"), "KUBECONFIG": config, "CF_API_KEY": ""} {
		t.Setenv(name, value)
	}
	t.Chdir(home)
	store, err := session.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func saved(t *testing.T, store session.Store, stage session.Stage) session.Session {
	t.Helper()
	a := answers.Default()
	a.Codefresh.AccountID, a.Runtime.Name = "a", "payments"
	s := session.New(a, time.Now())
	s.Stage = stage
	if err := store.Save(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func stageOf(t *testing.T, store session.Store, id string) session.Stage {
	t.Helper()
	s, err := store.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s.Stage
}

func TestADryRunOfASavedInstallOnlyPrints(t *testing.T) {
	for _, stage := range []session.Stage{session.Installing, session.Failed} {
		store := nowhere(t)
		s := saved(t, store, stage)
		out, stderr, code := runHere(t, nil, "resume", s.ID, "--dry-run")
		if code != 0 || !strings.Contains(out, "helm upgrade --install cf-gitops-runtime") || strings.Contains(stderr, "Going on") {
			t.Errorf("%s: ended with %d\n%s%s", stage, code, out, stderr)
		}
		if got := stageOf(t, store, s.ID); got != stage {
			t.Errorf("the session is %s, was %s", got, stage)
		}
	}
}

func TestAnInstalledSessionIsNotInstalledAgain(t *testing.T) {
	store := nowhere(t)
	s := saved(t, store, session.Installed)
	_, stderr, code := runHere(t, nil, "resume")
	if code != 10+int(problem.Unreachable) || !strings.Contains(stderr, "What is left to do") || strings.Contains(stderr, "Going on") {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
	if got := stageOf(t, store, s.ID); got != session.Installed {
		t.Errorf("the session is %s now", got)
	}
}

// A headless install is a session of its own: what comes after goes on with
// it, and not with what somebody did before.
func TestAHeadlessInstallIsASession(t *testing.T) {
	store := nowhere(t)
	earlier := saved(t, store, session.Failed)
	t.Setenv("CF_API_KEY", "key")
	_, stderr, code := runHere(t, nil, "install", "--yes", "--skip-checks", "--codefresh.accountId", "a", "--runtime.name", "billing")
	if code != 10+int(problem.Unreachable) {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
	s, err := store.Newest()
	if err != nil || s.ID == earlier.ID || s.Stage != session.Failed || s.Answers.Runtime.Name != "billing" || s.Answers.Cluster.Context != "dead" {
		t.Errorf("the newest session is %+v, %v", s, err)
	}
	_, stderr, code = runHere(t, nil, "resume")
	if code != 10+int(problem.Unreachable) || !strings.Contains(stderr, "Going on with session "+s.ID) {
		t.Errorf("resume ended with %d\n%s", code, stderr)
	}
}

// An install that cannot be kept goes on, and is gone on with by its command.
func TestAnInstallThatCannotBeKept(t *testing.T) {
	nowhere(t)
	t.Setenv("CF_API_KEY", "key")
	a := &app{args: []string{"install", "--yes", "--runtime.name", "a b"}}
	if got := a.sameCommand(); got != "cfwizard install --yes --runtime.name 'a b'" {
		t.Errorf("it would be run again as %s", got)
	}
	t.Setenv("HOME", "")
	for name, state := range map[string]string{"a file for a folder": "config", "no folder": ""} {
		t.Setenv("XDG_STATE_HOME", state)
		_, stderr, code := runHere(t, nil, "install", "--yes", "--skip-checks", "--codefresh.accountId", "a")
		if code != 10+int(problem.Unreachable) || !strings.Contains(stderr, "XDG_STATE_HOME") {
			t.Errorf("%s: ended with %d\n%s", name, code, stderr)
		}
	}
}

// Why the cluster could not be asked is told beside what is not saved here.
func TestResumeTellsWhyTheClusterCouldNotBeAsked(t *testing.T) {
	nowhere(t)
	_, stderr, code := runHere(t, nil, "resume")
	if code != invalid || !strings.Contains(stderr, "there is no saved session") || !strings.Contains(stderr, "127.0.0.1:1") {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
}
