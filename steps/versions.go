package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// listVersions asks the registry what there is to choose from. Without a list
// the version is typed.
func listVersions(ctx context.Context, e Engine, s State) Outcome {
	if s.Unattended || !inRegistry(s) {
		return Outcome{}
	}
	versions, err := e.ChartVersions(ctx, s.Answers)
	why := ""
	if err != nil {
		first := problem.All(err)[0]
		why = first.What + ": " + first.Why
	}
	return Outcome{Learn: func(s *State) { s.Found.Versions, s.Found.NoVersions = versions, why }}
}

func inRegistry(s State) bool { return strings.HasPrefix(s.Answers.Runtime.Chart, "oci://") }

func listed(s State) bool { return len(s.Found.Versions) > 0 }

func whyNotListed(s State) string { return s.Found.NoVersions }

func versionChoices(s State) []answers.Choice {
	if !listed(s) {
		return nil
	}
	choices := []answers.Choice{{Value: "", Meaning: "the newest when it is installed, " + s.Found.Versions[0] + " today"}}
	for _, version := range s.Found.Versions {
		choices = append(choices, answers.Choice{Value: version})
	}
	if own := s.Answers.Runtime.Version; own != "" && !slices.Contains(s.Found.Versions, own) {
		choices = append(choices, answers.Choice{Value: own, Meaning: "not among the newest in the registry"})
	}
	return choices
}

// namespacesInUse are those of people's workloads.
func namespacesInUse(s State) []string {
	if s.Found.Cluster == nil {
		return nil
	}
	var names []string
	for _, w := range s.Found.Cluster.Workloads {
		if !strings.HasPrefix(w.Meta.Namespace, "kube-") {
			names = append(names, w.Meta.Namespace)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
