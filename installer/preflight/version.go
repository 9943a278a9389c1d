package preflight

import (
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/cfwizard/cfwizard/installer/check"
)

// oldest is what Codefresh asks for; the tested range is that of the Argo CD
// which the chart brings.
var (
	oldest      = version.MustParseGeneric("1.23")
	testedFrom  = version.MustParseGeneric("1.32")
	testedUntil = version.MustParseGeneric("1.35")
)

const bundledArgoCD = "3.3"

// judgeVersion judges the server's. Clouds add a suffix of their own.
func judgeVersion(text string) check.Check {
	const id, field = "cluster.version", "cluster.context"
	server, err := version.ParseGeneric(text)
	if err != nil {
		return because(judged(id, field, check.Warn, "the version %q cannot be read", text), "The runtime needs Kubernetes 1.23 or newer.", "Look yourself: kubectl version")
	}
	minor := version.MajorMinor(server.Major(), server.Minor())
	tested := "1." + minorText(testedFrom) + " to 1." + minorText(testedUntil)
	switch {
	case minor.LessThan(oldest):
		return because(judged(id, field, check.Fail, "Kubernetes %s is too old", text), "The runtime needs 1.23 or newer.", "Upgrade the cluster, or choose another.")
	case minor.LessThan(testedFrom):
		return because(judged(id, field, check.Warn, "Kubernetes %s is older than what Argo CD %s is tested with", text, bundledArgoCD),
			"It is tested with "+tested+".", "It usually works; upgrade the cluster when you can.")
	case testedUntil.LessThan(minor):
		return because(judged(id, field, check.Warn, "Kubernetes %s is newer than what Argo CD %s is tested with", text, bundledArgoCD),
			"It is tested with "+tested+".", "It usually works; look for a newer chart if Argo CD misbehaves.")
	}
	return seen(judged(id, field, check.Pass, "Kubernetes %s", text), "needed is 1.23 or newer; Argo CD %s is tested with %s", bundledArgoCD, tested)
}

func minorText(v *version.Version) string {
	return version.MajorMinor(v.Major(), v.Minor()).String()[len("1."):]
}
