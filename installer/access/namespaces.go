package access

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// namespaceNameLabel is set by Kubernetes on every namespace.
const namespaceNameLabel = "kubernetes.io/metadata.name"

// labelsOfNamespace are those that the runtime's namespace has or will have.
func labelsOfNamespace(want Want) map[string]string {
	known := map[string]string{}
	maps.Copy(known, want.NamespaceLabels)
	known[namespaceNameLabel] = want.Namespace
	return known
}

// namespaceSelector reads a label selector as it stands in an untyped object.
// An empty one picks all namespaces.
func namespaceSelector(selector map[string]any) (labels.Selector, error) {
	var typed metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(selector, &typed); err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(&typed)
}

// selectsNamespace reports whether a selector picks the runtime's namespace.
// One that cannot be read picks nothing.
func selectsNamespace(want Want, selector map[string]any) bool {
	parsed, err := namespaceSelector(selector)
	return err == nil && parsed.Matches(labels.Set(labelsOfNamespace(want)))
}

// selectorWords writes a selector as kubectl takes it.
func selectorWords(selector map[string]any) string {
	parsed, err := namespaceSelector(selector)
	if err != nil {
		return "a selector that cannot be read"
	}
	return parsed.String()
}

// joinSelector tells how the runtime's namespace comes under a selector: by
// labels, where labels alone can do it.
func joinSelector(want Want, selector map[string]any) string {
	otherwise := "Change that selector so that it picks namespace " + want.Namespace + "."
	parsed, err := namespaceSelector(selector)
	if err != nil {
		return otherwise
	}
	requirements, _ := parsed.Requirements()
	for _, r := range requirements {
		if r.Key() == namespaceNameLabel && !r.Matches(labels.Set(labelsOfNamespace(want))) {
			return otherwise
		}
	}
	return labelCommand(want, parsed) + " (after kubectl create namespace, where it is not there yet)"
}
