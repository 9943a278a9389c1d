package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestInstallWithoutQuestions(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	r := s.run("cfwizard", "install", "-f", file, "--yes", "-o", "json")
	if r.code != 0 {
		t.Fatalf("ended with %d\n%s", r.code, r.stderr)
	}
	var last struct {
		Type     string
		OK       bool
		ExitCode *int
	}
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	kinds := map[string]int{}
	for _, line := range lines {
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatalf("this line is not JSON: %s", line)
		}
		kinds[last.Type]++
	}
	if last.Type != "done" || !last.OK || last.ExitCode == nil || *last.ExitCode != 0 {
		t.Errorf("the last line is %s; want done, ok, exit code 0", lines[len(lines)-1])
	}
	if !strings.Contains(r.stdout, `"message":"online: Runtime online`) {
		t.Error("it was not verified whether the runtime is online")
	}
	if kinds["phase"] < 10 || kinds["object"] < 100 {
		t.Errorf("told %v; want every phase and object", kinds)
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("helm says %s, want deployed", got)
	}
	pods := s.must("kubectl", "get", "pods", "--namespace", "codefresh", "--field-selector", "status.phase=Running", "--output", "name")
	if count := strings.Count(pods, "pod/"); count != 16 {
		t.Errorf("%d pods run, want 16\n%s", count, pods)
	}
	if secret := s.must("kubectl", "get", "secret", "cfwizard-tokens", "--namespace", "codefresh", "--output", "jsonpath={.metadata.labels}"); !strings.Contains(secret, "cfwizard") {
		t.Errorf("our Secret is not labelled: %s", secret)
	}
	s.refused(s.run("cfwizard", "install", "-f", file, "--yes", "--runtime.name", "billing"), 3, "is the runtime payments", "Nothing was written")
}

// The printed command, run with kubectl and helm after the runtime was removed,
// gives what the install gave.
func TestPrintedCommandGivesTheSameManifests(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("access: {mode: ingress, ingress: {host: runtime.example.com, class: nginx, skipValidation: true, annotations: {example.com/a.b: \"x,y{z}\"}}}\n")
	get := func() string {
		return s.must("helm", "get", "manifest", "cf-gitops-runtime", "--namespace", "codefresh")
	}
	s.must("cfwizard", "install", "-f", file, "--yes", "--skip-checks")
	ours := get()
	s.must("cfwizard", "uninstall", "-f", file, "--yes", "--platform")
	script := s.must("cfwizard", "plan", "-f", file, "-o", "command")
	if strings.Contains(script, s.env["CF_API_KEY"]) {
		t.Fatal("the script holds the API key")
	}
	if r := s.runWith(script, "/bin/sh", "-s"); r.code != 0 {
		t.Fatalf("the script ended with %d\n%s\n%s%s", r.code, script, r.stdout, r.stderr)
	}
	if len(ours) < 50_000 {
		t.Fatalf("the manifest has only %d bytes", len(ours))
	}
	if helms := get(); ours != helms {
		t.Errorf("the manifests differ: %s", firstDifference(ours, helms))
	}
}

func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return left[i] + "  |  " + right[i]
		}
	}
	return "one is longer"
}

func TestFailuresNameTheCause(t *testing.T) {
	t.Parallel()
	s := boot(t)
	tests := []struct {
		scenario string
		args     []string
		code     int
		says     []string
	}{
		{"validate-fails", nil, 5, []string{"not an admin", "fix:", "codefresh.apiKey"}},
		{"codefresh.name-taken=payments", nil, 7, []string{"has a runtime payments already", "runtime.name"}},
		{"codefresh.http-status=401", nil, 7, []string{"does not know this API key"}},
		{"no-rights", nil, 5, []string{"may not create", "cluster-admin"}},
		{"image-pull", nil, 5, []string{"there is no image quay.io/codefresh/cap-app-proxy", "fix:"}},
		{"crash-loop", []string{"--options.timeout", "20s"}, 6, []string{"gitops-operator: CrashLoopBackOff"}},
	}
	file := s.answers("")
	for _, test := range tests {
		s.scenario(test.scenario)
		r := s.run("cfwizard", append([]string{"install", "-f", file, "--yes", "--skip-checks"}, test.args...)...)
		if r.code != test.code {
			t.Errorf("%s: ended with %d, want %d\n%s", test.scenario, r.code, test.code, r.stderr)
		}
		for _, words := range test.says {
			if !strings.Contains(r.stderr, words) {
				t.Errorf("%s: does not say %q\n%s", test.scenario, words, r.stderr)
			}
		}
	}
	s.scenario("healthy")
	s.must("cfwizard", "install", "-f", file, "--yes")
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("after all those failures helm says %s, want deployed", got)
	}
}

const foreignCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: applications.argoproj.io}
spec:
  group: argoproj.io
  names: {kind: Application, plural: applications}
  scope: Namespaced
  versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`

// A CRD that is there already stops an install, unless it is adopted or left
// alone.
func TestCRDsThatAreThereAlready(t *testing.T) {
	t.Parallel()
	s := boot(t)
	if r := s.runWith(foreignCRD, "kubectl", "apply", "--filename=-"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	file := s.answers("")
	owner := func() string {
		return s.must("kubectl", "get", "crd", "applications.argoproj.io", "--output", `jsonpath={.metadata.annotations.meta\.helm\.sh/release-name}`)
	}
	r := s.run("cfwizard", "install", "-f", file, "--yes")
	if r.code != 3 || !strings.Contains(r.stderr, "1 CRDs exist and belong to others") || !strings.Contains(r.stderr, "Nothing was written") {
		t.Errorf("install: ended with %d\n%s", r.code, r.stderr)
	}
	r = s.run("cfwizard", "install", "-f", file, "--yes", "--skip-checks")
	if r.code != 5 || !strings.Contains(r.stderr, "belongs to another release") || !strings.Contains(r.stderr, "crds.mode") {
		t.Errorf("install: ended with %d\n%s", r.code, r.stderr)
	}
	if r = s.run("cfwizard", "install", "-f", file, "--yes", "--crds.mode", "skip"); r.code != 0 || owner() != "" {
		t.Errorf("skip: ended with %d, the CRD belongs to %q\n%s", r.code, owner(), r.stderr)
	}
	if r = s.run("cfwizard", "install", "-f", file, "--yes", "--crds.mode", "adopt"); r.code != 0 || owner() != "cf-gitops-runtime" {
		t.Errorf("adopt: ended with %d, the CRD belongs to %q\n%s", r.code, owner(), r.stderr)
	}
	if r = s.run("cfwizard", "doctor", "-f", file, "--undo", "--yes"); r.code != 0 || owner() != "" {
		t.Errorf("undo: ended with %d, the CRD belongs to %q\n%s", r.code, owner(), r.stderr)
	}
}
