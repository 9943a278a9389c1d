package rehearsal

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func propOf(kind, group, resource string, namespaced bool) prop {
	props, err := parse("apiVersion: v1\nkind: " + kind + "\nmetadata: {name: a, namespace: codefresh}\n")
	if err != nil {
		panic(err)
	}
	p := props[0]
	p.resource, p.namespaced = schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}, namespaced
	return p
}

// The role holds what the objects need, and for roles the right to give away
// more than one has.
func TestTheRoleHoldsWhatIsNeeded(t *testing.T) {
	needed := neededFor([]prop{propOf("ClusterRole", "rbac.authorization.k8s.io", "clusterroles", false), propOf("Deployment", "apps", "deployments", true)}, "codefresh")
	role := ClusterRole(needed, "ada")
	for _, want := range []string{"kind: ClusterRole\n", "kind: ClusterRoleBinding\n", "- escalate", "- bind", "- clusterroles", "- deployments", "- pods/log", "name: ada", "- leases"} {
		if !strings.Contains(role, want) {
			t.Errorf("the role lacks %q\n%s", want, role)
		}
	}
	if strings.Contains(role, "'*'") || strings.Contains(role, "creationTimestamp") {
		t.Errorf("the role says too much\n%s", role)
	}
}

func TestAServiceAccountIsBoundAsOne(t *testing.T) {
	if got := subject("system:serviceaccount:ci:installer"); got.Kind != "ServiceAccount" || got.Namespace != "ci" || got.Name != "installer" {
		t.Errorf("bound as %+v", got)
	}
}

func TestParseLeavesOutWhatIsNoObject(t *testing.T) {
	props, err := parse("# only a comment\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {helm.sh/hook: pre-install}}\n---\n\n")
	if err != nil || len(props) != 1 || !props[0].hook {
		t.Errorf("parsed %v, %v", props, err)
	}
	if _, err := parse("a: [b"); err == nil {
		t.Error("broken YAML was taken")
	}
}

func TestRightsThatWereNotAnsweredNeverPass(t *testing.T) {
	r := &rights{needed: alwaysNeeded("codefresh"), said: map[right]answer{}}
	if got := r.verdict(Script{User: "ada"}); got.Status != "fail" || got.Fix == "" {
		t.Errorf("nothing was answered and the verdict is %s: %s", got.Status, got.Title)
	}
	for _, want := range r.needed {
		r.said[want] = allowed
	}
	if got := r.verdict(Script{User: "ada"}); got.Status != "pass" {
		t.Errorf("everything is allowed and the verdict is %s: %s", got.Status, got.Title)
	}
	r.said[r.needed[0]] = denied
	if got := r.verdict(Script{User: "ada"}); got.Status != "fail" || !strings.Contains(got.Fix, "kind: ClusterRole") {
		t.Errorf("one is denied and the verdict is %s: %s", got.Status, got.Fix)
	}
}
