package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// holds runs the program and holds it to its exit code and words.
func (s *sandbox) holds(code int, says []string, args ...string) result {
	s.t.Helper()
	r := s.run("cfwizard", args...)
	if r.code != code {
		s.t.Errorf("%v ended with %d, want %d\n%s%s", args, r.code, code, r.stdout, r.stderr)
	}
	for _, words := range says {
		if !strings.Contains(r.stdout+r.stderr, words) {
			s.t.Errorf("%v does not say %q\n%s%s", args, words, r.stdout, r.stderr)
		}
	}
	return r
}

// remains are the objects in a namespace but for those that Kubernetes makes.
func (s *sandbox) remains(namespace string) string {
	s.t.Helper()
	out := s.must("kubectl", "get", "all,configmaps,secrets,serviceaccounts,roles,rolebindings,leases", "--namespace", namespace, "--output", "name")
	cluster := s.must("kubectl", "get", "clusterroles,clusterrolebindings", "--selector", "app.kubernetes.io/managed-by=Helm", "--output", "name")
	var left []string
	for name := range strings.FieldsSeq(out + cluster) {
		// Pods of deleted workloads go a moment later.
		if name != "configmap/kube-root-ca.crt" && name != "serviceaccount/default" && !strings.HasPrefix(name, "pod/") && !strings.HasPrefix(name, "replicaset.apps/") {
			left = append(left, name)
		}
	}
	return strings.Join(left, " ")
}

