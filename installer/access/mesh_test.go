package access

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// meshCluster is a cluster whose Gateway istio-system/public serves the
// runtime's host.
func meshCluster() (facts.Cluster, Want) {
	cluster, want := istioCluster()
	cluster.Custom = map[string][]facts.Custom{
		istioGateways: {meshGatewayOf("istio-system/public", map[string]any{"istio": "ingressgateway"},
			server(80, "HTTP", nil, "*.example.com"), server(443, "HTTPS", map[string]any{"mode": "SIMPLE", "credentialName": "runtime-tls"}, "*.example.com"))},
		istioVirtualServices: {meshRoute("web/shop", "runtime.example.com", "istio-system/public", "/shop")},
	}
	want.Gateway, want.Class, want.TLSSecret = "istio-system/public", "", ""
	return cluster, want
}

func meshGatewayOf(name string, selector map[string]any, servers ...any) facts.Custom {
	return facts.Custom{Meta: facts.Meta{Name: facts.ParseName(name, "")}, Version: "v1", Spec: map[string]any{"selector": selector, "servers": servers}}
}

func server(port int64, protocol string, tls map[string]any, hosts ...string) map[string]any {
	entries := []any{}
	for _, host := range hosts {
		entries = append(entries, host)
	}
	return map[string]any{"port": map[string]any{"number": port, "protocol": protocol, "name": strings.ToLower(protocol)}, "tls": tls, "hosts": entries}
}

func meshRoute(name, host, gateway string, prefixes ...string) facts.Custom {
	var matches []any
	for _, prefix := range prefixes {
		matches = append(matches, map[string]any{"uri": map[string]any{"prefix": prefix}})
	}
	return facts.Custom{Meta: facts.Meta{Name: facts.ParseName(name, "")}, Version: "v1", Spec: map[string]any{
		"hosts": []any{host}, "gateways": []any{gateway}, "http": []any{map[string]any{"match": matches}}}}
}

type brokenPath struct {
	name     string
	breaking func(*facts.Cluster, *Want)
	bad      map[string]check.Status
	says     string // part of the fix of each that is bad
}

// runPaths judges each broken path of an access mode.
func runPaths(t *testing.T, judge func(facts.Cluster, Want) []check.Check, fresh func() (facts.Cluster, Want), tests []brokenPath) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cluster, want := fresh()
			test.breaking(&cluster, &want)
			checks := judge(cluster, want)
			if diff := cmp.Diff(maps.Collect(maps.All(test.bad)), unhappy(checks)); diff != "" {
				t.Errorf("not the checks that should fail (-want +got):\n%s", diff)
			}
			for _, c := range checks {
				serious := c.Status == check.Fail || c.Status == check.Warn
				if serious && (c.Fix == "" || c.Why == "" || c.Field == "" || !strings.Contains(c.Fix, test.says)) {
					t.Errorf("%s (%s) lacks a reason, an answer, or a fix that says %q: %s", c.ID, c.Title, test.says, c.Fix)
				}
			}
		})
	}
}

