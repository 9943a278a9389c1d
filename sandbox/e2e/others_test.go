package e2e

import "testing"

// What another release has taken over, and CRDs whose resources are everybody's,
// outlive an uninstall and an upgrade.
func TestWhatIsOthersStays(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	const taken, own = "products.codefresh.io", "promotionflows.codefresh.io"
	s.holds(0, nil, "install", "-f", file, "--yes", "--skip-checks")
	s.must("kubectl", "annotate", "--overwrite", "crd", taken, "meta.helm.sh/release-namespace=staging")
	s.holds(0, nil, "uninstall", "--yes", "--platform", "-f", file)
	s.must("kubectl", "get", "crd", taken)
	if r := s.run("kubectl", "get", "crd", own); r.code == 0 {
		t.Errorf("%s was the release's, and is left", own)
	}

	s.holds(0, nil, "install", "-f", file, "--yes", "--skip-checks", "--crds.mode", "adopt")
	s.holds(0, []string{"CRDs that Helm leaves as they are", "CRD " + own + " stays"}, "upgrade", "--yes", "--chart", s.env["SANDBOX_CHART"], "--crds.mode", "skip")
	s.must("kubectl", "get", "crd", taken, own)
}

// The chart's work before a removal that fails does not keep the runtime: what
// it does, the program does too.
func TestAnUninstallWhoseHooksFail(t *testing.T) {
	slowProof(t)
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	s.holds(0, nil, "install", "-f", file, "--yes", "--skip-checks")
	s.scenario("delete-hook-fails")
	s.holds(0, []string{"the chart's hooks failed, and are left out", "nothing that was to go is left"}, "uninstall", "--yes", "--platform", "-f", file)
	if left := s.remains("codefresh"); left != "" {
		t.Errorf("left behind: %s", left)
	}
	s.holds(0, []string{"There is nothing to remove"}, "uninstall", "--platform", "-f", file)
}
