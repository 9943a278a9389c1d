package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	k8stesting "k8s.io/client-go/testing"
)

// Who may not create namespaces can use one that is there.
func TestANamespaceIsCreatedOnlyWhereItIsMissing(t *testing.T) {
	client := fake.NewClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "given"}})
	client.PrependReactor("create", "namespaces", func(k8stesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, "", nil)
	})
	c := &Connection{Client: client}
	if made, err := c.EnsureNamespace(t.Context(), "given"); made || err != nil {
		t.Errorf("one that is there: made %v, %v", made, err)
	}
	if _, err := c.EnsureNamespace(t.Context(), "new"); !apierrors.IsForbidden(err) {
		t.Errorf("a new one: %v, want forbidden", err)
	}
	c.Client = fake.NewClientset()
	if made, err := c.EnsureNamespace(t.Context(), "new"); !made || err != nil {
		t.Errorf("a new one with the right: made %v, %v", made, err)
	}
}
