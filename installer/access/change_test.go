package access

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/fake"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// asJSON is a value as the API server keeps it.
func asJSON(t *testing.T, value any) map[string]any {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// objectIn writes the object that a repair is about, as far as facts know it.
func objectIn(t *testing.T, cluster facts.Cluster, r check.Repair) map[string]any {
	t.Helper()
	name := facts.Name{Namespace: r.Namespace, Name: r.Name}
	group := metav1.TypeMeta{APIVersion: schema.GroupVersion{Group: r.Group, Version: r.Version}.String()}
	object := func(kind string, m facts.Meta) map[string]any {
		meta := metav1.ObjectMeta{Namespace: m.Namespace, Name: m.Name.Name, Labels: m.Labels, Annotations: m.Annotations}
		return map[string]any{"apiVersion": group.APIVersion, "kind": kind, "metadata": meta}
	}
	for _, w := range cluster.Workloads {
		if w.Meta.Name == name && r.Resource == strings.ToLower(w.Kind)+"s" {
			var containers []map[string]any
			for _, c := range w.Containers {
				container := map[string]any{"name": c.Name, "image": c.Image}
				if len(c.Args) > 0 {
					container["args"] = c.Args
				}
				containers = append(containers, container)
			}
			deployed := object(w.Kind, w.Meta)
			deployed["spec"] = map[string]any{"template": map[string]any{"spec": map[string]any{"containers": containers}}}
			return asJSON(t, deployed)
		}
	}
	if service, found := cluster.Service(name); found && r.Resource == "services" {
		return asJSON(t, object("Service", service.Meta))
	}
	if data, found := cluster.ConfigMap(name); found && r.Resource == "configmaps" {
		settings := object("ConfigMap", facts.Meta{Name: name})
		settings["data"] = data
		return asJSON(t, settings)
	}
	t.Fatalf("the repair is of %s, which is not in the cluster", r.Object())
	return nil
}

// patch applies operations to an object as an API server would.
func patch(t *testing.T, r check.Repair, object map[string]any, operations []check.Operation) (map[string]any, error) {
	t.Helper()
	body, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	client := fake.NewSimpleDynamicClient(runtime.NewScheme(), &unstructured.Unstructured{Object: object})
	resource := schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
	changed, err := client.Resource(resource).Namespace(r.Namespace).Patch(t.Context(), r.Name, types.JSONPatchType, body, metav1.PatchOptions{})
	if err != nil {
		return nil, err
	}
	return changed.Object, nil
}

// repair applies a check's repair to the cluster. It also takes it back, and
// holds that nothing of it is left; and that it is refused once the object has
// changed.
func repair(t *testing.T, cluster facts.Cluster, c check.Check) facts.Cluster {
	t.Helper()
	if c.Repair == nil {
		t.Fatalf("%s has no repair: %s", c.ID, c.Fix)
	}
	before := objectIn(t, cluster, *c.Repair)
	after, err := patch(t, *c.Repair, before, c.Repair.Patch)
	if err != nil {
		t.Fatalf("%s cannot be repaired: %v", c.ID, err)
	}
	undone, err := patch(t, *c.Repair, after, c.Repair.Undo)
	if err != nil {
		t.Fatalf("the repair of %s cannot be taken back: %v", c.ID, err)
	}
	if diff := cmp.Diff(prune(before), prune(undone)); diff != "" {
		t.Errorf("the repair of %s leaves a trace:\n%s", c.ID, diff)
	}
	if _, err := patch(t, *c.Repair, undone, c.Repair.Undo); err == nil {
		t.Errorf("the repair of %s can be taken back twice", c.ID)
	}
	return withObject(t, cluster, *c.Repair, after)
}

// prune drops what means the same as nothing.
func prune(object map[string]any) map[string]any {
	kept := map[string]any{}
	for key, value := range object {
		if child, ok := value.(map[string]any); ok {
			if value = prune(child); len(value.(map[string]any)) == 0 {
				continue
			}
		}
		if value != nil {
			kept[key] = value
		}
	}
	return kept
}

// withObject reads a changed object back into the facts.
func withObject(t *testing.T, cluster facts.Cluster, r check.Repair, object map[string]any) facts.Cluster {
	t.Helper()
	name := facts.Name{Namespace: r.Namespace, Name: r.Name}
	changed := unstructured.Unstructured{Object: object}
	cluster.Workloads, cluster.Services, cluster.ConfigMaps = slices.Clone(cluster.Workloads), slices.Clone(cluster.Services), maps.Clone(cluster.ConfigMaps)
	switch r.Resource {
	case "services":
		index := slices.IndexFunc(cluster.Services, func(s facts.Service) bool { return s.Meta.Name == name })
		cluster.Services[index].Labels, cluster.Services[index].Annotations = changed.GetLabels(), changed.GetAnnotations()
	case "configmaps":
		cluster.ConfigMaps[name], _, _ = unstructured.NestedStringMap(object, "data")
	default:
		index := slices.IndexFunc(cluster.Workloads, func(w facts.Workload) bool { return w.Meta.Name == name })
		containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
		cluster.Workloads[index].Containers = slices.Clone(cluster.Workloads[index].Containers)
		for i, container := range containers {
			cluster.Workloads[index].Containers[i].Args, _, _ = unstructured.NestedStringSlice(container.(map[string]any), "args")
		}
	}
	return cluster
}

func TestSetArgs(t *testing.T) {
	for _, args := range [][]string{nil, {"--one", "--two=2"}} {
		cluster := facts.Cluster{Workloads: []facts.Workload{{Meta: facts.Meta{Name: facts.Name{Namespace: "web", Name: "edge"}}, Kind: "DaemonSet",
			Containers: []facts.Container{{Name: "sidecar"}, {Name: "edge", Args: args}}}}}
		change := setArgs(cluster.Workloads[0], 1, "set three", []string{"--three"})
		repaired := repair(t, cluster, check.Check{ID: "args", Repair: &change})
		if got := repaired.Workloads[0].Containers[1].Args; !slices.Equal(got, []string{"--three"}) {
			t.Errorf("from %q, the arguments became %q", args, got)
		}
		if len(args) > 0 {
			meanwhile := withObject(t, cluster, change, objectIn(t, cluster, change))
			meanwhile.Workloads[0].Containers[1].Args = []string{"--other"}
			if _, err := patch(t, change, objectIn(t, meanwhile, change), change.Patch); err == nil {
				t.Error("arguments that had changed meanwhile were overwritten")
			}
		}
		moved := withObject(t, cluster, change, objectIn(t, cluster, change))
		slices.Reverse(moved.Workloads[0].Containers)
		if _, err := patch(t, change, objectIn(t, moved, change), change.Patch); err == nil {
			t.Error("another container was changed")
		}
	}
}

func TestSetEntry(t *testing.T) {
	name := facts.Name{Namespace: "web", Name: "settings"}
	for _, data := range []map[string]string{nil, {"other": "1"}, {"a/key~": "old", "other": "1"}} {
		cluster := facts.Cluster{ConfigMaps: map[facts.Name]map[string]string{name: data}}
		change := setEntry(facts.Meta{Name: name}, check.Repair{Version: "v1", Resource: "configmaps"}, "/data", data, "a/key~", "new")
		want := maps.Clone(data)
		if want == nil {
			want = map[string]string{}
		}
		want["a/key~"] = "new"
		if got := repair(t, cluster, check.Check{ID: "entry", Repair: &change}).ConfigMaps[name]; !maps.Equal(got, want) {
			t.Errorf("from %v, the data became %v", data, got)
		}
	}
}

func TestChangesInTheOwnersWords(t *testing.T) {
	change := Change{
		Repair: check.Repair{Title: "report addresses"}, Chart: Chart{Name: "edge", Repository: "https://charts.example.com"},
		Values: map[string]string{"controller.report.enable": "true", "controller.report.only": "a,b", `controller.annotations.example\.com/mode`: "on: x"},
	}
	helm := facts.Owner{Kind: facts.HelmOwner, Name: "edge", Namespace: "web", Chart: "edge-chart-4.11.3_build"}
	for _, test := range []struct {
		name   string
		owner  facts.Owner
		change Change
		want   string
	}{
		{"Helm", helm, change, `helm upgrade edge edge --repo https://charts.example.com --namespace web --version 4.11.3+build --reuse-values` +
			` --set 'controller.annotations.example\.com/mode=on: x' --set controller.report.enable=true --set 'controller.report.only=a\,b'`},
		{"Helm, without values", helm, Change{Repair: change.Repair}, "Change it in the Helm release edge of namespace web: report addresses"},
		{"Argo CD", facts.Owner{Kind: facts.ArgoCDOwner, Name: "edge"}, Change{Repair: change.Repair},
			"Change it in Git, where Argo CD's Application edge reads it; a change in the cluster would be reverted. What to change: report addresses."},
		{"Flux", facts.Owner{Kind: facts.FluxOwner, Name: "edge", Namespace: "flux-system"}, Change{Repair: change.Repair, Values: map[string]string{"a.b": "c"}},
			"Change it in Git, where Flux reads flux-system/edge; a change in the cluster would be reverted. Its chart's values: a.b=c; or: report addresses."},
		{"an operator", facts.Owner{Kind: facts.OperatorOwner, Name: "Edge one"}, Change{Custom: "kubectl patch edge one"}, "kubectl patch edge one"},
		{"an add-on", facts.Owner{Kind: facts.AddonOwner}, change, "It belongs to add-on manager, which would revert a change: make it there. What to change: report addresses."},
	} {
		if got := test.change.forOwner(test.owner); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// The manifest for k3s opens each level once, so that it is YAML, and says what
// helm's --set would say.
func TestHelmChartConfig(t *testing.T) {
	change := Change{Chart: Chart{Name: "edge"}, Values: map[string]string{
		"controller.report.enable": "true", "controller.report.service": "web/edge", "controller.kind": "DaemonSet", `controller.marks.example\.com/mode`: "on: x", "top": "1"}}
	printed := change.forOwner(facts.Owner{Kind: facts.K3sOwner})
	_, manifest, _ := strings.Cut(printed, "\n")
	var config struct {
		Metadata struct{ Name, Namespace string }
		Spec     struct{ ValuesContent string }
	}
	if err := yaml.UnmarshalStrict([]byte(manifest), &struct {
		APIVersion, Kind string
		Metadata         any
		Spec             any
	}{}); err != nil {
		t.Fatalf("%v in\n%s", err, manifest)
	}
	if err := yaml.Unmarshal([]byte(manifest), &config); err != nil || config.Metadata.Name != "edge" || config.Metadata.Namespace != "kube-system" {
		t.Fatalf("%v, %+v", err, config)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict([]byte(config.Spec.ValuesContent), &values); err != nil {
		t.Fatalf("%v in\n%s", err, config.Spec.ValuesContent)
	}
	want := map[string]any{"top": float64(1), "controller": map[string]any{"kind": "DaemonSet", "marks": map[string]any{"example.com/mode": "on: x"},
		"report": map[string]any{"enable": true, "service": "web/edge"}}}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("the values differ:\n%s", diff)
	}
}
