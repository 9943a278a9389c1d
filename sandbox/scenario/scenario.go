// Package scenario names the ways in which the sandbox can misbehave. A
// scenario is data: faults of containers, switches of the stand-ins, and
// changes to the cluster.
package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/cluster"
	"github.com/cfwizard/cfwizard/sandbox/kubelet"
)

// Scenario is one way to misbehave.
type Scenario struct {
	Meaning  string
	Faults   map[string]kubelet.Outcome // by container
	Context  string                     // the user that the kubeconfig selects
	Nodes    string                     // the shape of the nodes
	Taint    bool                       // nodes refuse pods
	Quota    string                     // a namespace with a tight quota
	Platform map[string]string          // switches of the Codefresh stand-in
	Git      map[string]string          // switches of the Git stand-ins
	Hosts    bool                       // the runtime's host answers inside the cluster
}

// All are the scenarios by name.
var All = map[string]Scenario{
	"healthy": {Meaning: "everything works"},
	"slow-pods": {Meaning: "workloads need 20 s to get ready",
		Faults: map[string]kubelet.Outcome{"*": {Name: "ready", After: 20 * time.Second}}},
	"image-pull": {Meaning: "the image of cap-app-proxy cannot be pulled", Faults: map[string]kubelet.Outcome{
		"cap-app-proxy": {Name: "waiting", Reason: "ImagePullBackOff", Message: `Back-off pulling image "quay.io/codefresh/cap-app-proxy:1.4124.0": ErrImagePull: failed to resolve reference: not found`}}},
	"crash-loop": {Meaning: "gitops-operator crashes again and again", Faults: map[string]kubelet.Outcome{
		"gitops-operator": {Name: "crashed", Reason: "Error", ExitCode: "2", Log: []string{"starting gitops-operator", "panic: cannot read the configuration", "exit status 2"}}}},
	"validate-fails": {Meaning: "the validate-values Job fails and says why in its log", Faults: map[string]kubelet.Outcome{
		"validate-values": {Name: "failed", Log: []string{"level=info msg=\"validating values\"", `level=fatal msg="user \"ada\" does not have Admin role in account \"acme\""`}}}},
	"host-answers": {Meaning: "the runtime's host answers inside the cluster", Hosts: true},
	"never-ready": {Meaning: "workloads do not get ready before another scenario comes",
		Faults: map[string]kubelet.Outcome{"*": {Name: "ready", After: 1000 * time.Hour}}},
	"unschedulable": {Meaning: "no node accepts pods", Taint: true},
	"quota":         {Meaning: "the namespace codefresh may hold four pods", Quota: "codefresh"},
	"no-rights":     {Meaning: "the kubeconfig's user may do nothing", Context: cluster.NoRightsContext},
	"read-only":     {Meaning: "the kubeconfig's user may only read", Context: cluster.ReadOnlyContext},
}

func init() {
	for _, shape := range cluster.ShapeNames() {
		All["nodes-"+shape] = Scenario{Meaning: "nodes as on " + shape, Nodes: shape}
	}
}

// Names lists the scenarios in order.
func Names() []string { return slices.Sorted(maps.Keys(All)) }

// Find gives a scenario by name. codefresh.SWITCH[=VALUE] and
// git.SWITCH[=VALUE] set a switch of a stand-in.
func Find(name string) (Scenario, error) {
	if s, ok := All[name]; ok {
		return s, nil
	}
	target, rest, found := strings.Cut(name, ".")
	key, value, hasValue := strings.Cut(rest, "=")
	if !hasValue {
		value = "on"
	}
	switch {
	case found && target == "codefresh":
		return Scenario{Platform: map[string]string{key: value}}, nil
	case found && target == "git":
		return Scenario{Git: map[string]string{key: value}}, nil
	}
	return Scenario{}, fmt.Errorf("there is no scenario %q; known are %s, codefresh.SWITCH and git.SWITCH", name, strings.Join(Names(), ", "))
}

// Merge lays scenarios over each other, the later ones on top.
func Merge(names []string) (Scenario, error) {
	merged := Scenario{Faults: map[string]kubelet.Outcome{}, Context: cluster.AdminContext, Nodes: "plain", Platform: map[string]string{}, Git: map[string]string{}}
	for _, name := range names {
		s, err := Find(name)
		if err != nil {
			return merged, err
		}
		maps.Copy(merged.Faults, s.Faults)
		maps.Copy(merged.Platform, s.Platform)
		maps.Copy(merged.Git, s.Git)
		merged.Taint, merged.Hosts = merged.Taint || s.Taint, merged.Hosts || s.Hosts
		if s.Context != "" {
			merged.Context = s.Context
		}
		if s.Nodes != "" {
			merged.Nodes = s.Nodes
		}
		if s.Quota != "" {
			merged.Quota = s.Quota
		}
	}
	return merged, nil
}