func (s *sandbox) logged(stderr string) string {
	s.t.Helper()
	_, path, found := strings.Cut(stderr, "The log, without secrets, is in ")
	path, _, _ = strings.Cut(path, "\n")
	info, err := os.Stat(path)
	if !found || err != nil || info.Mode().Perm() != 0o600 {
		s.t.Fatalf("no private log is named: %v\n%s", err, stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

const heldApplication = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: mine, namespace: codefresh, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec: {}
`

// Install, upgrade, a failed upgrade rolled back, and removed: nothing is left.
func TestTheLifeOfARuntime(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file, chart := s.answers(""), []string{"--chart", s.env["SANDBOX_CHART"]}
	values := func() string {
		return s.must("helm", "get", "values", "cf-gitops-runtime", "--namespace", "codefresh")
	}
	upgrade := func(more ...string) []string { return append(append([]string{"upgrade"}, chart...), more...) }

	s.holds(2, []string{"there is no release cf-gitops-runtime", "cfwizard install"}, upgrade()...)
	r := s.holds(0, nil, "install", "-f", file, "--yes", "--skip-checks", "--chart-version", "0.29.21", "-v")
	log := s.logged(r.stderr)
	for _, words := range []string{"msg=begin", "method=POST", "phase=hooks", "msg=decided", "exitCode=0", s.env["CF_URL"] + "/2.0/api/graphql"} {
		if !strings.Contains(log, words) {
			t.Errorf("the log lacks %q", words)
		}
	}
	if strings.Contains(log+r.stderr, s.env["CF_API_KEY"]) {
		t.Error("the log or the screen holds the API key")
	}

	before := values()
	s.holds(2, []string{"0.29.21 → 0.29.22", "ConfigMap codefresh-cm", "--yes"}, upgrade()...)
	s.holds(0, []string{`"from":"0.29.21"`, `"type":"done"`, `"ok":true`}, upgrade("--yes", "-o", "json")...)
	if after := values(); after != before {
		t.Errorf("the values were not kept:\n%s\n%s", before, after)
	}
	s.holds(0, []string{"at chart 0.29.22 already"}, upgrade()...)
	s.holds(2, []string{"0.29.21 is older than 0.29.22", "--allow-downgrade"}, upgrade("--yes", "--chart-version", "0.29.21")...)

	s.scenario("crash-loop")
	s.holds(6, []string{"installer.skipValidation", "CrashLoopBackOff", "cfwizard doctor --fix"}, upgrade("--yes", "--options.skipValidation", "true", "--options.timeout", "20s")...)
	s.holds(3, []string{"roll back to revision 2", "not done", "cfwizard doctor --fix --rollback"}, "doctor", "-f", file, "--fix", "--yes")
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "failed" {
		t.Errorf("helm says %s, want failed: a general yes is not enough", got)
	}
	s.scenario("healthy")
	s.holds(0, []string{"roll back to revision 2", "is kept, without secrets, in"}, "doctor", "-f", file, "--fix", "--rollback", "--git.sharedConfigRepo", "")
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" || values() != before {
		t.Errorf("helm says %s, want deployed with the values from before", got)
	}

	if r := s.runWith(heldApplication, "kubectl", "apply", "--filename=-"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	s.holds(3, []string{"would hold the removal for ever", "Application mine", "kubectl delete applications.argoproj.io mine"}, "uninstall", "--yes", "--crds")
	s.holds(2, []string{"129 (14 ClusterRole", "Secret cfwizard-tokens", "stays  namespace codefresh", "with finalizers stay", "--yes"}, "uninstall")
	w := s.open(80, 24, "uninstall")
	w.answer("Remove it?", "n"+enter)
	if code := w.exit(); code != 130 || s.status("cf-gitops-runtime", "codefresh") != "deployed" {
		t.Errorf("an uninstall that was declined ended with %d\n%s", code, w.screen())
	}
	s.holds(0, []string{`"type":"preview"`, `"phase":"remove"`, `"ok":true`, "Codefresh still lists the runtime payments"}, "uninstall", "--yes", "-o", "json")
	if left := s.remains("codefresh"); left != "" {
		t.Errorf("left behind: %s", left)
	}
	s.holds(0, []string{"There is nothing to remove", "--platform"}, "uninstall", "--runtime.name", "payments", "--codefresh.url", s.env["CF_URL"])
	s.must("kubectl", "patch", "application", "mine", "--namespace", "codefresh", "--type", "merge", "--patch", `{"metadata":{"finalizers":null}}`)
	s.holds(0, nil, "uninstall", "--yes", "--crds", "--platform", "-f", file)
	if left := s.must("kubectl", "get", "crds", "--output", "name"); strings.Contains(left, "argoproj.io") {
		t.Errorf("CRDs are left: %s", left)
	}
	if r := s.holds(0, []string{"There is nothing to remove"}, "uninstall", "-f", file); strings.Contains(r.stderr, "--platform") {
		t.Errorf("Codefresh still lists the runtime: %s", r.stderr)
	}
}

// A runtime that somebody else installed, one that is held, and one that was
// killed in its first install are removed without waiting for ever.
func TestRemovingWhatOthersLeft(t *testing.T) {
	slowProof(t)
	t.Parallel()
	s := boot(t)
	s.must("helm", "install", "theirs", s.env["SANDBOX_CHART"], "--plain-http", "--namespace", "shared", "--create-namespace",
		"--set-string", "global.codefresh.accountId="+s.env["CF_ACCOUNT_ID"], "--set", "global.codefresh.url="+s.env["CF_URL"],
		"--set", "global.codefresh.userToken.token="+s.env["CF_API_KEY"], "--set", "global.runtime.name=theirs")
	s.holds(3, []string{"there is no release cf-gitops-runtime", "--runtime.release theirs"}, "uninstall", "--yes", "--namespace", "shared")
	theirs := []string{"uninstall", "--yes", "--namespace", "shared", "--runtime.release", "theirs", "--platform"}
	s.must("kubectl", "patch", "deployment", "argo-server", "--namespace", "shared", "--type", "merge", "--patch", `{"metadata":{"finalizers":["example.com/hold"]}}`)
	s.holds(6, []string{"Deployment argo-server", "held by example.com/hold", "cfwizard uninstall"}, append(theirs, "--options.timeout", "5s")...)
	s.must("kubectl", "patch", "deployment", "argo-server", "--namespace", "shared", "--type", "merge", "--patch", `{"metadata":{"finalizers":null}}`)
	s.holds(0, []string{"nothing that was to go is left"}, append(theirs, "--delete-namespace", "--crds")...)
	if r := s.run("kubectl", "get", "namespace", "shared"); r.code == 0 {
		t.Errorf("the namespace is left: %s", r.stdout)
	}

	file := s.answers("")
	s.installUntil(file, syscall.SIGKILL, atPhase("apply"))
	// The chart's hooks would wait for this Secret for ever.
	s.must("kubectl", "delete", "secret", "cfwizard-tokens", "--namespace", "codefresh")
	s.holds(0, []string{"mark the pending record as failed", "nothing was ever deployed", "is kept, without secrets, in"}, "doctor", "-f", file, "--fix", "--yes", "--uninstall")
	if left := s.remains("codefresh"); left != "" {
		t.Errorf("left behind: %s", left)
	}
}
