package access

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// deploymentJSON is the object behind the cluster's workload.
func deploymentJSON(t *testing.T, cluster facts.Cluster) []byte {
	t.Helper()
	var containers []map[string]any
	for _, c := range cluster.Workloads[0].Containers {
		container := map[string]any{"name": c.Name, "image": c.Image}
		if c.Args != nil {
			container["args"] = c.Args
		}
		containers = append(containers, container)
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": "traefik"},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": containers}}}})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func patched(t *testing.T, object []byte, operations []check.Operation) []byte {
	t.Helper()
	body, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(body)
	if err != nil {
		t.Fatal(err)
	}
	out, err := patch.Apply(object)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return out
}

// withArgsOf is the cluster after its workload was changed.
func withArgsOf(t *testing.T, cluster facts.Cluster, object []byte) facts.Cluster {
	t.Helper()
	var read struct {
		Spec struct {
			Template struct {
				Spec struct{ Containers []struct{ Args []string } }
			}
		}
	}
	if err := json.Unmarshal(object, &read); err != nil {
		t.Fatal(err)
	}
	cluster.Workloads = slices.Clone(cluster.Workloads)
	cluster.Workloads[0].Containers = slices.Clone(cluster.Workloads[0].Containers)
	for i, c := range read.Spec.Template.Spec.Containers {
		cluster.Workloads[0].Containers[i].Args = c.Args
	}
	return cluster
}

func TestTraefikRepairsArguments(t *testing.T) {
	for name, hidden := range traefikHidden {
		if !hidden.mends {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cluster := traefikByArguments(traefikWith(hidden.change...)...)
			repair := judged(t, cluster, traefikWant())[hidden.check].Repair
			before := deploymentJSON(t, cluster)
			after := patched(t, before, repair.Patch)
			if again := judged(t, withArgsOf(t, cluster, after), traefikWant())[hidden.check]; again.Status != check.Pass {
				t.Errorf("after the repair it is %s: %s", again.Status, again.Title)
			}
			if undone := patched(t, after, repair.Undo); !jsonpatch.Equal(before, undone) {
				t.Errorf("undo gives\n%s\nnot\n%s", undone, before)
			}
			if repair.Resource != "deployments" || repair.Warning == "" || !strings.Contains(repair.Title, "--providers.kubernetesingress") {
				t.Errorf("%+v", repair)
			}
		})
	}
}

// Two words for one flag, and flags in the command.
func TestTraefikRepairsOddArguments(t *testing.T) {
	cluster := traefikByArguments(traefikGood()...)
	program := traefikProgram(&cluster)
	program.Command = []string{"traefik", "--providers.kubernetesingress.ingressclass=internal"}
	program.Args = append(program.Args, "--providers.kubernetesIngress.disableIngressClassLookup", "--providers.kubernetesingress.namespaces", "traefik", "--ping")
	for _, id := range []string{"ingress.bound", "ingress.bound", "ingress.watched"} {
		got := judged(t, cluster, traefikWant())[id]
		if got.Repair == nil {
			t.Fatalf("%s is %s: %s", id, got.Status, got.Title)
		}
		cluster = withArgsOf(t, cluster, patched(t, deploymentJSON(t, cluster), got.Repair.Patch))
	}
	if args := traefikProgram(&cluster).Args; slices.Contains(args, "traefik") || !slices.Contains(args, "--ping") {
		t.Errorf("a word was left behind: %q", args)
	}
	checks := judged(t, cluster, traefikWant())
	if checks["ingress.bound"].Status != check.Pass || checks["ingress.watched"].Status != check.Pass {
		t.Errorf("%+v\n%+v", checks["ingress.bound"], checks["ingress.watched"])
	}
}

