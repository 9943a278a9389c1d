package steps

import (
	"context"
	"slices"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/preflight"
)

func clusterStep() Step {
	return Step{
		ID: "cluster", Title: "Cluster",
		Why:    "Where the runtime will be installed. Nothing is written before you confirm the review.",
		Fields: []Field{{Path: "cluster.context", Kind: Choice, Options: contextChoices, Origin: contextOrigin}},
		Probes: []Probe{
			{ID: "cluster", Title: "Reading the cluster", Inputs: []string{"cluster.context", "cluster.kubeconfig", "access.ingress.tlsSecret"}, Needed: true, Run: readCluster},
			{ID: "prerequisites", Title: "Judging the cluster", After: []string{"cluster", "files"}, Run: judgeCluster,
				Inputs: []string{"argocd.mode", "argocd.server", "argocd.repoServer", "crds.mode", "options.ha", "options.skipValidation", "runtime.name", "runtime.namespace", "runtime.release"}},
		},
	}
}

// contextChoices offers what the kubeconfig has, and keeps an answer that it
// has not: another cluster is nothing to fall back to.
func contextChoices(s State) []answers.Choice {
	choices := make([]answers.Choice, 0, len(s.Found.Contexts)+1)
	for _, name := range s.Found.Contexts {
		meaning := ""
		if name == s.Found.Current {
			meaning = "current context"
		}
		choices = append(choices, answers.Choice{Value: name, Meaning: meaning})
	}
	if own := s.Answers.Cluster.Context; own != "" && !slices.Contains(s.Found.Contexts, own) {
		choices = append(choices, answers.Choice{Value: own, Meaning: "not in the kubeconfig"})
	}
	return choices
}

func contextOrigin(s State) string {
	if s.Answers.Cluster.Context == s.Found.Current {
		return "your kubeconfig's current context"
	}
	return ""
}

func readCluster(ctx context.Context, e Engine, s State) Outcome {
	found, err := e.Cluster(ctx, s.Answers)
	if err != nil {
		return Outcome{Checks: check.FromError("cluster.reachable", "cluster", err), Learn: func(s *State) { s.Found.Cluster = nil }}
	}
	return Outcome{Checks: []check.Check{preflight.Fingerprint(found)}, Learn: func(s *State) { s.Found.Cluster = &found }}
}

func judgeCluster(_ context.Context, _ Engine, s State) Outcome {
	if s.Found.Cluster == nil {
		return Outcome{}
	}
	return Outcome{Checks: preflight.Cluster(*s.Found.Cluster, s.Answers, plan.MergeFiles(s.Answers, s.Found.Sources))}
}
