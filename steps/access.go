package steps

import (
	"context"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
)

// accessInputs are the answers that the access path depends on.
var accessInputs = []string{"access.mode", "access.ingress.host", "access.ingress.class", "access.ingress.protocol", "access.ingress.tlsSecret",
	"access.mesh.url", "access.mesh.gateway", "access.gateway.parent", "access.gateway.host", "access.gateway.protocol"}

func accessStep() Step {
	return Step{
		ID: "access", Title: "Access",
		Depends: []string{"cluster.context"},
		Why:     "How Codefresh reaches this runtime from outside.",
		Fields: []Field{
			{Path: "access.mode", Kind: Choice},
			{Path: "access.ingress.host", Kind: Text, Applies: in(answers.IngressMode), Origin: hostsInUse},
			{Path: "access.ingress.class", Kind: Choice, Applies: both(in(answers.IngressMode), offers(classOffers)), Options: choices(classOffers, "access.ingress.class"), Origin: controllerFound},
			{Path: "access.ingress.class", Kind: Text, Applies: both(in(answers.IngressMode), not(offers(classOffers)))},
			{Path: "access.ingress.protocol", Kind: Choice, Applies: in(answers.IngressMode)},
			{Path: "access.ingress.tlsSecret", Kind: Text, Optional: true, Applies: both(in(answers.IngressMode), overHTTPS)},
			{Path: "access.mesh.url", Kind: Text, Applies: in(answers.MeshMode)},
			{Path: "access.mesh.gateway", Kind: Choice, Applies: both(in(answers.MeshMode), offers(meshOffers)), Options: choices(meshOffers, "access.mesh.gateway")},
			{Path: "access.mesh.gateway", Kind: Text, Optional: true, Applies: both(in(answers.MeshMode), both(istioThere, not(offers(meshOffers))))},
			{Path: "access.gateway.parent", Kind: Choice, Applies: both(in(answers.GatewayMode), offers(gatewayOffers)), Options: choices(gatewayOffers, "access.gateway.parent")},
			{Path: "access.gateway.parent", Kind: Text, Applies: both(in(answers.GatewayMode), not(offers(gatewayOffers)))},
			{Path: "access.gateway.host", Kind: Text, Applies: in(answers.GatewayMode)},
			{Path: "access.gateway.protocol", Kind: Choice, Applies: in(answers.GatewayMode)},
		},
		Probes: []Probe{
			{ID: "access", Title: "Looking at the access path", Inputs: accessInputs, After: []string{"cluster", "namespace"}, Run: judgeAccess},
			{ID: "reach", Title: "Trying to reach the host", Inputs: accessInputs, After: []string{"cluster"}, Run: tryHost},
		},
	}
}

// judgeAccess applies the registry's rules to the facts. The controller that
// was found decides which values the chart needs; one that is named in answers
// that nobody sits at is held against it instead.
func judgeAccess(_ context.Context, _ Engine, s State) Outcome {
	if s.Found.Cluster == nil || s.Found.Namespace == nil {
		return Outcome{}
	}
	var learn func(*State)
	if id, _ := preflight.Controller(*s.Found.Cluster, s.Answers); id != "" && s.Answers.Access.Mode == answers.IngressMode && (!s.Unattended || s.Answers.Access.Ingress.Controller == "") {
		learn = func(s *State) { s.Answers.Access.Ingress.Controller = id }
		learn(&s)
	}
	return Outcome{Learn: learn, Checks: answered(s, preflight.Access(*s.Found.Cluster, *s.Found.Namespace, s.Answers))}
}

// answered leaves out what is wrong only because nothing was chosen yet: the
// answers' own validation tells that.
func answered(s State, checks []check.Check) []check.Check {
	return slices.DeleteFunc(checks, func(c check.Check) bool {
		asked := c.ID == "ingress.class" || c.ID == "gateway.parent" || c.ID == "mesh.gateway" && !s.Unattended && len(meshOffers(s)) > 0
		return asked && s.Answers.Get(c.Field) == ""
	})
}

func tryHost(ctx context.Context, e Engine, s State) Outcome {
	if s.Found.Cluster == nil || s.Answers.Access.Mode == answers.Tunnel || len(s.Answers.Validate().Problems.About("access")) > 0 {
		return Outcome{}
	}
	return Outcome{Checks: e.Reach(ctx, s.Answers, *s.Found.Cluster)}
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

func overHTTPS(s State) bool { return s.Answers.Access.Ingress.Protocol == "https" }

// offering is what the cluster knows and a person can choose.
type offering func(State) []access.Offer

func classOffers(s State) []access.Offer   { return fromCluster(s, access.Classes) }
func meshOffers(s State) []access.Offer    { return fromCluster(s, access.MeshGateways) }
func gatewayOffers(s State) []access.Offer { return fromCluster(s, access.GatewayParents) }

// istioThere reports whether the cluster knows Istio's objects, also where they
// may not be listed.
func istioThere(s State) bool {
	if s.Found.Cluster == nil {
		return false
	}
	_, _, _, there := access.VirtualServicePlace(*s.Found.Cluster)
	return there
}

func fromCluster(s State, find func(facts.Cluster) []access.Offer) []access.Offer {
	if s.Found.Cluster == nil {
		return nil
	}
	return find(*s.Found.Cluster)
}

func offers(find offering) func(State) bool {
	return func(s State) bool { return len(find(s)) > 0 }
}

// choices offers what the cluster knows, and keeps an answer that it does not.
func choices(find offering, path string) func(State) []answers.Choice {
	return func(s State) []answers.Choice {
		var list []answers.Choice
		own, known := s.Answers.Get(path), false
		for _, offer := range find(s) {
			list = append(list, answers.Choice{Value: offer.Value, Meaning: offer.Meaning})
			known = known || offer.Value == own
		}
		if own != "" && !known {
			list = append(list, answers.Choice{Value: own, Meaning: "not found in the cluster"})
		}
		return list
	}
}

// hostsInUse helps to think of a name.
func hostsInUse(s State) string {
	if s.Found.Cluster == nil || s.Answers.Access.Ingress.Host != "" {
		return ""
	}
	hosts := access.Hosts(*s.Found.Cluster)
	if len(hosts) == 0 {
		return ""
	}
	return "in use in this cluster: " + strings.Join(hosts[:min(3, len(hosts))], ", ")
}

// controllerFound says where the controller's values come from.
func controllerFound(s State) string {
	if s.Found.Cluster == nil || s.Answers.Access.Ingress.Class == "" {
		return ""
	}
	if _, name := preflight.Controller(*s.Found.Cluster, s.Answers); name != "" {
		return "served by " + name + ", found in the cluster"
	}
	return ""
}
