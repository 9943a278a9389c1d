package e2e

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// Go asks no DNS server for names that end with onion, so that nothing is
// looked up, and nothing is dialled.
const (
	runtimeHost    = "runtime.acme.onion"
	publicAddress  = "lb.acme.onion"
	privateAddress = "lb.acme.internal"
	noAddress      = "pending"
)

// accessSuite is a controller: its good cluster, and the ways to break it.
type accessSuite struct {
	fixture  string            // a file of testdata/access
	base     []edit            // what makes it this suite's
	kinds    []customKind      // what its objects are of
	access   string            // the answers about access
	balancer string            // the Service that has the address
	part     part              // what repairs change, unless a case says otherwise
	notices  map[string]string // what does not pass even on the good cluster
	passes   []string          // what passes there
	cases    []accessCase
}

// accessCase is one cluster: the suite's, broken in one way.
type accessCase struct {
	name     string
	edits    []edit
	operator customKind        // whose object has made the others
	address  string            // of the load balancer
	idle     bool              // wait until no pod is ready
	access   string            // the answers about access
	bad      map[string]string // the status of every check that does not pass
	says     map[string]string // words of the fix, by check

	// The fix, done: one of these.
	repaired bool     // by doctor --fix; doctor --undo restores the part
	shell    string   // the command in the fix that begins so
	undo     string   // takes back what that did beside the fixture
	flags    []string // flags in the fix
	byHand   []edit   // what the fix asks for in words, instead of edits

	kept bool              // an owner is there: doctor --fix changes nothing
	part part              // what is changed, or kept
	left map[string]string // the status of every check that does not pass after the fix
}

// merged is all of the maps, the later ones on top.
func merged(all ...map[string]string) map[string]string {
	sum := map[string]string{}
	for _, one := range all {
		maps.Copy(sum, one)
	}
	return sum
}

// bootForAccess starts a sandbox without its own ingress controller. The
// platform is Codefresh's own, for which private addresses are of no use; there
// is no key, so that it is not asked.
func bootForAccess(t *testing.T) *lab {
	t.Helper()
	s := boot(t)
	s.env["CF_API_KEY"] = ""
	s.trusted()
	s.must("kubectl", "delete", "deployment,service", "ingress-nginx-controller", "--namespace", "ingress-nginx", "--ignore-not-found", "--wait=false")
	s.must("kubectl", "delete", "ingressclass", "nginx", "--ignore-not-found")
	s.must("kubectl", "create", "namespace", "codefresh")
	s.must("kubectl", "create", "namespace", "web")
	return newLab(s)
}

// at is the lab for a test of its own, with a memory of its own.
func (l *lab) at(t *testing.T) *lab {
	own := *l.sandbox
	own.t, own.env = t, maps.Clone(l.env)
	own.env["XDG_STATE_HOME"] = t.TempDir()
	return &lab{&own, l.cluster}
}

// accessAnswers writes answers. Without an account they are not complete, and
// nothing is rehearsed, which would be most of the time that a check takes.
func (l *lab) accessAnswers(access, account string) string {
	l.t.Helper()
	return writeFile(l.t, filepath.Join(l.t.TempDir(), "answers.yaml"), "apiVersion: cfwizard/v1\nkind: Answers\n"+
		"codefresh: {accountId: \""+account+"\"}\n"+
		"runtime: {name: payments, chart: \""+l.env["SANDBOX_CHART"]+"\"}\naccess: "+access+"\n")
}

// tryAccess tries a controller: first its good cluster, then the broken ones.
func (l *lab) tryAccess(t *testing.T, suite accessSuite) {
	t.Helper()
	l = l.at(t)
	l.serve(suite.kinds...)
	base := loadFixture(t, suite.fixture, suite.base...)
	l.apply(base)
	t.Cleanup(func() { l.remove(base.objects...) })
	for _, workload := range base.workloads() {
		l.ready(t, workload)
	}
	if suite.balancer != "" {
		l.balance(base.object("Service/"+suite.balancer), publicAddress)
	}
	found := l.judge("check", "--file", l.accessAnswers(suite.access, l.env["CF_ACCOUNT_ID"]))
	found.expect(t, "a good cluster", suite.notices)
	for _, id := range append(suite.passes, "answers") {
		if found[id].Status != "pass" {
			t.Errorf("a good cluster: %s is %q, want pass: %s", id, found[id].Status, found[id].Title)
		}
	}
	for i, c := range suite.cases {
		t.Run(c.name, func(t *testing.T) {
			if i%3 != 0 { // each case is a few runs of the program
				slowProof(t)
			}
			l.at(t).tryCase(t, suite, c)
		})
	}
}

// breaks brings the cluster to the suite's, changed.
func (l *lab) breaks(t *testing.T, suite accessSuite, address string, edits ...edit) *fixture {
	t.Helper()
	f := loadFixture(t, suite.fixture, slices.Concat(suite.base, edits)...)
	for _, workload := range f.workloads() {
		if workload.GetKind() == "Deployment" { // nobody looks at new pods
			set("Deployment/"+workload.GetName(), "true", "spec", "paused")(f)
		}
	}
	l.apply(f)
	if suite.balancer != "" {
		l.balance(f.object("Service/"+suite.balancer), cmp.Or(address, publicAddress))
	}
	t.Cleanup(func() { l.remove(f.beyond(loadFixture(t, suite.fixture, suite.base...))...) })
	return f
}

// idle waits until no pod of the workload is ready, and at the end until one is.
func (l *lab) idle(t *testing.T, suite accessSuite, f *fixture) {
	t.Helper()
	workload := f.workloads()[0]
	eventually(t, "no pod is ready", func() bool { return !l.hasReadyPod(workload) })
	t.Cleanup(func() {
		l.apply(loadFixture(t, suite.fixture, suite.base...))
		l.ready(t, workload)
	})
}

// tryCase breaks the cluster, looks, mends it, looks again, and takes it back.
func (l *lab) tryCase(t *testing.T, suite accessSuite, c accessCase) {
	c.part = cmp.Or(c.part, suite.part)
	if c.operator.kind != "" {
		c.edits = append(slices.Clone(c.edits), l.controlledBy(c.operator, c.part.object))
	}
	broken := l.breaks(t, suite, c.address, c.edits...)
	if c.idle {
		l.idle(t, suite, broken)
	}
	file := l.accessAnswers(cmp.Or(c.access, suite.access), "")
	c.bad, c.left = merged(suite.notices, c.bad), merged(suite.notices, c.left)
	if c.kept {
		l.leavesToOwner(t, c, broken, file)
		return
	}
	found := l.judge("check", "--file", file)
	found.expect(t, "broken", c.bad)
	found.say(t, c.says)
	switch {
	case c.repaired:
		l.repairs(t, c, broken, file)
	case c.shell != "":
		l.runs(t, c, found, file)
	case len(c.flags) > 0:
		found.tell(t, c)
		l.judge(append([]string{"check", "--file", file}, c.flags...)...).mended(t, c)
	case len(c.byHand) > 0:
		l.breaks(t, suite, c.address, c.byHand...)
		l.judge("check", "--file", file).mended(t, c)
	}
}
