package installer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/removal"
)

// silent is a chart in a registry at which nobody answers.
const silent = "oci://127.0.0.1:1/charts/gitops-runtime"

// Offline, a chart is asked for what the answers need of it, and not insisted
// on.
func TestAskingAChartThatDoesNotAnswer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, test := range map[string]struct {
		crds, registry string
		asked          bool
	}{
		"nothing is needed": {"install", "", false}, "CRDs to adopt": {"adopt", "", true}, "CRDs to skip": {"skip", "", true}, "images to move": {"install", "registry.example.com", true},
	} {
		a := answers.Default()
		a.Runtime.Chart, a.CRDs.Mode, a.Images.Registry = silent, test.crds, test.registry
		sources, err := new(Engine).Sources(t.Context(), a, true)
		if err != nil || (sources.Unasked != "") != test.asked {
			t.Errorf("%s: %q, %v", name, sources.Unasked, err)
		}
		if _, err := new(Engine).Sources(t.Context(), a, false); (err != nil) != test.asked {
			t.Errorf("%s: insisting on it gives %v", name, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	a := answers.Default()
	a.Runtime.Chart, a.CRDs.Mode = silent, "adopt"
	if _, err := new(Engine).Sources(ended, a, true); err == nil {
		t.Error("an interrupted question is taken for an answer")
	}
}

const deadKubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: dead, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: dead, context: {cluster: dead, user: dead}}]
users: [{name: dead, user: {token: x}}]
current-context: dead
`

// A secret in a cluster that does not answer is no missing answer.
func TestASecretInADeadCluster(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte(deadKubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	a := answers.Default()
	a.Cluster.Kubeconfig = config
	for want, ref := range map[problem.Kind]answers.SecretRef{
		problem.Unreachable: {SecretRef: &answers.KeyInSecret{Name: "key", Key: "token"}},
		problem.Invalid:     {File: filepath.Join(t.TempDir(), "nope")},
	} {
		var v Vault
		_, err := v.Find(t.Context(), a, "codefresh.apiKey", ref)
		var p *problem.Problem
		if !errors.As(err, &p) || p.Kind != want || p.Fix == "" {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// A record that is to go and cannot be asked for keeps everything else.
func TestARecordThatCannotBeAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		record  string
		wanted  bool
		refused bool
	}{"unknown": {RecordUnknown, true, true}, "unknown, and to stay": {RecordUnknown, false, false}, "there": {RecordThere, true, false}, "gone": {RecordGone, true, false}} {
		r := Removal{Runtime: "payments", Record: test.record, Unasked: "there is no API key", Link: "https://g.codefresh.io"}
		r.Release, r.Namespace = "cf-gitops-runtime", "codefresh"
		o := removal.Options{Record: test.wanted}
		refused := false
		for _, c := range r.Checks(o) {
			if c.ID == "removal.record" {
				refused = c.Status == check.Fail && c.Why == "there is no API key" && c.Fix != ""
			}
		}
		if refused != test.refused {
			t.Errorf("%s: %v", name, r.Checks(o))
		}
		if _, err := new(Engine).Uninstall(t.Context(), r, o, nil); test.refused && (err == nil || problem.KindOf(err) != problem.CheckFailed) {
			t.Errorf("%s: the engine goes on: %v", name, err)
		}
	}
}

// A runtime of Codefresh that this cluster knows nothing of is deleted only by
// its name.
func TestARuntimeElsewhereIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		status  string
		named   bool
		refused bool
	}{"nobody named it": {"", false, true}, "named": {"", true, false}, "a release is here": {"deployed", false, false}} {
		r := Removal{Runtime: "codefresh", Record: RecordThere, Named: test.named}
		r.Status = test.status
		refused := slices.ContainsFunc(r.Checks(removal.Options{Record: true}), func(c check.Check) bool { return c.ID == "removal.elsewhere" && c.Status == check.Fail })
		if refused != test.refused {
			t.Errorf("%s: refused is %v", name, refused)
		}
	}
}

// A plan that is made without the cluster says that it does not know who serves
// the class.
func TestAnOfflinePlanTellsOfTheController(t *testing.T) {
	for name, test := range map[string]struct {
		mode       answers.Mode
		controller string
		offline    bool
		warns      bool
	}{
		"not named":             {answers.IngressMode, "", true, true},
		"named":                 {answers.IngressMode, "traefik", true, false},
		"with the cluster":      {answers.IngressMode, "", false, false},
		"where it is of no use": {answers.Tunnel, "", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := answers.Default()
			a.Codefresh.AccountID, a.Access.Mode = "64f0c0ffee00000000000001", test.mode
			a.Access.Ingress.Host, a.Access.Ingress.Class, a.Access.Ingress.Controller = "h.example.com", "web", test.controller
			built, err := new(Engine).Plan(t.Context(), a, test.offline)
			if told := strings.Contains(strings.Join(built.Warnings, "\n"), "who serves class web"); err != nil || told != test.warns {
				t.Errorf("warns %q, %v", built.Warnings, err)
			}
		})
	}
}
