package steps

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func runtimeStep() Step {
	return Step{
		ID: "runtime", Title: "Runtime",
		Why:    "What the runtime is called in Codefresh, and where it lives in the cluster.",
		Fields: []Field{{Path: "runtime.name", Kind: Text}, {Path: "runtime.namespace", Kind: Text}},
		Probes: []Probe{
			{ID: "name", Title: "Asking whether the name is free", Inputs: []string{"runtime.name"}, After: []string{"account"}, Run: askName},
			{ID: "namespace", Title: "Looking at the namespace", Inputs: []string{"runtime.namespace"}, After: []string{"cluster"}, Run: readNamespace},
		},
	}
}

func askName(ctx context.Context, e Engine, s State) Outcome {
	if problems := s.Answers.Validate().Problems.About("runtime.name"); len(problems) > 0 {
		return Outcome{}
	}
	taken, err := e.NameTaken(ctx, s.Answers)
	switch {
	case err != nil:
		first := problem.All(err)[0]
		return Outcome{Checks: []check.Check{{ID: "runtime.name", Scope: "account", Status: check.Warn, Field: "runtime.name",
			Title: "could not ask whether the name is free", Why: first.Error(), Fix: first.Fix}}}
	case taken:
		return Outcome{Checks: []check.Check{{ID: "runtime.name", Scope: "account", Status: check.Warn, Field: "runtime.name",
			Title: "the account has a runtime " + s.Answers.Runtime.Name + " already",
			Why:   "A new install of that name is refused; an upgrade of the same runtime is not.", Fix: "Choose another name, unless this is an upgrade."}}}
	}
	return Outcome{Checks: []check.Check{{ID: "runtime.name", Scope: "account", Status: check.Pass, Field: "runtime.name",
		Title: s.Answers.Runtime.Name + " is free"}}}
}

func readNamespace(ctx context.Context, e Engine, s State) Outcome {
	if problems := s.Answers.Validate().Problems.About("runtime.namespace"); len(problems) > 0 || s.Found.Cluster == nil {
		return Outcome{}
	}
	found, err := e.Namespace(ctx, s.Answers)
	if err != nil {
		return Outcome{Learn: func(s *State) { s.Found.Namespace = nil }} // the cluster's own probe says why
	}
	return Outcome{Checks: preflight.Namespace(found), Learn: func(s *State) { s.Found.Namespace = &found }}
}
