package preflight

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// crdOwners judges whose the CRDs are that the chart brings as templates: Helm
// refuses those that another release or nobody owns.
func crdOwners(c facts.Cluster, a answers.Answers) check.Check {
	const id, field = "crds.owner", "crds.mode"
	if missing, all := c.Could(facts.CRDs); !all {
		return unread(id, field, missing)
	}
	owners := map[string]facts.Owner{}
	for _, crd := range c.CRDs {
		if slices.Contains(neededCRDs(a), crd.Name.Name) && !oursAlready(crd, a) {
			owners[crd.Name.Name] = crd.Owner()
		}
	}
	if len(owners) == 0 {
		return judged(id, field, check.Pass, "no CRD is in the way")
	}
	return seen(crdVerdict(a, owners), "%s", crdEvidence(owners))
}

// neededCRDs are those that the chart would create as it is configured.
func neededCRDs(a answers.Answers) []string {
	projects := []string{"argo-workflows", "gitops-operator"}
	if a.ArgoCD.Mode != "existing" {
		projects = append(projects, "argo-cd")
	}
	return plan.CRDsOf(projects)
}

func crdVerdict(a answers.Answers, owners map[string]facts.Owner) check.Check {
	const id, field = "crds.owner", "crds.mode"
	var managed []string
	for name, owner := range owners {
		if owner.Kind != "" && owner.Kind != facts.HelmOwner {
			managed = append(managed, name+" ("+owner.Kind+")")
		}
	}
	switch {
	case a.CRDs.Mode == "skip":
		return because(judged(id, field, check.Warn, "%d CRDs of others stay as they are", len(owners)), "Their versions must fit the chart's.", "Compare them after an upgrade of the chart.")
	case len(managed) > 0:
		return because(judged(id, field, check.Fail, "%s are managed by others", list(managed)), "Whoever manages them would undo an adoption.", "Leave them: --crds.mode skip")
	case a.CRDs.Mode == "adopt":
		return because(judged(id, field, check.Warn, "%d CRDs will be adopted by this release", len(owners)),
			"Uninstalling the release later deletes those without the annotation helm.sh/resource-policy: keep, and with them every object of their kinds.",
			"To keep them, add gitops-operator: {crds: {keep: true}} in a values file. What they were is backed up before.")
	}
	return because(judged(id, field, check.Fail, "%d CRDs exist and belong to others", len(owners)), "Helm refuses them: \"cannot be imported into the current release\".",
		"Take them over: --crds.mode adopt; or leave them: --crds.mode skip")
}

func crdEvidence(owners map[string]facts.Owner) string {
	var words []string
	for name, owner := range owners {
		words = append(words, strings.TrimSpace(name+": "+owner.String()))
	}
	return list(words)
}
