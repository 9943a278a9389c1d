package rehearsal

import (
	"errors"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// prop is one object of the rendered chart, and where it goes.
type prop struct {
	object     *unstructured.Unstructured
	hook       bool
	resource   schema.GroupVersionResource
	namespaced bool
	unknown    bool // the API server does not serve its kind yet
}

// name is the object for people.
func (p prop) name() string { return p.object.GetKind() + " " + p.object.GetName() }

// parse reads the documents of a rendering. Empty ones are left out.
func parse(manifests string) ([]prop, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(manifests), 4096)
	var props []prop
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return props, nil
		}
		if err != nil {
			return nil, err
		}
		if object.GetKind() == "" || object.GetName() == "" {
			continue
		}
		props = append(props, prop{object: object, hook: object.GetAnnotations()["helm.sh/hook"] != ""})
	}
}

// place finds each object's resource and namespace.
func (s *stage) place(props []prop) {
	for i, p := range props {
		kind := p.object.GroupVersionKind()
		mapping, err := s.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			props[i].unknown = true
			continue
		}
		props[i].resource = mapping.Resource
		props[i].namespaced = mapping.Scope.Name() == meta.RESTScopeNameNamespace
		if props[i].namespaced && p.object.GetNamespace() == "" {
			p.object.SetNamespace(s.script.Namespace)
		}
	}
}
