package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// verdict is what `cfwizard check -o json` says.
type verdict struct {
	OK     bool
	Checks []struct{ ID, Title, Scope, Status, Why, Fix, Evidence string }
}

// check runs the checks and holds their form to the contract.
func (s *sandbox) check(args ...string) (verdict, result) {
	s.t.Helper()
	r := s.run("cfwizard", append([]string{"check", "-o", "json"}, args...)...)
	var v verdict
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil {
		s.t.Fatalf("check %v ended with %d and did not print JSON: %v\n%s%s", args, r.code, err, r.stdout, r.stderr)
	}
	for _, c := range v.Checks {
		if (c.Status == "fail" || c.Status == "warn") && c.Fix == "" {
			s.t.Errorf("%s is %s and has no fix", c.ID, c.Status)
		}
	}
	return v, r
}

// find gives the status and the fix of a check.
func (v verdict) find(id string) (status, title, fix string) {
	for _, c := range v.Checks {
		if c.ID == id {
			return c.Status, c.Title, c.Fix
		}
	}
	return "", "", ""
}

func (s *sandbox) expect(v verdict, want map[string]string) {
	s.t.Helper()
	for id, status := range want {
		if got, title, _ := v.find(id); got != status {
			s.t.Errorf("%s is %q (%s), want %q", id, got, title, status)
		}
	}
}

func TestCheckOfAGoodCluster(t *testing.T) {
	t.Parallel()
	s := boot(t)
	v, r := s.check("-f", s.answers(""))
	if r.code != 0 || !v.OK {
		t.Errorf("ended with %d\n%s", r.code, r.stdout)
	}
	s.expect(v, map[string]string{"cluster.reachable": "pass", "cluster.read": "pass", "cluster.nodes": "pass", "cluster.dns": "pass", "cluster.rights": "pass",
		"rehearsal.objects": "pass", "rehearsal.collisions": "pass", "namespace.state": "pass", "account.key": "pass", "runtime.name": "pass", "answers": "pass"})
	if r := s.run("cfwizard", "check", "-f", s.answers(""), "--strict"); r.code != 4 {
		t.Errorf("--strict ended with %d, want 4 for the warning about the version\n%s", r.code, r.stdout)
	}
}

// A user without rights gets true verdicts, and the printed ClusterRole turns
// them.
func TestRightsAreToldAndTheRoleMendsThem(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	for _, test := range []struct {
		context, read string
		prepare       func()
	}{
		{"no-rights", "warn", func() {}},
		{"read-only", "warn", func() {}}, // view may not list nodes
		{"no-rights", "warn", func() {
			s.must("kubectl", "create", "namespace", "codefresh")
			s.must("kubectl", "create", "rolebinding", "guest", "--namespace", "codefresh", "--clusterrole=admin", "--user=sandbox-guest")
		}},
	} {
		test.prepare()
		v, r := s.check("-f", file, "--context", test.context)
		if r.code != 3 {
			t.Errorf("%s: ended with %d, want 3\n%s", test.context, r.code, r.stdout)
		}
		s.expect(v, map[string]string{"cluster.reachable": "pass", "cluster.read": test.read, "cluster.rights": "fail", "cluster.nodes": "skip"})
	}
	v, _ := s.check("-f", file, "--context", "no-rights")
	_, _, fix := v.find("cluster.rights")
	_, role, found := strings.Cut(fix, "\n")
	if !found {
		t.Fatalf("the fix holds no ClusterRole:\n%s", fix)
	}
	if r := s.runWith(role, "kubectl", "apply", "--filename=-"); r.code != 0 {
		t.Fatalf("the printed role cannot be applied: %s\n%s", r.stderr, role)
	}
	v, r := s.check("-f", file, "--context", "no-rights")
	if r.code != 0 {
		t.Errorf("with the role: ended with %d\n%s", r.code, r.stdout)
	}
	s.expect(v, map[string]string{"cluster.read": "pass", "cluster.rights": "pass", "cluster.nodes": "pass", "rehearsal.objects": "pass"})
	s.must("cfwizard", "install", "-f", file, "--yes", "--context", "no-rights")
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("with the role: helm says %s, want deployed", got)
	}
}

// What is in the way of the chart is told before anything is written.
func TestCollisionsAndRefusalsAreToldBefore(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	s.must("kubectl", "create", "clusterrole", "argo-gateway", "--verb=get", "--resource=pods")
	s.must("kubectl", "create", "namespace", "codefresh")
	s.must("kubectl", "label", "namespace", "codefresh", "pod-security.kubernetes.io/enforce=restricted")
	s.must("kubectl", "create", "quota", "tight", "--namespace", "codefresh", "--hard=pods=2")
	s.must("kubectl", "delete", "service", "kube-dns", "--namespace", "kube-system")
	s.must("kubectl", "create", "deployment", "argocd-server", "--image=quay.io/argoproj/argocd:v3.1.0")
	s.runWith(foreignCRD, "kubectl", "apply", "--filename=-")
	v, r := s.check("-f", file)
	if r.code != 3 {
		t.Errorf("ended with %d, want 3", r.code)
	}
	s.expect(v, map[string]string{"rehearsal.collisions": "fail", "namespace.pod-security": "fail", "cluster.dns": "fail", "argo.cd": "fail", "crds.owner": "fail", "argo.workflows": "pass"})
	before := s.must("kubectl", "get", "all,secrets,configmaps", "--namespace", "codefresh", "--output", "name")
	if r := s.run("cfwizard", "install", "-f", file, "--yes"); r.code != 3 || !strings.Contains(r.stderr, "Nothing was written") {
		t.Errorf("install ended with %d\n%s", r.code, r.stderr)
	}
	if after := s.must("kubectl", "get", "all,secrets,configmaps", "--namespace", "codefresh", "--output", "name"); after != before {
		t.Errorf("the failed check wrote:\n%s", after)
	}
}