// What is printed for a file does the same when it is put in.
func TestTraefikChangeOfFile(t *testing.T) {
	for name, hidden := range traefikHidden {
		if !hidden.mends {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cluster := traefikCluster()
			content := treeYAML(traefikWith(hidden.change...))
			traefikFile(&cluster, "/etc/traefik", "traefik.yaml", content)
			head, rest, _ := strings.Cut(judged(t, cluster, traefikWant())[hidden.check].Fix, "\n")
			change, tail, _ := strings.Cut(rest, "Then: ")
			if !strings.HasPrefix(head, "In key traefik.yaml of ConfigMap traefik/traefik-config, ") || !strings.HasPrefix(tail, "kubectl -n traefik rollout restart deployment/traefik") {
				t.Errorf("%s … %s", head, tail)
			}
			traefikFile(&cluster, "/etc/traefik", "traefik.yaml", mergedYAML(t, content, change))
			if again := judged(t, cluster, traefikWant())[hidden.check]; again.Status != check.Pass {
				t.Errorf("after the change it is %s: %s", again.Status, again.Title)
			}
		})
	}
}

func mergedYAML(t *testing.T, content, change string) string {
	t.Helper()
	original, err := yaml.YAMLToJSON([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := yaml.YAMLToJSON([]byte(change))
	if err != nil {
		t.Fatalf("%v:\n%s", err, change)
	}
	merged, err := jsonpatch.MergePatch(original, patch)
	if err != nil {
		t.Fatal(err)
	}
	return string(merged)
}

func TestTraefikChangeOfTOML(t *testing.T) {
	cluster := traefikCluster()
	traefikSources["toml file"](&cluster, traefikWith(setting{ingressProvider + ".ingressEndpoint", nil}))
	fix := judged(t, cluster, traefikWant())["ingress.status"].Fix
	if !strings.Contains(fix, "[providers.kubernetesIngress.ingressEndpoint]\npublishedService = \"traefik/traefik\"\n") {
		t.Error(fix)
	}
}

// What is printed for variables does the same when it is run.
func TestTraefikChangeOfEnvironment(t *testing.T) {
	for name, hidden := range traefikHidden {
		if !hidden.mends {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cluster := traefikCluster()
			traefikSources["environment"](&cluster, traefikWith(hidden.change...))
			fix, _, _ := strings.Cut(judged(t, cluster, traefikWant())[hidden.check].Fix, "\n")
			rest, found := strings.CutPrefix(fix, "kubectl -n traefik set env deployment/traefik -c traefik ")
			if !found {
				t.Fatal(fix)
			}
			env := traefikProgram(&cluster).Env
			for word := range strings.FieldsSeq(rest) {
				name, value, given := strings.Cut(word, "=")
				if given {
					env[name] = value
				} else {
					delete(env, strings.TrimSuffix(name, "-"))
				}
			}
			if again := judged(t, cluster, traefikWant())[hidden.check]; again.Status != check.Pass {
				t.Errorf("after %s it is %s: %s", rest, again.Status, again.Title)
			}
		})
	}
}

func helmMarks(chart, namespace string) facts.Meta {
	return facts.Meta{Labels: map[string]string{"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": chart},
		Annotations: map[string]string{"meta.helm.sh/release-name": "edge", "meta.helm.sh/release-namespace": namespace}}
}

func TestTraefikOwners(t *testing.T) {
	const values = "providers.kubernetesIngress.publishedService.enabled=true"
	cases := map[string]struct {
		marks facts.Meta
		node  facts.Node
		why   string
		fix   string
	}{
		"Helm, chart 32": {marks: helmMarks("traefik-32.1.1", "web"), why: "Its chart leaves that off before version 33.",
			fix: "helm upgrade edge traefik --repo https://traefik.github.io/charts --namespace web --version 32.1.1 --reuse-values --set " + values},
		"Helm, chart 33": {marks: helmMarks("traefik-33.0.0", "web"), why: "Its chart does so by itself since version 33",
			fix: "helm upgrade edge traefik --repo https://traefik.github.io/charts --namespace web --version 33.0.0 --reuse-values --set " + values},
		"Helm, another chart": {marks: helmMarks("platform-1.0.0", "web"), fix: "Change it in the Helm release edge of namespace web: let Traefik report the address of Service traefik/traefik: --providers"},
		"Argo CD": {marks: facts.Meta{Annotations: map[string]string{"argocd.argoproj.io/tracking-id": "edge:apps/Deployment:traefik/traefik"}}, why: "Traefik reports none unless it is told which.",
			fix: "where Argo CD's Application edge reads it; a change in the cluster would be reverted. Its chart's values: " + values},
		"Flux": {marks: facts.Meta{Labels: map[string]string{"helm.toolkit.fluxcd.io/name": "edge", "helm.toolkit.fluxcd.io/namespace": "flux"}}, fix: "where Flux reads flux/edge"},
		"k3s by its marks": {marks: facts.Meta{Annotations: map[string]string{"objectset.rio.cattle.io/owner-name": "edge"}},
			fix: "kind: HelmChartConfig\nmetadata: {name: edge, namespace: kube-system}\nspec:\n  valuesContent: |-\n    providers:\n      kubernetesIngress:\n        publishedService:\n          enabled: true"},
		"k3s by its nodes": {marks: helmMarks("traefik-34.2.1_up34.2.0", "kube-system"), node: facts.Node{ProviderID: "k3s://n1"}, fix: "metadata: {name: edge, namespace: kube-system}"},
		"Helm on k3s":      {marks: helmMarks("traefik-37.0.0", "web"), node: facts.Node{ProviderID: "k3s://n1"}, fix: "helm upgrade edge traefik --repo"},
		"MicroK8s": {marks: helmMarks("traefik-39.0.8", "ingress"), node: facts.Node{Labels: map[string]string{"microk8s.io/cluster": "true"}},
			fix: "microk8s helm3 upgrade edge traefik --repo https://traefik.github.io/charts --namespace ingress"},
		"an operator": {marks: facts.Meta{Controller: "TraefikOperator/edge"}, fix: "What to change: let Traefik report the address"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil})...)
			for _, meta := range []*facts.Meta{&cluster.Workloads[0].Meta, &cluster.Services[0].Meta} {
				meta.Labels, meta.Annotations, meta.Controller = c.marks.Labels, c.marks.Annotations, c.marks.Controller
			}
			if c.node.ProviderID != "" || c.node.Labels != nil {
				cluster.Nodes = []facts.Node{c.node}
			}
			got := judged(t, cluster, traefikWant())["ingress.status"]
			if got.Status != check.Fail || got.Repair != nil || !strings.Contains(got.Fix, c.fix) || !strings.Contains(got.Why, c.why) {
				t.Errorf("%s, repair %v: %s\n%s", got.Status, got.Repair, got.Why, got.Fix)
			}
		})
	}
}