func TestMeshGatewayAndPods(t *testing.T) {
	gone := map[string]check.Status{"mesh.gateway": failed}
	noPods := map[string]check.Status{"mesh.workload": failed, "mesh.address": skipped, "mesh.credential": skipped}
	selecting := func(selector map[string]any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Custom[istioGateways][0].Spec["selector"] = selector }
	}
	runPaths(t, Mesh, meshCluster, []brokenPath{
		{"good", func(*facts.Cluster, *Want) {}, nil, ""},
		{"no Istio, and a Gateway is named", func(c *facts.Cluster, _ *Want) { c.Groups = nil }, only("mesh.installed", failed), "helm upgrade --install istio-base"},
		{"another mesh", func(c *facts.Cluster, w *Want) { c.Groups, w.Gateway = nil, "" }, only("mesh.installed", warned), "Service internal-router in namespace codefresh, port 80"},
		{"API groups were not read", func(c *facts.Cluster, _ *Want) { c.Groups, c.Unread = nil, []facts.Unread{{What: facts.Groups}} }, only("mesh.installed", skipped), ""},
		{"istiod runs elsewhere", func(c *facts.Cluster, _ *Want) { c.Workloads = c.Workloads[1:] }, only("mesh.installed", warned), "If it runs elsewhere"},
		{"istiod is not ready", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Ready = 0 }, only("mesh.installed", failed), "kubectl -n istio-system describe deployment istiod"},
		{"no Gateway is chosen", func(_ *facts.Cluster, w *Want) { w.Gateway = "" }, only("mesh.gateway", warned), "Choose one of: istio-system/public."},
		{"none is chosen and none is there", func(c *facts.Cluster, w *Want) { c.Custom, w.Gateway = nil, "" }, only("mesh.gateway", warned), "hosts: [codefresh/runtime.example.com]"},
		{"the Gateway is not there", func(_ *facts.Cluster, w *Want) { w.Gateway = "web/public" }, gone, "istio-system/public"},
		{"the Gateway is not there, nor any other", func(c *facts.Cluster, _ *Want) { c.Custom = nil }, gone, "metadata: {name: public, namespace: istio-system}"},
		{"Gateways were not read", func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: istioGateways, Reason: facts.NotAllowed}, {What: istioVirtualServices, Reason: facts.NotAllowed}}
		}, map[string]check.Status{"mesh.gateway": skipped, "mesh.host-free": skipped}, ""},
		{"the selector fits no pods", selecting(map[string]any{"istio": "edge"}), noPods, `[{"op":"replace","path":"/spec/selector","value":{"istio":"ingressgateway"}}]`},
		{"there are no gateway pods", func(c *facts.Cluster, _ *Want) { c.Workloads = c.Workloads[:1] }, noPods, istioInstallGateway},
		{"an empty selector fits all gateways", selecting(nil), nil, ""},
		{"the pods are not ready", func(c *facts.Cluster, _ *Want) { c.Workloads[1].Ready = 0 }, only("mesh.workload", failed), "describe deployment istio-ingressgateway"},
		{"pods in another namespace", func(c *facts.Cluster, w *Want) {
			c.Custom[istioGateways][0].Meta.Name.Namespace, w.Gateway = "edge", "edge/public"
		}, nil, ""},
		{"pods in another namespace, which are out of bounds", func(c *facts.Cluster, w *Want) {
			c.Custom[istioGateways][0].Meta.Name.Namespace, w.Gateway = "edge", "edge/public"
			c.Workloads[0].Containers[0].Env["PILOT_SCOPE_GATEWAY_TO_NAMESPACE"] = "true"
		}, noPods, "Use a Gateway in namespace istio-system."},
		{"workloads were not read", func(c *facts.Cluster, _ *Want) { c.Unread = []facts.Unread{{What: facts.Workloads}} },
			map[string]check.Status{"mesh.installed": skipped, "mesh.workload": skipped, "mesh.address": skipped}, ""},
		{"the namespace is not discovered", meshSays("discoverySelectors: [{matchLabels: {mesh: on}}]"), only("mesh.watched", failed), "kubectl label"},
	})
}

func TestMeshAddressAndSidecar(t *testing.T) {
	labelled := func(key, value string) func(*facts.Cluster, *Want) {
		return func(_ *facts.Cluster, w *Want) { w.NamespaceLabels = map[string]string{key: value} }
	}
	runPaths(t, Mesh, meshCluster, []brokenPath{
		{"the address is private", func(c *facts.Cluster, _ *Want) { c.Services[1].Addresses = []string{"10.1.2.3"} }, only("mesh.address", failed), "tunnel"},
		{"the load balancer is pending", func(c *facts.Cluster, _ *Want) { c.Services[1].Addresses = nil }, only("mesh.address", failed), "describe service istio-ingressgateway"},
		{"no Service", func(c *facts.Cluster, _ *Want) { c.Services = nil }, only("mesh.address", failed), "LoadBalancer"},
		{"the Service lacks port 443", func(c *facts.Cluster, _ *Want) { c.Services[1].Ports = c.Services[1].Ports[:2] }, only("mesh.address", warned), "edit service"},
		{"services were not read", func(c *facts.Cluster, _ *Want) { c.Unread = []facts.Unread{{What: facts.Services}} }, only("mesh.address", skipped), ""},
		{"the second gateway has the address", func(c *facts.Cluster, _ *Want) {
			inside := c.Workloads[1]
			inside.Meta.Name, inside.PodLabels = inIstioSystem("inside"), map[string]string{"app": "inside", "istio": "ingressgateway"}
			c.Workloads = []facts.Workload{c.Workloads[0], inside, c.Workloads[1]}
		}, nil, ""},
		{"sidecars", labelled("istio-injection", "enabled"), only("mesh.sidecar", warned), "kubectl label --overwrite namespace codefresh istio-injection=disabled"},
		{"sidecars of a revision", labelled("istio.io/rev", "1-26"), only("mesh.sidecar", warned), "istio-injection=disabled"},
		{"sidecars that end", func(c *facts.Cluster, w *Want) {
			labelled("istio-injection", "enabled")(c, w)
			c.Workloads[0].Containers[0].Env["ENABLE_NATIVE_SIDECARS"] = "true"
		}, nil, ""},
		{"ambient has none", labelled("istio.io/dataplane-mode", "ambient"), nil, ""},
		{"the namespace was not read", func(_ *facts.Cluster, w *Want) { w.NamespaceUnknown = true }, only("mesh.sidecar", skipped), ""},
	})
}

