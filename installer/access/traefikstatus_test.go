package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// What a published Service gives depends on its type and on Traefik's version.
func TestTraefikPublishedService(t *testing.T) {
	external := []facts.Node{{Name: "n1", External: []string{"34.9.9.9"}}}
	cases := map[string]struct {
		image   string
		service facts.Service
		nodes   []facts.Node
		also    []setting
		status  check.Status
		says    string
	}{
		"a load balancer":             {"traefik:v2.11", facts.Service{Type: "LoadBalancer", Addresses: []string{"34.1.2.3"}}, nil, nil, check.Pass, "34.1.2.3"},
		"one that waits":              {"traefik:v3.6.2", facts.Service{Type: "LoadBalancer"}, nil, nil, check.Warn, "has none yet"},
		"NodePort before 3.4":         {"traefik:v3.3.7", facts.Service{Type: "NodePort"}, external, nil, check.Fail, "Before version 3.4"},
		"NodePort, version 2":         {"traefik:2.11.5", facts.Service{Type: "NodePort"}, external, nil, check.Fail, "Before version 3.4"},
		"NodePort from 3.4":           {"traefik:v3.4.0", facts.Service{Type: "NodePort"}, external, nil, check.Pass, "34.9.9.9"},
		"NodePort, inner nodes":       {"traefik:v3.4.0", facts.Service{Type: "NodePort"}, nil, nil, check.Fail, "No node has an external address"},
		"NodePort, unknown version":   {"traefik:latest", facts.Service{Type: "NodePort"}, external, nil, check.Warn, "is not known"},
		"NodePort, Hub":               {"ghcr.io/traefik/traefik-hub:v3.19.0", facts.Service{Type: "NodePort"}, external, nil, check.Warn, "is not known"},
		"ClusterIP from 3.4":          {"traefik:v3.4", facts.Service{Type: "ClusterIP"}, nil, nil, check.Fail, "external IPs, and there are none"},
		"ClusterIP with external IPs": {"traefik:v3.4", facts.Service{Type: "ClusterIP", ExternalIPs: []string{"34.7.7.7"}}, nil, nil, check.Pass, "34.7.7.7"},
		"ExternalName from 3.4":       {"traefik:v3.10.1", facts.Service{Type: "ExternalName", ExternalName: "edge.example"}, nil, nil, check.Pass, "edge.example"},
		"nodes may not be read": {"traefik:v3.4.0", facts.Service{Type: "NodePort"}, external, []setting{{ingressProvider + ".disableClusterScopeResources", true}},
			check.Fail, "may not look at the nodes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := traefikByArguments(traefikWith(c.also...)...)
			cluster.Nodes = c.nodes
			traefikProgram(&cluster).Image = c.image
			service := cluster.Services[0]
			service.Type, service.Addresses, service.ExternalIPs, service.ExternalName = c.service.Type, c.service.Addresses, c.service.ExternalIPs, c.service.ExternalName
			cluster.Services = []facts.Service{service}
			got := judged(t, cluster, traefikWant())["ingress.status"]
			if got.Status != c.status || !strings.Contains(got.Title+got.Why+got.Evidence, c.says) {
				t.Errorf("%s: %s (%s; %s)", got.Status, got.Title, got.Why, got.Evidence)
			}
		})
	}
}

func TestTraefikStatusSkipsWhatWasNotRead(t *testing.T) {
	cluster := traefikByArguments(traefikGood()...)
	cluster.Unread = []facts.Unread{{What: facts.Services, Reason: facts.NotAllowed}}
	cluster.Services = nil
	if got := judged(t, cluster, traefikWant())["ingress.status"]; got.Status != check.Skip {
		t.Errorf("%s: %s", got.Status, got.Title)
	}
	cluster = traefikByArguments(traefikGood()...)
	cluster.Services[0].Type = "NodePort"
	cluster.Unread = []facts.Unread{{What: facts.Nodes, Reason: facts.NotAllowed}}
	if got := judged(t, cluster, traefikWant())["ingress.status"]; got.Status != check.Skip {
		t.Errorf("%s: %s", got.Status, got.Title)
	}
}

func TestTraefikReportsWhatIsWrittenDown(t *testing.T) {
	for _, s := range []setting{{ingressProvider + ".ingressEndpoint.ip", "34.1.1.1"}, {ingressProvider + ".ingressEndpoint.hostname", "edge.example"}, {ingressProvider + ".reportNodeInternalIPs", true}} {
		cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil}, s)...)
		if got := judged(t, cluster, traefikWant())["ingress.status"]; got.Status != check.Pass {
			t.Errorf("%s: %s, %s", s.key, got.Status, got.Title)
		}
	}
}

