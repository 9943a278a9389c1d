package checklist

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// inMesh is a finished runtime behind Istio, without a route yet.
func inMesh(t *testing.T) *world {
	w := finished(t)
	w.answers.Access.Mode = answers.MeshMode
	w.answers.Access.Mesh.URL = "https://" + runtimeHost
	labels := map[string]string{"istio": "ingressgateway"}
	gateway := facts.Meta{Name: facts.Name{Namespace: "istio-system", Name: "ingressgateway"}}
	w.facts = facts.Cluster{Groups: map[string]bool{"networking.istio.io": true},
		Custom: map[string][]facts.Custom{"gateways.networking.istio.io": {{Meta: facts.Meta{Name: facts.Name{Namespace: "istio-system", Name: "public"}}, Version: "v1beta1",
			Spec: map[string]any{"selector": map[string]any{"istio": "ingressgateway"}}}}},
		Workloads: []facts.Workload{{Meta: gateway, Kind: "Deployment", Ready: 1, PodLabels: labels, Containers: []facts.Container{{Name: "istio-proxy", Image: "istio/proxyv2:1.27"}}}},
		Services:  []facts.Service{{Meta: gateway, Type: "LoadBalancer", Selector: labels, Addresses: []string{"3.120.4.9"}, Ports: []facts.Port{{Port: 443, Protocol: "TCP"}}}}}
	return w
}

var virtualServices = schema.GroupVersionResource{Group: "networking.istio.io", Version: "v1beta1", Resource: "virtualservices"}

// A route that was applied is believed only when the runtime answers over it.
func TestVirtualService(t *testing.T) {
	w := inMesh(t)
	w.codefresh.proxy = http.StatusNotFound
	item := w.expect("virtual-service", ToDo)
	if !strings.Contains(item.Command, "kubectl apply") || !strings.Contains(strings.Join(item.Preview, "\n"), "istio-system/public") {
		t.Errorf("the route is not built for the Gateway that was found: %v", item.Preview)
	}
	w.do("virtual-service", Given{})
	w.expect("virtual-service", Waiting)
	w.codefresh.proxy = 0
	w.expect("virtual-service", Done)
	routes := w.dynamic.Resource(virtualServices).Namespace("codefresh")
	found, err := routes.Get(t.Context(), "internal-router", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_ = unstructured.SetNestedStringSlice(found.Object, []string{"other.acme.io"}, "spec", "hosts")
	if _, err := routes.Update(t.Context(), found, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("virtual-service", ToDo)
	w.do("virtual-service", Given{}) // mends the one that is there
	w.expect("virtual-service", Done)
	if err := routes.Delete(t.Context(), "internal-router", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("virtual-service", ToDo)
}

func TestVirtualServicesOfOldRuntimes(t *testing.T) {
	w := inMesh(t)
	w.facts.Services = append(w.facts.Services, facts.Service{Meta: facts.Meta{Name: facts.Name{Namespace: "codefresh", Name: "push-gitlab-eventsource-svc"}}})
	w.do("virtual-service", Given{inputForm: formTwo})
	for _, name := range []string{"cap-app-proxy", "csdp-default-git-source"} {
		found, err := w.dynamic.Resource(virtualServices).Namespace("codefresh").Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if written := yamlText(found.Object); name == "csdp-default-git-source" && !strings.Contains(written, "/webhooks/codefresh/push-gitlab") {
			t.Errorf("%s is\n%s", name, written)
		}
	}
	w.expect("virtual-service", Done)
}

// Another mesh is known only by what comes through it.
func TestAnotherMesh(t *testing.T) {
	w := inMesh(t)
	w.facts = facts.Cluster{}
	w.expect("virtual-service", Done)
	w.codefresh.proxy = http.StatusNotFound
	item := w.expect("virtual-service", ToDo)
	if !strings.Contains(item.Fix, "internal-router") {
		t.Errorf("the fix is %q", item.Fix)
	}
	if _, err := Do(t.Context(), w.scene(), "virtual-service", Given{}); err == nil {
		t.Error("without Istio a VirtualService was applied")
	}
}

func TestDNSOfMeshAndGateway(t *testing.T) {
	mesh := inMesh(t)
	mesh.answers.Access.Mesh.Gateway = "istio-system/public"
	gateway := atGateway(t)
	for name, w := range map[string]*world{"mesh": mesh, "gateway": gateway} {
		t.Run(name, func(t *testing.T) {
			n := w.outside(certificateFor(t, runtimeHost), nil)
			if item := w.expect("dns", ToDo); !strings.Contains(item.Fix, "3.120.4.9") {
				t.Errorf("the fix does not name the Gateway's address: %s", item.Fix)
			}
			n.names[runtimeHost] = "3.120.4.9"
			w.expect("dns", Done)
			n.names[runtimeHost] = "18.0.0.1"
			w.expect("dns", ToDo)
		})
	}
}

// atGateway is a finished runtime behind a Gateway of the Gateway API.
func atGateway(t *testing.T) *world {
	w := finished(t)
	w.answers.Access.Mode = answers.GatewayMode
	w.answers.Access.Gateway = answers.Gateway{Parent: "infra/public", Host: runtimeHost, Protocol: "https"}
	w.facts = facts.Cluster{Groups: map[string]bool{"gateway.networking.k8s.io": true}, Custom: map[string][]facts.Custom{"gateways.gateway.networking.k8s.io": {{
		Meta: facts.Meta{Name: facts.Name{Namespace: "infra", Name: "public"}}, Version: "v1", Status: map[string]any{"addresses": []any{map[string]any{"type": "IPAddress", "value": "3.120.4.9"}}}}}}}
	return w
}

func TestGatewayRoute(t *testing.T) {
	w := atGateway(t)
	w.expect("gateway-route", Failed) // the chart's HTTPRoute is not there
	group, version, plural := access.GatewayPlace()
	routes := w.dynamic.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: plural}).Namespace("codefresh")
	route := &unstructured.Unstructured{Object: map[string]any{"apiVersion": group + "/" + version, "kind": "HTTPRoute", "metadata": map[string]any{"name": access.RouteName, "namespace": "codefresh"}}}
	if _, err := routes.Create(t.Context(), route, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("gateway-route", Waiting)
	for _, c := range []struct {
		accepted, resolved string
		want               State
	}{{"True", "True", Done}, {"False", "True", Failed}, {"True", "False", Failed}, {"True", "", Waiting}, {"Unknown", "True", Waiting}, {"True", "True", Done}} {
		conditions := []any{map[string]any{"type": "Accepted", "status": c.accepted, "message": "no matching listener"}}
		if c.resolved != "" {
			conditions = append(conditions, map[string]any{"type": "ResolvedRefs", "status": c.resolved, "message": "no such Service"})
		}
		route.Object["status"] = map[string]any{"parents": []any{map[string]any{"conditions": conditions}}}
		if _, err := routes.Update(t.Context(), route, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		w.expect("gateway-route", c.want)
	}
}
