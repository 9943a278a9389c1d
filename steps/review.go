package steps

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// ReviewProbes run when everything is answered: the rehearsal needs the plan.
func ReviewProbes() []Probe {
	return leading([]Probe{{ID: "rehearsal", Title: "Rehearsing the install on the API server", After: []string{"access", "account"}, Run: rehearse}})
}

func rehearse(ctx context.Context, e Engine, s State) Outcome {
	if s.Found.Cluster == nil {
		return Outcome{}
	}
	if s.Found.Cluster.InTrouble() {
		return Outcome{Checks: []check.Check{{ID: "rehearsal.objects", Scope: "rehearsal", Status: check.Skip, Title: "not rehearsed: the API server is in trouble"}}}
	}
	var namespace facts.Namespace
	if s.Found.Namespace != nil {
		namespace = *s.Found.Namespace
	}
	return Outcome{Checks: e.Rehearse(ctx, s.Answers, *s.Found.Cluster, namespace)}
}
