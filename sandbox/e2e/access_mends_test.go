package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// repairs lets doctor do it, and take it back.
func (l *lab) repairs(t *testing.T, c accessCase, f *fixture, file string) {
	t.Helper()
	before := l.read(f, c.part)
	l.judge("doctor", "--file", file, "--fix", "--agree", c.names()).expect(t, "repaired", c.left)
	if l.read(f, c.part) == before {
		t.Errorf("doctor did not change %v: %s", c.part, before)
	}
	l.judge("check", "--file", file).mended(t, c)
	l.must("cfwizard", "doctor", "--file", file, "--undo", "--yes")
	if after := l.read(f, c.part); after != before {
		t.Errorf("undo did not restore %v:\n%swant\n%s", c.part, after, before)
	}
}

// names are the checks that do not pass: a change of what carries traffic is
// agreed to by the name of its check.
func (c accessCase) names() string { return strings.Join(slices.Sorted(maps.Keys(c.bad)), ",") }

// runs does what the fix says in a shell.
func (l *lab) runs(t *testing.T, c accessCase, found judgements, file string) {
	t.Helper()
	l.must("/bin/sh", "-ec", found.command(t, c))
	if c.undo != "" {
		t.Cleanup(func() { l.must("/bin/sh", "-ec", c.undo) })
	}
	l.judge("check", "--file", file).mended(t, c)
}

// leavesToOwner sees that doctor changes nothing and names the owner's way.
func (l *lab) leavesToOwner(t *testing.T, c accessCase, f *fixture, file string) {
	t.Helper()
	before := l.read(f, c.part)
	found := l.judge("doctor", "--file", file, "--fix", "--yes", "--agree", c.names())
	found.expect(t, "owned", c.bad)
	found.say(t, c.says)
	for id := range c.says {
		if c.operator.kind == "" && strings.Contains(found[id].Fix, "kubectl") {
			t.Errorf("the fix of %s changes what has an owner, who would revert it: %s", id, found[id].Fix)
		}
	}
	if after := l.read(f, c.part); after != before {
		t.Errorf("doctor changed what has an owner, %v:\n%sbefore\n%s", c.part, after, before)
	}
	if out := l.must("cfwizard", "doctor", "--file", file, "--undo", "--yes"); !strings.HasPrefix(out, "0 repairs") {
		t.Errorf("doctor repaired something that has an owner: %s", out)
	}
}
