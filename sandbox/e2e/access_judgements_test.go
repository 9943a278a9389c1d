package e2e

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// judgement is a check as the program writes it.
type judgement struct{ ID, Title, Status, Why, Fix string }

// judgements are the checks about access, by ID.
type judgements map[string]judgement

var severities = []string{"", "pass", "skip", "warn", "fail"}

// judge runs check or doctor and reads what it says about access.
func (l *lab) judge(args ...string) judgements {
	l.t.Helper()
	found := judgements{}
	for _, j := range l.checks(args...) {
		room, _, _ := strings.Cut(j.ID, ".")
		about := slices.Contains([]string{"ingress", "mesh", "gateway"}, room) || j.ID == "access.tls-secret" || j.ID == "answers"
		if about && slices.Index(severities, j.Status) > slices.Index(severities, found[j.ID].Status) {
			found[j.ID] = j
		}
	}
	return found
}

// checks runs a command that writes checks.
func (l *lab) checks(args ...string) []judgement {
	l.t.Helper()
	r := l.run("cfwizard", append(args, "--output", "json")...)
	var answer struct{ Checks []judgement }
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil {
		l.t.Fatalf("cfwizard %v ended with %d: %v\n%s%s", args, r.code, err, r.stdout, r.stderr)
	}
	return answer.Checks
}

// expect compares everything that does not pass. What is skipped may be.
func (found judgements) expect(t *testing.T, when string, want map[string]string) {
	t.Helper()
	for id, status := range want {
		if got := cmp.Or(found[id].Status, "not there"); got != status {
			t.Errorf("%s: %s is %s, want %s: %s", when, id, got, status, found[id].Title)
		}
	}
	for id, j := range found {
		if want[id] == "" && j.Status != "pass" && j.Status != "skip" {
			t.Errorf("%s: %s is %s, want pass: %s\n%s\n%s", when, id, j.Status, j.Title, j.Why, j.Fix)
		}
		if (j.Status == "warn" || j.Status == "fail") && j.Fix == "" {
			t.Errorf("%s: %s has no fix: %s", when, id, j.Title)
		}
	}
}

// mended compares everything that does not pass after the fix, and sees that
// what was bad passes.
func (found judgements) mended(t *testing.T, c accessCase) {
	t.Helper()
	found.expect(t, "mended", c.left)
	for id := range c.bad {
		if status := cmp.Or(found[id].Status, "not there"); c.left[id] == "" && status != "pass" {
			t.Errorf("mended: %s is %s, want pass: %s", id, status, found[id].Title)
		}
	}
}

// say looks for the words of a fix.
func (found judgements) say(t *testing.T, words map[string]string) {
	t.Helper()
	for id, part := range words {
		if !strings.Contains(found[id].Fix, part) {
			t.Errorf("the fix of %s does not say %q:\n%s", id, part, found[id].Fix)
		}
	}
}

// tell looks for the flags in any of the fixes, which speak of a Secret of any
// name. Where there is a choice, says names it.
func (found judgements) tell(t *testing.T, c accessCase) {
	t.Helper()
	words := strings.Join(c.flags, " ")
	for id := range c.bad {
		if c.says[id] != "" || strings.Contains(strings.ReplaceAll(found[id].Fix, "SECRET", "runtime-tls"), words) {
			return
		}
	}
	t.Errorf("no fix says %q: %v", words, found)
}

// command is the end of a fix, from how the command begins.
func (found judgements) command(t *testing.T, c accessCase) string {
	t.Helper()
	for id := range c.bad {
		if at := strings.Index(found[id].Fix, c.shell); at >= 0 {
			command, _, _ := strings.Cut(found[id].Fix[at:], " (after kubectl create namespace")
			return command
		}
	}
	t.Fatalf("no fix says %q: %v", c.shell, found)
	return ""
}
