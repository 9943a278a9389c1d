package preflight

import (
	"slices"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// routed is a cluster with a Gateway of Istio and one of the Gateway API.
func routed() facts.Cluster {
	labels := map[string]string{"istio": "ingressgateway"}
	pods := workload("istio-system", "istio-ingressgateway", "auto")
	pods.PodLabels, pods.Ready = labels, 1
	return facts.Cluster{
		Groups:    map[string]bool{"networking.istio.io": true},
		Workloads: []facts.Workload{pods},
		Services: []facts.Service{{Meta: named("istio-system", "istio-ingressgateway"), Type: "LoadBalancer", Selector: labels, Addresses: []string{"203.0.113.7"},
			Ports: []facts.Port{{Name: "https", Port: 443, Protocol: "TCP"}}}},
		Custom: map[string][]facts.Custom{
			"gateways.networking.istio.io": {{Meta: named("istio-system", "public"), Spec: map[string]any{"selector": map[string]any{"istio": "ingressgateway"}}}},
			"gateways.gateway.networking.k8s.io": {{Meta: named("infra", "public"), Spec: map[string]any{"gatewayClassName": "eg"},
				Status: map[string]any{"addresses": []any{map[string]any{"value": "203.0.113.8"}}}}},
		},
	}
}

// What is asked from outside is the address of the answers, and what it is
// compared with is the address that the cluster shows.
func TestQuestion(t *testing.T) {
	for name, test := range map[string]struct {
		change    func(*answers.Access)
		host      string
		protocol  string
		addresses []string
	}{
		"mesh": {func(a *answers.Access) {
			a.Mode, a.Mesh = answers.MeshMode, answers.Mesh{URL: "https://h.example.com/", Gateway: "istio-system/public"}
		}, "h.example.com", "https", []string{"203.0.113.7"}},
		"mesh with a port": {func(a *answers.Access) {
			a.Mode, a.Mesh = answers.MeshMode, answers.Mesh{URL: "https://h.example.com:8443"}
		}, "h.example.com:8443", "https", nil},
		"gateway": {func(a *answers.Access) {
			a.Mode, a.Gateway = answers.GatewayMode, answers.Gateway{Parent: "infra/public", Host: "h.example.com", Protocol: "http"}
		}, "h.example.com", "http", []string{"203.0.113.8"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := answers.Default()
			test.change(&a.Access)
			q, applies := Question(routed(), a)
			if !applies || q.Host != test.host || q.Protocol != test.protocol || !slices.Equal(q.Addresses, test.addresses) || q.PrivatePlatform {
				t.Errorf("%+v", q)
			}
		})
	}
	a := answers.Default()
	a.Codefresh.URL = "https://g.codefresh.io/"
	if Wanted(facts.Namespace{}, a).PrivatePlatform {
		t.Error("a slash makes Codefresh's platform a private one")
	}
}
