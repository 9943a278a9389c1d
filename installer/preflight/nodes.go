package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// The documentation's rule: at least one node of this size.
const (
	neededCPU    = 2000          // in thousandths
	neededMemory = 5_000_000_000 // bytes
)

// nodes applies the rule to capacity, and warns when what is allocatable or
// free is less.
func nodes(c facts.Cluster) check.Check {
	const id, field = "cluster.nodes", "cluster.context"
	if missing, all := c.Could(facts.Nodes); !all {
		return unread(id, field, missing)
	}
	usable := slices.DeleteFunc(slices.Clone(c.Nodes), func(n facts.Node) bool { return unusable(n) != "" })
	rule := fmt.Sprintf("rule: at least one node with %s and %s", cpu(neededCPU), memory(neededMemory))
	switch {
	case len(c.Nodes) == 0:
		return because(judged(id, field, check.Warn, "the cluster shows no nodes"), "Serverless clusters add them when pods ask; others cannot run anything.",
			"Go on if nodes come on demand; else add one with "+cpu(neededCPU)+" and "+memory(neededMemory)+".")
	case !slices.ContainsFunc(c.Nodes, func(n facts.Node) bool { return unusable(n) == "" && fits(n.Capacity) }):
		return seen(because(judged(id, field, check.Fail, "no node is large enough and open to pods"), rule+".",
			"Add a node, or make one ready: kubectl get nodes"), "%s", describe(c.Nodes))
	}
	return seen(freeVerdict(id, field, c, usable), "%s; %s", rule, describe(c.Nodes))
}

func freeVerdict(id, field string, c facts.Cluster, usable []facts.Node) check.Check {
	if !slices.ContainsFunc(usable, func(n facts.Node) bool { return fits(n.Allocatable) }) {
		return because(judged(id, field, check.Warn, "the nodes are large enough, but not all of them is for pods"),
			"Kubernetes keeps a part of each node for itself.", "Watch for pods that stay pending, and add a node then.")
	}
	if missing, all := c.Could(facts.Pods); !all {
		return because(judged(id, field, check.Warn, "%d of %d nodes are usable; what is free on them is not known", len(usable), len(c.Nodes)), missing.String()+".",
			"Look yourself: kubectl describe nodes")
	}
	var free facts.Amount
	for _, node := range usable {
		free = free.Plus(node.Free())
	}
	if !fits(free) {
		return because(judged(id, field, check.Warn, "the cluster is nearly full: %s and %s are free", cpu(free.MilliCPU), memory(free.Memory)),
			"The runtime asks for about "+cpu(neededCPU)+" and "+memory(neededMemory)+".", "Add a node, or let the autoscaler do it.")
	}
	return judged(id, field, check.Pass, "%d of %d nodes usable, %s and %s free", len(usable), len(c.Nodes), cpu(free.MilliCPU), memory(free.Memory))
}

func fits(a facts.Amount) bool { return a.MilliCPU >= neededCPU && a.Memory >= neededMemory }

// unusable says why the runtime's pods cannot go to a node.
func unusable(n facts.Node) string {
	switch {
	case n.Virtual():
		return "virtual"
	case !n.Ready:
		return "not ready"
	case n.Closed:
		return "cordoned"
	case n.OS != "" && n.OS != "linux":
		return n.OS
	case len(n.Taints) > 0:
		return "taint " + n.Taints[0]
	}
	return ""
}

// describe lists the nodes, the first few of them.
func describe(all []facts.Node) string {
	const most = 5
	var lines []string
	for i, n := range all {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		state := unusable(n)
		if state == "" {
			state = "ready"
		}
		free := n.Free()
		lines = append(lines, fmt.Sprintf("%s: %s, %s, has %s and %s, allocatable %s and %s, free %s and %s", n.Name, state, n.Arch,
			cpu(n.Capacity.MilliCPU), memory(n.Capacity.Memory), cpu(n.Allocatable.MilliCPU), memory(n.Allocatable.Memory), cpu(free.MilliCPU), memory(free.Memory)))
	}
	return strings.Join(lines, "; ")
}

// architectures of the nodes against those that the chart's images are made
// for. Which node a pod gets is the scheduler's choice, so that one odd node
// is enough for trouble.
func architectures(c facts.Cluster) check.Check {
	const id, field = "cluster.architecture", "cluster.context"
	if missing, all := c.Could(facts.Nodes); !all {
		return unread(id, field, missing)
	}
	var known, odd []string
	for _, n := range c.Nodes {
		switch {
		case unusable(n) != "" || n.Arch == "":
		case slices.Contains(imageArchitectures, n.Arch):
			known = append(known, n.Arch)
		default:
			odd = append(odd, n.Arch)
		}
	}
	want := strings.Join(imageArchitectures, " and ")
	switch {
	case len(odd) > 0 && len(known) == 0:
		return because(judged(id, field, check.Fail, "the nodes are %s", list(odd)), "The chart's images are made for "+want+".", "Add nodes of one of these.")
	case len(odd) > 0:
		return because(judged(id, field, check.Warn, "some nodes are %s", list(odd)), "The chart's images are made for "+want+", and a pod may land on any node.",
			"Keep the runtime off them with a values file: global.nodeSelector: {kubernetes.io/arch: "+known[0]+"}, and sealed-secrets.nodeSelector the same.")
	}
	return judged(id, field, check.Pass, "the images run on the nodes' %s", orNone(list(known)))
}

// imageArchitectures are what all images of the chart are made for.
var imageArchitectures = []string{"amd64", "arm64"}

func orNone(words string) string {
	if words == "" {
		return "architecture, once there are any"
	}
	return words
}
