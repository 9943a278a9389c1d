package access

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/fake"

	"github.com/cfwizard/cfwizard/installer/check"
)

// mended applies a repair to an object of any kind as an API server would,
// takes it back, and gives the repaired object.
func mended(t *testing.T, c check.Check, object map[string]any) map[string]any {
	t.Helper()
	if c.Repair == nil {
		t.Fatalf("%s has no repair: %s", c.ID, c.Fix)
	}
	before := asJSON(t, object)
	after, err := served(t, *c.Repair, before, c.Repair.Patch)
	if err != nil {
		t.Fatalf("%s cannot be repaired: %v", c.ID, err)
	}
	undone, err := served(t, *c.Repair, after, c.Repair.Undo)
	if err != nil {
		t.Fatalf("the repair of %s cannot be taken back: %v", c.ID, err)
	}
	if diff := cmp.Diff(prune(before), prune(undone)); diff != "" {
		t.Errorf("the repair of %s leaves a trace:\n%s", c.ID, diff)
	}
	if _, err := served(t, *c.Repair, before, c.Repair.Undo); err == nil {
		t.Errorf("the repair of %s can be taken back where it was not made", c.ID)
	}
	return after
}

// served gives an object to an API server, and has it patched there.
func served(t *testing.T, r check.Repair, object map[string]any, operations []check.Operation) (map[string]any, error) {
	t.Helper()
	body, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	client := fake.NewSimpleDynamicClient(runtime.NewScheme()).Resource(schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}).Namespace(r.Namespace)
	kept := &unstructured.Unstructured{}
	if err := json.Unmarshal(jsonOf(t, object), kept); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Create(t.Context(), kept, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	changed, err := client.Patch(t.Context(), r.Name, types.JSONPatchType, body, metav1.PatchOptions{})
	if err != nil {
		return nil, err
	}
	return asJSON(t, changed.Object), nil
}

func jsonOf(t *testing.T, object any) []byte {
	t.Helper()
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
