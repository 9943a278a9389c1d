package session

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func TestASessionIsOpenOnce(t *testing.T) {
	store := Store{t.TempDir()}
	release, err := store.Lock("a")
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Lock("a")
	if first := problem.All(err)[0]; first.Cause != "session-open" || first.Why == "" || !strings.Contains(first.Fix, store.lockPath("a")) {
		t.Errorf("a second lock: %v", err)
	}
	if err := store.Delete("a"); problem.All(err)[0].Cause != "session-open" {
		t.Errorf("deleting an open session: %v", err)
	}
	other, err := store.Lock("b")
	if err != nil {
		t.Errorf("another session: %v", err)
	}
	other()
	release()
	again, err := store.Lock("a")
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	again()
	if left, _ := os.ReadDir(store.Dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhoseLockIsTakenOver(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead := ended.Process.Pid
	for name, test := range map[string]struct {
		content string
		age     time.Duration
		taken   bool
	}{
		"of a process that is no more": {lockOf(dead, host), 0, true},
		"of this very process":         {lockOf(os.Getpid(), host), 0, false},
		"of another machine":           {lockOf(dead, "elsewhere"), 0, false},
		"being written":                {"", 0, false},
		"never written":                {"", time.Hour, true},
		"garbage, and old":             {"}{", time.Hour, true},
	} {
		store := Store{t.TempDir()}
		path := store.lockPath("a")
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(-test.age)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
		release, err := store.Lock("a")
		if (err == nil) != test.taken {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			release()
		}
	}
}

func lockOf(pid int, host string) string {
	content, _ := json.Marshal(holder{pid, host, time.Now()})
	return string(content)
}

func TestOnlyOneOfManyGetsTheLock(t *testing.T) {
	store := Store{t.TempDir()}
	var all sync.WaitGroup
	var mu sync.Mutex
	got := 0
	for range 20 {
		all.Go(func() {
			if _, err := store.Lock("a"); err == nil {
				mu.Lock()
				got++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if got != 1 {
		t.Errorf("%d opened the session", got)
	}
}

func TestALockIsNoSession(t *testing.T) {
	store := Store{t.TempDir()}
	s := New(answers.Default(), time.Now())
	if err := store.Save(s); err != nil {
		t.Fatal(err)
	}
	release, err := store.Lock(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if list, problems := store.List(); len(list) != 1 || len(problems) != 0 {
		t.Errorf("listed %v, %v", list, problems)
	}
}
