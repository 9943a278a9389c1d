package access

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// ambassadorCluster is a cluster with Emissary-ingress, beside the server that
// translates its objects, which is of the same image.
func ambassadorCluster() (facts.Cluster, Want) {
	at := func(name string) facts.Meta { return facts.Meta{Name: facts.Name{Namespace: "emissary", Name: name}} }
	labels := map[string]string{"app.kubernetes.io/name": "emissary-ingress"}
	service := facts.Service{Meta: at("emissary-ingress"), Type: "LoadBalancer", Selector: labels, Addresses: []string{"203.0.113.9"},
		Ports: []facts.Port{{Name: "http", Port: 80, Protocol: "TCP"}, {Name: "https", Port: 443, Protocol: "TCP"}}}
	service.Labels = map[string]string{ambassadorServiceMark: "ambassador-service"}
	image := "docker.io/emissaryingress/emissary:3.9.1"
	return facts.Cluster{
		Groups:         map[string]bool{"getambassador.io": true},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "ambassador"}}, Controller: "getambassador.io/ingress-controller"}},
		Workloads: []facts.Workload{
			{Meta: facts.Meta{Name: facts.Name{Namespace: "emissary-system", Name: "emissary-apiext"}}, Kind: "Deployment", Wanted: 3, Ready: 3,
				Containers: []facts.Container{{Name: "emissary-apiext", Image: image, Command: []string{"apiext", "emissary-apiext"}}}},
			{Meta: at("emissary-ingress"), Kind: "Deployment", Wanted: 3, Ready: 3, PodLabels: labels, Containers: []facts.Container{
				{Name: "prometheus-exporter", Image: "prom/statsd-exporter:v0.8.1"},
				{Name: "emissary-ingress", Image: image, Env: map[string]string{"AMBASSADOR_NAMESPACE": "field:metadata.namespace"}}}},
		},
		Services: []facts.Service{service},
		CRDs:     []facts.Meta{{Name: facts.Name{Name: ambassadorListeners}}},
		Custom:   map[string][]facts.Custom{ambassadorListeners: {listener("emissary", "ALL")}},
	}, Want{Namespace: "codefresh", Class: "ambassador", Host: "runtime.example.com", Protocol: "https"}
}

func listener(namespace, from string, ids ...any) facts.Custom {
	return facts.Custom{Meta: facts.Meta{Name: facts.Name{Namespace: namespace, Name: "https"}}, Version: "v3alpha1", Spec: map[string]any{
		"port": int64(8443), "protocol": "HTTPS", "hostBinding": map[string]any{"namespace": map[string]any{"from": from}}, "ambassador_id": ids}}
}

func TestAmbassador(t *testing.T) {
	env := func(name, value string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Workloads[1].Containers[1].Env[name] = value }
	}
	listening := func(listeners ...facts.Custom) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Custom[ambassadorListeners] = listeners }
	}
	run(t, ambassadorCluster, nil, []brokenSite{
		{"good", func(*facts.Cluster, *Want) {}, nil, "", false},
		{"the class in capitals", func(c *facts.Cluster, _ *Want) {
			c.IngressClasses[0].Controller = "getambassador.io/Ingress-Controller"
		}, nil, "", false},
		{"the helper alone is no controller", func(c *facts.Cluster, _ *Want) { c.Workloads = c.Workloads[:1] }, only("ingress.controller", failed), "emissary-crds-chart", false},
		{"one namespace only", env("AMBASSADOR_SINGLE_NAMESPACE", "YES"), only("ingress.watched", failed), "kubectl -n emissary set env deployment/emissary-ingress AMBASSADOR_SINGLE_NAMESPACE-", false},
		{"a no that is a yes", env("AMBASSADOR_SINGLE_NAMESPACE", "false"), only("ingress.watched", failed), "set env", false},
		{"its Service has no label", func(c *facts.Cluster, _ *Want) { c.Services[0].Labels = nil }, only("ingress.status", failed), "patch services emissary-ingress", true},
		{"its Service has another label", func(c *facts.Cluster, _ *Want) {
			c.Services[0].Labels = map[string]string{ambassadorServiceMark: "edge"}
		}, only("ingress.status", failed), "", true},
		{"it looks for its Service elsewhere", env("AMBASSADOR_NAMESPACE", "web"), only("ingress.status", failed), "AMBASSADOR_NAMESPACE=emissary", false},
		{"its Service has no address", func(c *facts.Cluster, _ *Want) { c.Services[0].Type, c.Services[0].Addresses = "NodePort", nil }, map[string]check.Status{"ingress.status": failed, "ingress.address": failed}, "", false},
		{"it has no Service", func(c *facts.Cluster, _ *Want) { c.Services = nil }, map[string]check.Status{"ingress.status": failed, "ingress.address": failed, "ingress.tcp": skipped}, "", false},
		{"services were not read", func(c *facts.Cluster, _ *Want) { c.Services, c.Unread = nil, []facts.Unread{{What: facts.Services}} },
			map[string]check.Status{"ingress.status": skipped, "ingress.address": skipped, "ingress.tcp": skipped}, "", false},
		{"no Listener", listening(), only("ingress.listener", failed), "kind: Listener", false},
		{"a Listener for its own namespace", listening(listener("emissary", "SELF")), only("ingress.listener", failed), "from: ALL", false},
		{"a Listener beside the runtime", listening(listener("codefresh", "SELF")), nil, "", false},
		{"a Listener of another Ambassador", listening(listener("emissary", "ALL", "second")), only("ingress.listener", failed), "port: 8443", false},
		{"a Listener by labels", listening(facts.Custom{Spec: map[string]any{"hostBinding": map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"a": "b"}}}}}), nil, "", false},
		{"a Listener that binds to nothing known", listening(listener("emissary", "SELECTOR")), only("ingress.listener", failed), "from: ALL", false},
		{"no Listener for its ID", func(c *facts.Cluster, w *Want) {
			env("AMBASSADOR_ID", "second")(c, w)
			c.IngressClasses[0].Annotations, w.Annotations = map[string]string{ambassadorIDMark: "second"}, map[string]string{ambassadorIDMark: "second"}
		}, only("ingress.listener", failed), `ambassador_id: ["second"]`, false},
		{"workloads were not read in full", func(c *facts.Cluster, _ *Want) { c.Unread = []facts.Unread{{What: facts.Workloads}} },
			map[string]check.Status{"ingress.controller": skipped, "ingress.apiext": skipped}, "", false},
		{"Listeners were not read", func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: ambassadorListeners, Reason: facts.NotAllowed}}
		}, only("ingress.listener", skipped), "", false},
		{"a version without Listeners", func(c *facts.Cluster, _ *Want) { c.CRDs, c.Custom = nil, nil }, only("ingress.listener", skipped), "", false},
		{"the translator is not ready", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Ready = 0 }, only("ingress.apiext", failed), "kubectl -n emissary-system describe deployment emissary-apiext", false},
		{"there is no translator", func(c *facts.Cluster, _ *Want) { c.Workloads = c.Workloads[1:] }, nil, "", false},
		{"there is no translator, and it is missed", func(c *facts.Cluster, _ *Want) {
			c.Workloads, c.Unread = c.Workloads[1:], []facts.Unread{{What: ambassadorListeners, Reason: facts.Failed}}
		}, map[string]check.Status{"ingress.listener": skipped, "ingress.apiext": warned}, "", false},
		{"the Ingress lacks its ID", func(c *facts.Cluster, w *Want) {
			env("AMBASSADOR_ID", "second")(c, w)
			c.IngressClasses[0].Annotations = map[string]string{ambassadorIDMark: "second"}
			listening(listener("emissary", "ALL", "second"))(c, w)
		}, only("ingress.bound", failed), "--access.ingress.annotations getambassador.io/ambassador-id=second", false},
	})
}

