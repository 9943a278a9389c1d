package steps

import (
	"slices"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// inMesh is a state in mesh mode, on a cluster with Istio and these Gateways.
func inMesh(gateways ...string) State {
	cluster := facts.Cluster{Groups: map[string]bool{"networking.istio.io": true}, Custom: map[string][]facts.Custom{}}
	for _, name := range gateways {
		cluster.Custom["gateways.networking.istio.io"] = append(cluster.Custom["gateways.networking.istio.io"],
			facts.Custom{Meta: facts.Meta{Name: facts.Name{Namespace: "istio-system", Name: name}}, Version: "v1"})
	}
	s := State{Answers: answers.Default()}
	s.Answers.Access.Mode, s.Found.Cluster = answers.MeshMode, &cluster
	return s
}

// Where there are no Gateways to choose from, the name is typed.
func TestTheMeshGatewayIsAskedFor(t *testing.T) {
	other := inMesh()
	other.Found.Cluster.Groups = nil
	for name, test := range map[string]struct {
		state State
		kinds []Kind
	}{
		"one to choose":      {inMesh("public"), []Kind{Choice}},
		"none can be listed": {inMesh(), []Kind{Text}},
		"another mesh":       {other, nil},
	} {
		var kinds []Kind
		for _, f := range accessStep().Asked(test.state) {
			if f.Path == "access.mesh.gateway" {
				kinds = append(kinds, f.Kind)
			}
		}
		if !slices.Equal(kinds, test.kinds) {
			t.Errorf("%s: asked as %v, want %v", name, kinds, test.kinds)
		}
	}
}

// Nobody is told that nothing is chosen before they could choose.
func TestWhatIsStillToBeChosenIsNotAProblem(t *testing.T) {
	chosen, unattended := inMesh("public"), inMesh("public")
	chosen.Answers.Access.Mesh.Gateway, unattended.Unattended = "istio-system/gone", true
	for name, test := range map[string]struct {
		state State
		told  int
	}{"not yet": {inMesh("public"), 0}, "nothing to choose": {inMesh(), 1}, "chosen": {chosen, 1}, "nobody sits here": {unattended, 1}} {
		told := answered(test.state, []check.Check{{ID: "mesh.gateway", Field: "access.mesh.gateway", Status: check.Warn}})
		if len(told) != test.told {
			t.Errorf("%s: told %v", name, told)
		}
	}
}

func TestAContextThatIsGoneStaysTheAnswer(t *testing.T) {
	s := State{Answers: answers.Default()}
	s.Answers.Cluster.Context, s.Found.Contexts, s.Found.Current = "gone", []string{"dev", "prod"}, "dev"
	choices := contextChoices(s)
	if last := choices[len(choices)-1]; len(choices) != 3 || last.Value != "gone" || last.Meaning != "not in the kubeconfig" {
		t.Errorf("offers %v", choices)
	}
	s.Answers.Cluster.Context = "prod"
	if choices := contextChoices(s); len(choices) != 2 {
		t.Errorf("offers %v", choices)
	}
}