func TestTraefikOwnersOfOtherSources(t *testing.T) {
	for source, says := range map[string]string{"yaml file": "at its source if Argo CD (edge) keeps it", "environment": "It belongs to Argo CD (edge)"} {
		cluster := traefikCluster()
		cluster.Workloads[0].Annotations = map[string]string{"argocd.argoproj.io/tracking-id": "edge:x"}
		traefikSources[source](&cluster, traefikWith(setting{ingressProvider, nil}))
		if got := judged(t, cluster, traefikWant())["ingress.bound"]; !strings.Contains(got.Fix, says) || got.Repair != nil {
			t.Errorf("%s: %s", source, got.Fix)
		}
	}
}

func TestTraefikChartLists(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".namespaces", []string{"traefik"}})...)
	marks := helmMarks("traefik-34.0.0", "kube-system")
	cluster.Workloads[0].Labels, cluster.Workloads[0].Annotations = marks.Labels, marks.Annotations
	byHelm := judged(t, cluster, traefikWant())["ingress.watched"].Fix
	for _, part := range []string{"'providers.kubernetesIngress.namespaces[0]=traefik'", "'providers.kubernetesIngress.namespaces[1]=codefresh'", "service account must be allowed"} {
		if !strings.Contains(byHelm, part) {
			t.Errorf("no %s in %s", part, byHelm)
		}
	}
	cluster.Nodes = []facts.Node{{Kubelet: "v1.33.1+k3s1"}}
	if byK3s := judged(t, cluster, traefikWant())["ingress.watched"].Fix; !strings.Contains(byK3s, "namespaces:\n        - traefik\n        - codefresh") {
		t.Error(byK3s)
	}
	if values := chartValues([]setting{{"a", []string{}}, {"b", []string{"x=y"}}, {"c", false}, {"d", ""}}); !maps.Equal(values, map[string]string{"a": "null", "b": "{x=y}", "c": "false", "d": ""}) {
		t.Errorf("%v", values)
	}
}