// With an ID of its own, the class is given to the Ambassador by a repair.
func TestAmbassadorID(t *testing.T) {
	for _, annotations := range []map[string]string{nil, {"a": "b"}, {ambassadorIDMark: "third"}} {
		cluster, want := ambassadorCluster()
		cluster.Workloads[1].Containers[1].Env["AMBASSADOR_ID"] = "second"
		cluster.Custom[ambassadorListeners] = []facts.Custom{listener("emissary", "ALL", "second")}
		cluster.IngressClasses[0].Annotations = annotations
		want.Annotations = map[string]string{ambassadorIDMark: "second"}
		broken := checkOf(t, expectOnly(t, cluster, want, only("ingress.bound", failed)), "ingress.bound")
		after := mended(t, broken, map[string]any{"apiVersion": "networking.k8s.io/v1", "kind": "IngressClass", "metadata": metav1.ObjectMeta{Name: "ambassador", Annotations: annotations}})
		cluster.IngressClasses[0].Annotations = (&unstructured.Unstructured{Object: after}).GetAnnotations()
		expectOnly(t, cluster, want, map[string]check.Status{})
	}
}

func TestAmbassadorOwners(t *testing.T) {
	for chart, says := range map[string]string{
		"emissary-ingress-4.1.0": "helm upgrade edge oci://ghcr.io/emissary-ingress/emissary-ingress --namespace web --version 4.1.0 --reuse-values --set createDefaultListeners=true",
		"emissary-ingress-8.9.1": "helm upgrade edge emissary-ingress --repo https://app.getambassador.io --namespace web --version 8.9.1 --reuse-values --set createDefaultListeners=true",
		"edge-stack-8.9.1":       "helm upgrade edge edge-stack --repo https://app.getambassador.io --namespace web --version 8.9.1 --reuse-values --set emissary-ingress.createDefaultListeners=true",
	} {
		cluster, want := ambassadorCluster()
		cluster.Workloads[1].Meta = marked(cluster.Workloads[1].Meta, facts.HelmOwner)
		cluster.Workloads[1].Labels["helm.sh/chart"] = chart
		cluster.Custom = nil
		if got := checkOf(t, Ingress(cluster, want), "ingress.listener"); got.Fix != says {
			t.Errorf("%s: %s", chart, got.Fix)
		}
		cluster.Services[0].Meta = marked(facts.Meta{Name: cluster.Services[0].Meta.Name}, facts.ArgoCDOwner)
		if got := checkOf(t, Ingress(cluster, want), "ingress.status"); got.Repair != nil || !strings.Contains(got.Fix, "Argo CD's Application edge") {
			t.Errorf("%s: %s", chart, got.Fix)
		}
	}
}
