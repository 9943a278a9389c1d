package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func TestSaveAndLoad(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "deep", "sessions")}
	a := answers.Default()
	a.Runtime.Name = "payments"
	a.Access.Ingress.Annotations = map[string]string{"a.b/c": "d: e"}
	saved := New(a, time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC))
	saved.Step, saved.Stage = "git", Installing
	if err := store.Save(saved); err != nil {
		t.Fatal(err)
	}
	loaded, err := store.Load(saved.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(saved, loaded); diff != "" {
		t.Errorf("the session changed on its way (-saved +loaded):\n%s", diff)
	}
	file, err := os.Stat(store.path(saved.ID))
	if err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", file.Mode(), err)
	}
	dir, err := os.Stat(store.Dir)
	if err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("folder mode %v, %v; want 0700", dir.Mode(), err)
	}
}

func TestNewestIsTheLastWorkedOn(t *testing.T) {
	store := Store{t.TempDir()}
	early, late := New(answers.Default(), time.Unix(1000, 0)), New(answers.Default(), time.Unix(2000, 0))
	late.Updated = time.Unix(500, 0)
	for _, s := range []Session{early, late} {
		if err := store.Save(s); err != nil {
			t.Fatal(err)
		}
	}
	newest, err := store.Newest()
	if err != nil || newest.ID != early.ID {
		t.Errorf("newest is %s, %v; want %s", newest.ID, err, early.ID)
	}
}

func TestUnreadableSessionsAreToldAndKept(t *testing.T) {
	store := Store{t.TempDir()}
	for name, content := range map[string]string{
		"truncated": "apiVersion: cfwizard/v1\nkind: Sess",
		"foreign":   "apiVersion: v1\nkind: Pod\n",
		"broken":    "apiVersion: cfwizard/v1\nkind: Session\nid: broken\nanswers: {runtime: {nmae: x}}\n",
		"empty":     "",
	} {
		path := store.path(name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Load(name)
		if problem.KindOf(err) != problem.Invalid || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want a problem that names %s", name, err, path)
		}
		after, readErr := os.ReadFile(path)
		if readErr != nil || string(after) != content {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, problems := store.List(); len(problems) != 4 {
		t.Errorf("List tells %d problems, want 4", len(problems))
	}
}

func TestIDsCannotLeaveTheFolder(t *testing.T) {
	store := Store{t.TempDir()}
	for _, id := range []string{"../x", "a/b", "", ".hidden", strings.Repeat("x", 100)} {
		if _, err := store.Load(id); err == nil {
			t.Errorf("Load(%q) found something", id)
		}
		if err := store.Delete(id); err == nil {
			t.Errorf("Delete(%q) removed something", id)
		}
	}
}

func TestSaveSaysWhenItCannot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Store{filepath.Join(file, "sessions")}.Save(New(answers.Default(), time.Now()))
	found := problem.All(err)
	if len(found) != 1 || found[0].Cause != "session-not-saved" || found[0].Fix == "" {
		t.Errorf("got %v", err)
	}
}