// Without a Service that has an address, the address itself is reported.
func TestTraefikReportsTheAddressItself(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil})...)
	cluster.Services = nil
	traefikProgram(&cluster).HostPorts = true
	got := judged(t, cluster, traefikWant())["ingress.status"]
	if got.Repair == nil || !strings.Contains(got.Repair.Title, "--providers.kubernetesingress.ingressendpoint.ip=10.0.0.4") {
		t.Fatalf("%+v", got)
	}
	after := withArgsOf(t, cluster, patched(t, deploymentJSON(t, cluster), got.Repair.Patch))
	if again := judged(t, after, traefikWant())["ingress.status"]; again.Status != check.Pass {
		t.Errorf("%s: %s", again.Status, again.Title)
	}
	traefikProgram(&cluster).HostPorts = false
	if got := judged(t, cluster, traefikWant())["ingress.status"]; got.Repair != nil || !strings.Contains(got.Fix, "a Service of type LoadBalancer") {
		t.Errorf("%+v", got)
	}
}

// The MicroK8s add-on has no Service, and its chart no values for an address
// before version 40.
func TestTraefikChartValuesForAnAddress(t *testing.T) {
	const argument = "'additionalArguments={--providers.kubernetesingress.ingressendpoint.ip=10.0.0.4}'"
	for chart, part := range map[string]string{"traefik-39.0.8": argument, "traefik-40.0.0": "providers.kubernetesIngress.ingressEndpoint.ip=10.0.0.4"} {
		cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil})...)
		marks := helmMarks(chart, "ingress")
		cluster.Workloads[0].Labels, cluster.Workloads[0].Annotations = marks.Labels, marks.Annotations
		cluster.Services, traefikProgram(&cluster).HostPorts = nil, true
		cluster.Nodes[0].Labels = map[string]string{"microk8s.io/cluster": "true"}
		cluster.Nodes[0].ProviderID = ""
		fix := judged(t, cluster, traefikWant())["ingress.status"].Fix
		if !strings.HasPrefix(fix, "microk8s helm3 upgrade edge") || !strings.Contains(fix, "--set "+part) {
			t.Errorf("%s: %s", chart, fix)
		}
		if noted := strings.Contains(fix, replacesArguments); noted != (part == argument) {
			t.Errorf("%s: noted %v", chart, noted)
		}
	}
}

// A Service that the chart did not make is named to it.
func TestTraefikNamesAForeignService(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil})...)
	marks := helmMarks("traefik-37.0.0", "traefik")
	cluster.Workloads[0].Labels, cluster.Workloads[0].Annotations = marks.Labels, marks.Annotations
	fix := judged(t, cluster, traefikWant())["ingress.status"].Fix
	if !strings.Contains(fix, "--set providers.kubernetesIngress.publishedService.pathOverride=traefik/traefik") {
		t.Error(fix)
	}
}

// A repair does all that is needed, and not only its own part.
func TestTraefikRepairsWhatGoesTogether(t *testing.T) {
	unwatched := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint", nil}, setting{ingressProvider + ".namespaces", []string{"codefresh"}})...)
	old := traefikByArguments(traefikGood()...)
	old.Services[0].Type, old.Services[0].Addresses = "NodePort", nil
	traefikProgram(&old).Image, traefikProgram(&old).HostPorts = "traefik:v2.11", true
	for name, cluster := range map[string]facts.Cluster{"a namespace too": unwatched, "without the Service": old} {
		got := judged(t, cluster, traefikWant())["ingress.status"]
		if got.Repair == nil {
			t.Fatalf("%s: %+v", name, got)
		}
		after := withArgsOf(t, cluster, patched(t, deploymentJSON(t, cluster), got.Repair.Patch))
		if again := judged(t, after, traefikWant())["ingress.status"]; again.Status != check.Pass {
			t.Errorf("%s: %s, %s", name, again.Status, again.Title)
		}
	}
}

// The Service that is reported may be another than that which selects the pods.
func TestTraefikServiceIsTheOneItReports(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressEndpoint.publishedService", "edge/outer"})...)
	cluster.Services = append(cluster.Services, facts.Service{Meta: facts.Meta{Name: facts.Name{Namespace: "edge", Name: "outer"}}, Type: "LoadBalancer", Addresses: []string{"34.8.8.8"},
		Ports: []facts.Port{{Port: 443, Protocol: "TCP"}}})
	if got := judged(t, cluster, traefikWant())["ingress.address"]; !strings.Contains(got.Evidence, "edge/outer: 34.8.8.8") {
		t.Errorf("%s: %s", got.Title, got.Evidence)
	}
}
