package preflight

import (
	"slices"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// Running are the workloads of an Argo project by its name here, such as
// argo.cd or argo.rollouts, whoever installed them.
func Running(c facts.Cluster, project string) []facts.Workload {
	var found []facts.Workload
	for _, p := range append([]part{argoCDPart}, otherParts...) {
		if p.id == project {
			found = append(found, slices.DeleteFunc(slices.Clone(c.Workloads), func(w facts.Workload) bool { return !p.runs(w) })...)
		}
	}
	return found
}
