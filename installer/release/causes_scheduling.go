package release

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// autoscale gives an autoscaler time to say that a node is coming.
const autoscale = 20 * time.Second

// taintOf finds the taint in the scheduler's words, or in what we add to them.
var taintOf = regexp.MustCompile(`taint(?:\(s\)|s)? \{(?P<taint>[^}]*)\}`)

var schedulingCauses = []cause{
	{ID: "unschedulable-cpu", Reasons: []string{unschedulable}, Says: []string{"insufficient cpu"},
		Named: 2 * time.Second,
		What:  "no node has enough CPU left for pod {pod}",
		Fix:   "Add a node, or free CPU: `kubectl describe nodes` shows who asks for it. Waiting goes on, for an autoscaler may help."},
	{ID: "unschedulable-memory", Reasons: []string{unschedulable}, Says: []string{"insufficient memory"},
		Named: 2 * time.Second,
		What:  "no node has enough memory left for pod {pod}",
		Fix:   "Add a node, or free memory: `kubectl describe nodes` shows who asks for it. Waiting goes on, for an autoscaler may help."},
	{ID: "unschedulable-ephemeral-storage", Reasons: []string{unschedulable}, Says: []string{"insufficient ephemeral-storage"},
		Named: 2 * time.Second,
		What:  "no node has enough ephemeral storage left for pod {pod}",
		Fix:   "Add a node with a larger disk, or free some: `kubectl describe nodes`. Waiting goes on, for an autoscaler may help."},
	{ID: "unschedulable-pods", Reasons: []string{unschedulable}, Says: []string{"too many pods"},
		Named: 2 * time.Second,
		What:  "the nodes hold as many pods as they may, so pod {pod} finds no place",
		Fix:   "Add a node, or raise the nodes' limit of pods. Waiting goes on, for an autoscaler may help."},
	{ID: "claim-missing", Reasons: []string{unschedulable}, Says: []string{`persistentvolumeclaim "`},
		Only:  func(s symptom) bool { return says(s.Message, []string{"not found"}) },
		Named: 2 * time.Second, Fatal: true, Grace: 8 * time.Second, Alone: true,
		What: "the volume claim that pod {pod} needs does not exist",
		Fix:  "Create it, or correct the claim's name in your values file: `kubectl get pvc --namespace {namespace}`."},
	{ID: "unschedulable-volume", Reasons: []string{unschedulable},
		Says:  []string{"unbound immediate persistentvolumeclaims", "volume node affinity conflict", "didn't find available persistent volumes", "exceed max volume count"},
		Named: 2 * time.Second,
		What:  "no node can have the volume that pod {pod} needs",
		Fix:   "See what the claim waits for with `kubectl describe pvc --namespace {namespace}`, and in which zone its volume is."},
	{ID: "unschedulable-selector", Reasons: []string{unschedulable}, Says: []string{"didn't match pod's node affinity/selector", "didn't match node selector"}, Only: hopeless,
		Named: 2 * time.Second, Fatal: true, Grace: autoscale, Field: "options.values",
		What: "no node has the labels that pod {pod} asks for",
		Fix:  "Correct global.nodeSelector or the affinity in your values file, or label a node: `kubectl get nodes --show-labels`."},
	{ID: "nodes-not-ready", Reasons: []string{unschedulable}, Says: []string{"node.kubernetes.io/", "/uninitialized", "were unschedulable", "no nodes available"},
		Named: 2 * time.Second,
		What:  "no node is ready to take pod {pod}",
		Fix:   "See why with `kubectl get nodes`; a cordoned node is opened with `kubectl uncordon NODE`. Waiting goes on until one is."},
	{ID: "unschedulable-taint", Reasons: []string{unschedulable}, Says: []string{"untolerated taint"}, Only: func(s symptom) bool { return taintOf.MatchString(s.Message) && hopeless(s) },
		Named: 2 * time.Second, Fatal: true, Grace: autoscale, Field: "options.values", Finds: taintOf,
		What: "every node has a taint that pod {pod} does not tolerate: {taint}",
		Fix:  "Set global.tolerations in a values file, or take the taint away: `kubectl taint nodes --all KEY-`."},
	{ID: "unschedulable-affinity", Reasons: []string{unschedulable}, Says: []string{"pod affinity", "anti-affinity", "topology spread"},
		Named: 2 * time.Second, Field: "options.ha",
		What: "the pods of {name} may not share nodes, and there are too few",
		Fix:  "Add nodes: high availability wants at least three. Waiting goes on, for an autoscaler may help."},
	{ID: "unschedulable", Reasons: []string{unschedulable},
		Named: 3 * time.Second,
		What:  "no node takes pod {pod}",
		Fix:   "See why with `kubectl describe pod {pod} --namespace {namespace}`. Waiting goes on until one does."},
}

var (
	nodesInAll = regexp.MustCompile(`0/(\d+) nodes are available`)
	nodesOut   = regexp.MustCompile(`(?i)(\d+) node\(s\) (?:didn't match pod's node affinity/selector|didn't match node selector|had untolerated taint)`)
)

// hopeless reports whether the scheduler rules every node out for a reason that
// no waiting mends: its labels, or a taint that is not that of a node which is
// coming up.
func hopeless(s symptom) bool {
	told, _, _ := strings.Cut(s.Message, "preemption:")
	all := nodesInAll.FindStringSubmatch(told)
	if all == nil || says(s.Message, []string{"{node.kubernetes.io/", " node.kubernetes.io/", "/uninitialized"}) {
		return false
	}
	out := 0
	for _, part := range nodesOut.FindAllStringSubmatch(told, -1) {
		number, _ := strconv.Atoi(part[1])
		out += number
	}
	return strconv.Itoa(out) == all[1]
}
