package session

import (
	"os"
	"path/filepath"
	"runtime"
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
	saved.Step, saved.Stage, saved.Done = "git", Installing, []string{"cluster", "account"}
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
	const header = "apiVersion: cfwizard/v1\nkind: Session\n"
	for name, test := range map[string]struct {
		content string
		aside   bool // or left where it is
		why     string
	}{
		"truncated":   {"apiVersion: cfwizard/v1\nkind: Sess", true, "not a session"},
		"cut":         {header + "format: 2\nid: cut\nanswers: {runtime: {name: x}}\n", true, "its end is missing"},
		"corrupted":   {"\x00\x01\xff", true, "cannot be read as YAML"},
		"foreign":     {"apiVersion: v1\nkind: Pod\n", true, "not a session"},
		"empty":       {"", true, "cannot be read as YAML"},
		"mangled":     {header + "id: mangled\nanswers: {runtime: {nmae: x}}\n", false, "nmae"},
		"of-tomorrow": {"apiVersion: cfwizard/v9\nkind: Session\nid: a\n", false, "cfwizard/v9"},
	} {
		store := Store{t.TempDir()}
		path := store.path(name)
		for _, each := range []string{path, path + ".damaged"} {
			if err := os.WriteFile(each, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := store.Load(name)
		first := problem.All(err)[0]
		if first.Kind != problem.Invalid || !strings.Contains(first.What, path) || !strings.Contains(first.Why, test.why) || first.Fix == "" {
			t.Errorf("%s: %v; want a problem that names %s and says %s", name, err, path, test.why)
		}
		want := path
		if test.aside {
			want = path + ".damaged-2"
		}
		for _, each := range []string{want, path + ".damaged"} {
			if after, err := os.ReadFile(each); err != nil || string(after) != test.content {
				t.Errorf("%s: %s holds %q, %v", name, each, after, err)
			}
		}
		if _, err := os.Stat(path); test.aside && err == nil {
			t.Errorf("%s: it is still where it was", name)
		}
	}
}

// A session that lost its end anywhere is never taken for a whole one.
func TestATruncatedSessionIsFound(t *testing.T) {
	store := Store{t.TempDir()}
	saved := New(answers.Default(), time.Unix(1000, 0).UTC())
	saved.Answers.Runtime.Name, saved.Done = "payments", []string{"cluster", "account"}
	if err := store.Save(saved); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(store.path(saved.ID))
	if err != nil {
		t.Fatal(err)
	}
	for length := range len(whole) - 1 {
		if got, err := parse("x", whole[:length]); err == nil {
			t.Errorf("%d of %d bytes were read as %+v", length, len(whole), got)
		}
	}
}

// Sessions of the first format say nothing of an end or of the steps done.
func TestOlderSessionsAreRead(t *testing.T) {
	store := Store{t.TempDir()}
	old := "apiVersion: cfwizard/v1\nkind: Session\nid: old\nupdated: 2026-01-02T03:04:05Z\nstage: failed\nstep: review\nanswers:\n  runtime:\n    name: payments\n"
	if err := os.WriteFile(store.path("old"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Load("old")
	if err != nil || s.Answers.Runtime.Name != "payments" || s.Stage != Failed || s.Answers.Runtime.Namespace != "codefresh" {
		t.Errorf("got %+v, %v", s, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("apiVersion: cfwizard/v1\nkind: Session\nid: a\nstage: asking\nanswers: {runtime: {name: x}}\n"))
	f.Add([]byte("apiVersion: cfwizard/v1\nkind: Session\nformat: 2\nid: a\ndone: [a, &b c, *b]\nanswers: &a {x: *a}\ncomplete: true\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := parse("x", data)
		if err != nil {
			return
		}
		store := Store{t.TempDir()}
		if err := store.Save(first); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		second, err := store.Load(first.ID)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		one, _ := first.Answers.Write()
		two, _ := second.Answers.Write()
		if string(one) != string(two) || first.Step != second.Step {
			t.Errorf("the session changed on its way:\n%s\n%s", one, two)
		}
	})
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

func TestWhereThingsAreKept(t *testing.T) {
	for name, test := range map[string]struct{ state, home, local, want string }{
		"the state folder":     {"/state", "/home/a", "", "/state/cfwizard"},
		"the home folder":      {"", "/home/a", "", "/home/a/.local/state/cfwizard"},
		"no folder of Windows": {"", "/home/a", "/mnt/c/AppData", "/home/a/.local/state/cfwizard"},
		"nowhere":              {"", "", "", ""},
	} {
		if runtime.GOOS == "windows" && test.local != "" {
			continue
		}
		t.Setenv("XDG_STATE_HOME", test.state)
		t.Setenv("HOME", test.home)
		t.Setenv("LOCALAPPDATA", test.local)
		dir, err := StateDir()
		if dir != filepath.FromSlash(test.want) || (err == nil) != (test.want != "") {
			t.Errorf("%s: %q, %v", name, dir, err)
		}
		if err != nil && (problem.KindOf(err) != problem.Invalid || !strings.Contains(problem.All(err)[0].Fix, "XDG_STATE_HOME")) {
			t.Errorf("%s: %v does not say what to set", name, err)
		}
	}
}
