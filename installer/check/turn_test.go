package check

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func apply(t *testing.T, list []string, operations []Operation) ([]string, error) {
	t.Helper()
	document, err := json.Marshal(map[string]any{"args": list})
	if err != nil {
		t.Fatal(err)
	}
	changed, err := patched(t, string(document), operations)
	if err != nil {
		return nil, err
	}
	var out struct{ Args []string }
	if err := json.Unmarshal(changed, &out); err != nil {
		t.Fatal(err)
	}
	return out.Args, nil
}

// Whatever the lists are, the patch makes one of the other and back.
func FuzzTurn(f *testing.F) {
	f.Add("a,b,c", "a,x,c")
	f.Add("a,b", "a,b,c")
	f.Add("a,b,c", "c")
	f.Add("a,a,a", "a")
	f.Add("x", "")
	f.Fuzz(func(t *testing.T, left, right string) {
		before, after := letters(left), letters(right)
		if len(before) == 0 {
			return
		}
		for name, turn := range map[string]func(string, []string, []string) []Operation{"whole": Turn, "by parts": turnParts} {
			if len(after) == 0 && name == "by parts" {
				continue
			}
			got, err := apply(t, before, turn("/args", before, after))
			if err != nil || !slices.Equal(got, after) && len(got)+len(after) > 0 {
				t.Fatalf("%s: %q to %q became %q, %v", name, before, after, got, err)
			}
		}
	})
}

func letters(s string) []string {
	var list []string
	for _, r := range s {
		list = append(list, string(r))
	}
	return list
}

func TestTurnRefusesAListThatHasChanged(t *testing.T) {
	for _, first := range []string{"a", "--token=x"} {
		if _, err := apply(t, []string{first, "other"}, Turn("/args", []string{first, "b"}, []string{first, "c"})); err == nil {
			t.Error("the patch was applied to a list that it was not made for")
		}
		if _, err := apply(t, []string{"z"}, Turn("/args", []string{first}, []string{first, "b"})); err == nil {
			t.Error("an addition was applied to a list that it was not made for")
		}
	}
}

func TestTurnDoesNotShowWhatIsDelicate(t *testing.T) {
	body, err := json.Marshal(Turn("/args", []string{"--hub.token=s3cret", "--a", "--b"}, []string{"--hub.token=s3cret", "--a", "--c"}))
	if err != nil || strings.Contains(string(body), "s3cret") {
		t.Errorf("the patch is %s, %v", body, err)
	}
}

// Commands lead to the cluster that was looked at, whichever is the current one.
func TestCommandsNameTheirCluster(t *testing.T) {
	const called = "kubectl --context prod-eu"
	patch := []Operation{{Op: "add", Path: "/x", Value: "y"}}
	inside, outside := Repair{Resource: "services", Namespace: "web", Name: "edge", Patch: patch, Undo: patch}, Repair{Resource: "ingressclasses", Name: "edge", Patch: patch}
	checks := At([]Check{{Fix: inside.Command(), Repair: &inside}, {Fix: outside.Command(), Repair: &outside}, {Fix: "Add a listener: kubectl -n web patch x"}, {Fix: "Ask."}, {Fix: "Is it up? kubectl --context prod-eu version"},
		{Fix: "Run: helm upgrade edge traefik. Helm and helm list stay."}}, Called{called, "helm --kube-context prod-eu"})
	for i, want := range []string{called + " -n web patch services edge", called + " patch ingressclasses edge", "Add a listener: " + called + " -n web patch x", "Ask.", "Is it up? " + called + " version",
		"Run: helm --kube-context prod-eu upgrade edge traefik. Helm and helm list stay."} {
		if !strings.HasPrefix(checks[i].Fix, want) {
			t.Errorf("the fix is %q, want %q", checks[i].Fix, want)
		}
	}
	for _, command := range []string{checks[0].Repair.Command(), checks[0].Repair.UndoCommand(), checks[1].Repair.Command()} {
		if !strings.HasPrefix(command, called+" ") {
			t.Errorf("the command is %q", command)
		}
	}
	if inside.Kubectl != "" {
		t.Error("the repair that was given has changed")
	}
}
