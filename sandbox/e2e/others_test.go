package e2e

import (
	"strings"
	"testing"
)

// What another release has taken over, and CRDs whose resources are everybody's,
// outlive an upgrade and an uninstall.
func TestWhatIsOthersStays(t *testing.T) {
	t.Parallel()
	s := boot(t)
	file := s.answers("")
	const taken, left = "products.codefresh.io", "promotionflows.codefresh.io"
	s.holds(0, nil, "install", "-f", file, "--yes", "--skip-checks")
	s.must("kubectl", "annotate", "--overwrite", "crd", taken, "meta.helm.sh/release-namespace=staging")
	s.holds(0, []string{"CRD " + left + " stays"}, "upgrade", "--yes", "--chart", s.env["SANDBOX_CHART"], "--crds.mode", "skip")
	for _, name := range []string{taken, left} {
		s.must("kubectl", "get", "crd", name)
	}

	// The release's own manifest names the CRDs again.
	s.holds(0, nil, "upgrade", "--yes", "--chart", s.env["SANDBOX_CHART"], "--crds.mode", "adopt")
	s.must("kubectl", "annotate", "--overwrite", "crd", taken, "meta.helm.sh/release-namespace=staging")
	s.scenario("delete-hook-fails")
	s.holds(0, []string{"the chart's hooks failed, and are left out", taken}, "uninstall", "--yes", "--platform", "-f", file)
	s.must("kubectl", "get", "crd", taken)
	if r := s.run("kubectl", "get", "crd", left); r.code == 0 {
		t.Errorf("%s was the release's, and is left", left)
	}
	if out := s.must("helm", "list", "--all", "--namespace", "codefresh", "--short"); strings.TrimSpace(out) != "" {
		t.Errorf("helm still knows %s", out)
	}
}
