package cluster

import (
	"context"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// OfHooks finds what hooks have left. The hooks of every runtime give the same
// names to their roles and bindings for the whole cluster: those that serve
// another namespace are not this one's.
func (c *Connection) OfHooks(ctx context.Context, namespace string, manifests ...string) ([]Found, error) {
	finder, err := c.Finder(ctx)
	if err != nil {
		return nil, err
	}
	found, err := finder.Find(ctx, namespace, manifests...)
	if err != nil {
		return nil, err
	}
	roles := map[string]bool{} // of other namespaces
	strange := func(o Found) bool {
		if o.Kind != "ClusterRoleBinding" || err != nil {
			return false
		}
		var binding *rbacv1.ClusterRoleBinding
		binding, err = c.Client.RbacV1().ClusterRoleBindings().Get(ctx, o.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			err = nil
			return true
		}
		if err != nil || serves(binding, namespace) {
			return false
		}
		roles[binding.RoleRef.Name] = true
		return true
	}
	found = slices.DeleteFunc(found, strange)
	if err != nil {
		return nil, fmt.Errorf("reading what a hook has left: %w", err)
	}
	return slices.DeleteFunc(found, func(o Found) bool { return o.Kind == "ClusterRole" && roles[o.Name] }), nil
}

func serves(binding *rbacv1.ClusterRoleBinding, namespace string) bool {
	return slices.ContainsFunc(binding.Subjects, func(s rbacv1.Subject) bool { return s.Namespace == namespace })
}
