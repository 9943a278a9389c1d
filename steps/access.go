package steps

import "github.com/cfwizard/cfwizard/installer/answers"

func accessStep() Step {
	return Step{
		ID: "access", Title: "Access",
		Why: "How Codefresh reaches this runtime from outside.",
		Fields: []Field{
			{Path: "access.mode", Kind: Choice},
			{Path: "access.ingress.host", Kind: Text, Applies: in(answers.IngressMode)},
			{Path: "access.ingress.class", Kind: Choice, Applies: both(in(answers.IngressMode), hasClasses), Options: classChoices},
			{Path: "access.ingress.class", Kind: Text, Applies: both(in(answers.IngressMode), not(hasClasses))},
			{Path: "access.ingress.protocol", Kind: Choice, Applies: in(answers.IngressMode)},
			{Path: "access.mesh.url", Kind: Text, Applies: in(answers.MeshMode)},
			{Path: "access.gateway.parent", Kind: Text, Applies: in(answers.GatewayMode)},
			{Path: "access.gateway.host", Kind: Text, Applies: in(answers.GatewayMode)},
			{Path: "access.gateway.protocol", Kind: Choice, Applies: in(answers.GatewayMode)},
		},
	}
}

func in(mode answers.Mode) func(State) bool {
	return func(s State) bool { return s.Answers.Access.Mode == mode }
}

func both(a, b func(State) bool) func(State) bool {
	return func(s State) bool { return a(s) && b(s) }
}

func not(a func(State) bool) func(State) bool {
	return func(s State) bool { return !a(s) }
}

func hasClasses(s State) bool {
	return s.Found.Cluster != nil && len(s.Found.Cluster.IngressClasses) > 0
}

// classChoices offers what the cluster knows, and keeps an answer that it
// does not.
func classChoices(s State) []answers.Choice {
	var choices []answers.Choice
	known := false
	for _, class := range s.Found.Cluster.IngressClasses {
		choices = append(choices, answers.Choice{Value: class.Name, Meaning: class.Spec.Controller})
		known = known || class.Name == s.Answers.Access.Ingress.Class
	}
	if own := s.Answers.Access.Ingress.Class; own != "" && !known {
		choices = append(choices, answers.Choice{Value: own, Meaning: "not found in the cluster"})
	}
	return choices
}