func TestMeshHostFree(t *testing.T) {
	route := func(other facts.Custom) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Custom[istioVirtualServices] = []facts.Custom{other} }
	}
	taken := only("mesh.host-free", failed)
	const host, gateway = "runtime.example.com", "istio-system/public"
	exact := meshRoute("web/a", host, gateway, "/x")
	exact.Spec["http"] = []any{map[string]any{"match": []any{map[string]any{"uri": map[string]any{"exact": "/webhooks/a"}}}}}
	runPaths(t, Mesh, meshCluster, []brokenPath{
		{"the same path", route(meshRoute("web/a", host, gateway, "/shop", "/app-proxy")), taken, "kubectl -n web edit " + istioVirtualServices + " a"},
		{"a shorter prefix", route(meshRoute("web/a", "Runtime.Example.com", gateway, "/app")), taken, "another host"},
		{"a longer prefix", route(meshRoute("web/a", host, gateway, "/webhooks/mine")), taken, ""},
		{"an exact path", route(exact), taken, ""},
		{"everything", route(meshRoute("web/a", host, gateway)), taken, ""},
		{"the Gateway without its namespace", route(meshRoute("istio-system/a", host, "public", "/")), taken, ""},
		{"our own route", route(meshRoute("codefresh/internal-router", host, gateway, "/app-proxy")), nil, ""},
		{"another Gateway", route(meshRoute("web/a", host, "web/public", "/")), nil, ""},
		{"inside the mesh", route(meshRoute("web/a", host, "mesh", "/")), nil, ""},
		{"another host", route(meshRoute("web/a", "*.example.com", gateway, "/")), nil, ""},
		{"workflows, with them on", route(meshRoute("web/a", host, gateway, "/workflows")), taken, ""},
		{"workflows, with them off", func(c *facts.Cluster, w *Want) {
			route(meshRoute("web/a", host, gateway, "/workflows"))(c, w)
			w.WorkflowsDisabled = true
		}, nil, ""},
	})
}

// Every check that is made has its line in the documentation, and no line is
// about a check that is not.
func TestLooksNameTheChecks(t *testing.T) {
	type lines struct {
		looks  []Look
		checks []check.Check
	}
	judge := func(judge func(facts.Cluster, Want) []check.Check, fresh func() (facts.Cluster, Want)) []check.Check {
		return judge(fresh())
	}
	among := func(looks []Look, id string) bool {
		return slices.ContainsFunc(looks, func(look Look) bool { return look.Check == id })
	}
	meshOnAWS := func() (facts.Cluster, Want) {
		cluster, want := meshCluster()
		cluster.Nodes = []facts.Node{{Name: "one", ProviderID: "aws:///eu/i-1"}}
		return cluster, want
	}
	tests := []lines{{meshLooks, judge(Mesh, meshOnAWS)}, {gatewayLooks, judge(Gateway, gatewayCluster)}}
	for controller, fresh := range map[string]func() (facts.Cluster, Want){"alb": albCluster, "istio": istioCluster, "ambassador": ambassadorCluster} {
		known, _ := ByID(controller)
		general := func(c check.Check) bool { return among(everywhere, c.ID) && !among(known.Looks, c.ID) }
		tests = append(tests, lines{known.Looks, slices.DeleteFunc(judge(Ingress, fresh), general)})
	}
	for _, test := range tests {
		var described, made []string
		for _, look := range test.looks {
			described = append(described, look.Check)
		}
		for _, c := range test.checks {
			made = append(made, c.ID)
		}
		slices.Sort(described)
		if slices.Sort(made); !slices.Equal(described, made) {
			t.Errorf("described are %v, made are %v", described, made)
		}
	}
}
