package steps

import (
	"context"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
)

func clusterStep() Step {
	return Step{
		ID: "cluster", Title: "Cluster",
		Why:    "Where the runtime will be installed. Nothing is written before you confirm the review.",
		Fields: []Field{{Path: "cluster.context", Kind: Choice, Options: contextChoices, Origin: contextOrigin}},
		Probes: []Probe{{
			ID: "cluster", Title: "Reading the cluster", Inputs: []string{"cluster.context", "cluster.kubeconfig"}, Needed: true, Run: readCluster,
		}},
	}
}

func contextChoices(s State) []answers.Choice {
	choices := make([]answers.Choice, 0, len(s.Found.Contexts))
	for _, name := range s.Found.Contexts {
		meaning := ""
		if name == s.Found.Current {
			meaning = "current context"
		}
		choices = append(choices, answers.Choice{Value: name, Meaning: meaning})
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
	facts, err := e.Cluster(ctx, s.Answers)
	if err != nil {
		return Outcome{Checks: check.FromError("cluster.reachable", "cluster", err), Learn: func(s *State) { s.Found.Cluster = nil }}
	}
	checks := []check.Check{
		{ID: "cluster.reachable", Scope: "cluster", Status: check.Pass, Title: facts.Fingerprint(), Evidence: facts.Server},
		rightsCheck(facts),
	}
	if len(facts.Unread) > 0 {
		checks = append(checks, check.Check{ID: "cluster.unread", Scope: "cluster", Status: check.Warn,
			Title: "could not read: " + strings.Join(facts.Unread, ", "), Why: "Checks that need it say so.", Fix: "Use a user that may read it."})
	}
	return Outcome{Checks: checks, Learn: func(s *State) { s.Found.Cluster = &facts }}
}

func rightsCheck(facts cluster.Facts) check.Check {
	c := check.Check{ID: "cluster.rights", Scope: "cluster", Status: check.Pass, Title: "you are " + facts.User + ", with all rights"}
	if !facts.ClusterAdmin {
		c.Status, c.Title = check.Warn, facts.User+" is not cluster-admin"
		c.Why = "The chart creates ClusterRoles and custom resource definitions."
		c.Fix = "Use a cluster-admin context, or ask for the rights."
	}
	return c
}
