package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// fixture is the objects of one way into a cluster.
type fixture struct {
	t       testing.TB
	objects []*unstructured.Unstructured
}

// edit changes a fixture in one way.
type edit func(*fixture)

// loadFixture reads a file of testdata/access.
func loadFixture(t testing.TB, name string, edits ...edit) *fixture {
	t.Helper()
	f := &fixture{t: t}
	f.add(name)
	for _, change := range edits {
		change(f)
	}
	return f
}

func (f *fixture) add(name string) {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "access", name+".yaml"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.addText(string(text))
}

func (f *fixture) addText(text string) {
	f.t.Helper()
	for document := range strings.SplitSeq(text, "\n---\n") {
		object := &unstructured.Unstructured{}
		inJSON, err := yaml.YAMLToJSON([]byte(document))
		if err == nil {
			err = object.UnmarshalJSON(inJSON)
		}
		if err != nil {
			f.t.Fatalf("this is not an object: %v\n%s", err, document)
		}
		f.objects = append(f.objects, object)
	}
}

// object finds one by KIND/NAME.
func (f *fixture) object(reference string) *unstructured.Unstructured {
	f.t.Helper()
	for _, object := range f.objects {
		if object.GetKind()+"/"+object.GetName() == reference {
			return object
		}
	}
	f.t.Fatalf("the fixture has no %s", reference)
	return nil
}

// container changes the first container of the first workload.
func (f *fixture) container(change func(container map[string]any)) {
	f.t.Helper()
	path := []string{"spec", "template", "spec", "containers"}
	containers, _, err := unstructured.NestedSlice(f.workloads()[0].Object, path...)
	if err != nil || len(containers) == 0 {
		f.t.Fatalf("the workload has no containers: %v", err)
	}
	change(containers[0].(map[string]any))
	if err := unstructured.SetNestedSlice(f.workloads()[0].Object, containers, path...); err != nil {
		f.t.Fatal(err)
	}
}

// beyond are the objects that another fixture does not have.
func (f *fixture) beyond(other *fixture) []*unstructured.Unstructured {
	var found []*unstructured.Unstructured
	for _, object := range f.objects {
		if !slices.ContainsFunc(other.objects, func(o *unstructured.Unstructured) bool {
			return o.GetKind() == object.GetKind() && o.GetNamespace() == object.GetNamespace() && o.GetName() == object.GetName()
		}) {
			found = append(found, object)
		}
	}
	return found
}

func (f *fixture) workloads() []*unstructured.Unstructured {
	var found []*unstructured.Unstructured
	for _, object := range f.objects {
		if object.GetAPIVersion() == "apps/v1" {
			found = append(found, object)
		}
	}
	return found
}

// set sets a field of an object, KIND/NAME, to a value in YAML.
func set(reference, value string, keys ...string) edit {
	return func(f *fixture) {
		f.t.Helper()
		var parsed any
		err := yaml.Unmarshal([]byte(value), &parsed)
		if err == nil {
			err = unstructured.SetNestedField(f.object(reference).Object, parsed, keys...)
		}
		if err != nil {
			f.t.Fatalf("setting %v of %s: %v", keys, reference, err)
		}
	}
}

// unset takes a field away.
func unset(reference string, keys ...string) edit {
	return func(f *fixture) {
		f.t.Helper()
		unstructured.RemoveNestedField(f.object(reference).Object, keys...)
	}
}

// with adds objects: a file of testdata/access, or a text in YAML.
func with(file string) edit { return func(f *fixture) { f.add(file) } }

func withText(text string) edit { return func(f *fixture) { f.addText(text) } }

// flags gives the program flags, each in the place of one of the same name.
func flags(words ...string) edit {
	return func(f *fixture) {
		f.container(func(container map[string]any) {
			args, _ := container["args"].([]any)
			for _, word := range words {
				if at := slices.IndexFunc(args, func(arg any) bool { return flagName(arg) == flagName(word) }); at >= 0 {
					args[at] = word
					continue
				}
				args = append(args, word)
			}
			container["args"] = args
		})
	}
}

// noFlags takes flags away.
func noFlags(names ...string) edit {
	return func(f *fixture) {
		f.container(func(container map[string]any) {
			args, _ := container["args"].([]any)
			container["args"] = slices.DeleteFunc(args, func(arg any) bool { return slices.Contains(names, flagName(arg)) })
		})
	}
}

func flagName(arg any) string {
	name, _, _ := strings.Cut(arg.(string), "=")
	return name
}

// program is the image that runs, and variable one of its variables.
func program(image string) edit {
	return func(f *fixture) { f.container(func(container map[string]any) { container["image"] = image }) }
}

func variable(name, value string) edit {
	return func(f *fixture) {
		f.container(func(container map[string]any) {
			env, _ := container["env"].([]any)
			env = slices.DeleteFunc(env, func(one any) bool { return one.(map[string]any)["name"] == name })
			container["env"] = append(env, map[string]any{"name": name, "value": value})
		})
	}
}

// marks are what an owner leaves on its objects.
type marks struct{ labels, annotations map[string]string }

// ownedBy marks all objects but namespaces.
func ownedBy(owner marks) edit {
	return func(f *fixture) {
		for _, object := range f.objects {
			if object.GetKind() != "Namespace" {
				object.SetLabels(merged(object.GetLabels(), owner.labels))
				object.SetAnnotations(merged(object.GetAnnotations(), owner.annotations))
			}
		}
	}
}
