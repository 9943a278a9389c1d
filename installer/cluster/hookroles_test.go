package cluster

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// The hooks of two runtimes bind roles of the same name.
func TestWhomABindingServes(t *testing.T) {
	binding := &rbacv1.ClusterRoleBinding{Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: "validate-values-sa", Namespace: "codefresh"}}}
	for namespace, want := range map[string]bool{"codefresh": true, "staging": false, "": false} {
		if got := serves(binding, namespace); got != want {
			t.Errorf("%q: %v, want %v", namespace, got, want)
		}
	}
}
