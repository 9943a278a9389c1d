package steps

import (
	"context"
	"slices"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func runtimeStep() Step {
	return Step{
		ID: "runtime", Title: "Runtime",
		Depends: accountInputs,
		Why:     "What the runtime is called in Codefresh, and where it lives in the cluster.",
		Fields: []Field{
			{Path: "runtime.name", Kind: Text},
			{Path: "runtime.namespace", Kind: Text, Suggest: namespacesInUse},
			{Path: "runtime.release", Kind: Text},
			{Path: "runtime.version", Kind: Choice, Free: true, Applies: both(inRegistry, listed), Options: versionChoices},
			{Path: "runtime.version", Kind: Text, Optional: true, Applies: both(inRegistry, not(listed)), Origin: whyNotListed},
		},
		Probes: []Probe{
			{ID: "versions", Title: "Asking the registry for the chart's versions", Inputs: []string{"runtime.chart"}, Run: listVersions},
			{ID: "name", Title: "Asking whether the name is free", Inputs: []string{"runtime.name", "runtime.namespace"}, After: []string{"account"}, Run: askName},
			{ID: "namespace", Title: "Looking at the namespace", Inputs: []string{"runtime.namespace"}, After: []string{"cluster"}, Run: readNamespace},
		},
	}
}

// askName asks for the one runtime of that name: the account's list may be
// long, and come in parts.
func askName(ctx context.Context, e Engine, s State) Outcome {
	if problems := s.Answers.Validate().Problems.About("runtime.name"); len(problems) > 0 || s.Found.Account == nil {
		return Outcome{}
	}
	runtime, found, err := e.Runtime(ctx, s.Answers)
	if err != nil {
		first := problem.All(err)[0]
		return Outcome{Checks: []check.Check{{ID: "runtime.name", Scope: "account", Status: check.Warn, Field: "runtime.name",
			Title: "could not ask whether the name is free", Why: first.Error(), Fix: first.Fix}}}
	}
	s.Found.Runtimes = slices.Clone(s.Found.Runtimes)
	if found {
		s.Found.Runtimes = append(s.Found.Runtimes, runtime)
	}
	return Outcome{Checks: slices.DeleteFunc(judgeAccount(s), func(c check.Check) bool { return c.ID != "runtime.name" })}
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
