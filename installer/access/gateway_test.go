package access

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func conditions(kind, status, reason, message string) map[string]any {
	return map[string]any{"conditions": []any{map[string]any{"type": kind, "status": status, "reason": reason, "message": message}}}
}

// gatewayCluster is a cluster whose Gateway infra/public serves the runtime's
// host, and takes routes of all namespaces.
func gatewayCluster() (facts.Cluster, Want) {
	status := conditions("Programmed", "True", "Programmed", "")
	status["addresses"] = []any{map[string]any{"type": "IPAddress", "value": "203.0.113.5"}}
	status["listeners"] = []any{map[string]any{"name": "https", "conditions": []any{map[string]any{"type": "ResolvedRefs", "status": "True"}}}}
	return facts.Cluster{
		Groups: map[string]bool{gatewayGroup: true},
		Custom: map[string][]facts.Custom{
			gatewayClasses: {{Meta: facts.Meta{Name: facts.Name{Name: "eg"}}, Version: "v1", Spec: map[string]any{"controllerName": "gateway.envoyproxy.io/gatewayclass-controller"}, Status: conditions("Accepted", "True", "Accepted", "")}},
			gateways: {{Meta: facts.Meta{Name: facts.Name{Namespace: "infra", Name: "public"}}, Version: "v1", Status: status,
				Spec: map[string]any{"gatewayClassName": "eg", "listeners": []any{apiListener("http", "HTTP", 80, "", nil), apiListener("https", "HTTPS", 443, "*.example.com", from("All"))}}}},
		},
	}, Want{Namespace: "codefresh", Host: "runtime.example.com", Protocol: "https", Gateway: "infra/public"}
}

func apiListener(name, protocol string, port int64, hostname string, allowed map[string]any) map[string]any {
	out := map[string]any{"name": name, "protocol": protocol, "port": port}
	if hostname != "" {
		out["hostname"] = hostname
	}
	if allowed != nil {
		out["allowedRoutes"] = allowed
	}
	return out
}

func from(from string) map[string]any {
	return map[string]any{"namespaces": map[string]any{"from": from}}
}

func fromSelector(selector map[string]any) map[string]any {
	return map[string]any{"namespaces": map[string]any{"from": "Selector", "selector": selector}}
}

// parentOf is the Gateway of a cluster, to be changed.
func parentOf(c *facts.Cluster) *facts.Custom { return &c.Custom[gateways][0] }

func allowing(allowed map[string]any) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) {
		dig[[]any](parentOf(c).Spec, "listeners")[1] = apiListener("https", "HTTPS", 443, "*.example.com", allowed)
	}
}

func TestGateway(t *testing.T) {
	class := func(status map[string]any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Custom[gatewayClasses][0].Status = status }
	}
	addressed := func(addresses ...any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { parentOf(c).Status["addresses"] = addresses }
	}
	runPaths(t, Gateway, gatewayCluster, []brokenPath{
		{"good", func(*facts.Cluster, *Want) {}, nil, ""},
		{"no Gateway API", func(c *facts.Cluster, _ *Want) { c.Groups = nil }, only("gateway.api", failed), "standard-install.yaml"},
		{"an old Gateway API", func(c *facts.Cluster, _ *Want) { parentOf(c).Version = "v1beta1" }, only("gateway.api", failed), "standard-install.yaml"},
		{"API groups were not read", func(c *facts.Cluster, _ *Want) { c.Groups, c.Unread = nil, []facts.Unread{{What: facts.Groups}} }, only("gateway.api", skipped), ""},
		{"no Gateway is chosen", func(_ *facts.Cluster, w *Want) { w.Gateway = "" }, only("gateway.parent", failed), "Choose one of: infra/public."},
		{"the Gateway is not there", func(_ *facts.Cluster, w *Want) { w.Gateway = "infra/private" }, only("gateway.parent", failed), "infra/public"},
		{"no Gateway is there", func(c *facts.Cluster, _ *Want) { c.Custom = nil }, only("gateway.parent", failed), "Create one"},
		{"Gateways were not read", func(c *facts.Cluster, _ *Want) { c.Unread = []facts.Unread{{What: gateways}} }, only("gateway.parent", skipped), ""},
		{"its class is not there", func(c *facts.Cluster, _ *Want) { c.Custom[gatewayClasses] = nil }, only("gateway.class", failed), "another Gateway"},
		{"classes were not read", func(c *facts.Cluster, _ *Want) { c.Unread = []facts.Unread{{What: gatewayClasses}} }, only("gateway.class", skipped), ""},
		{"nobody took its class", class(nil), only("gateway.class", failed), "kubectl describe " + gatewayClasses + " eg"},
		{"its class waits for a controller", class(conditions("Accepted", "Unknown", "Pending", "Waiting for controller")), only("gateway.class", failed), "kubectl describe"},
		{"its class is refused", class(conditions("Accepted", "False", "InvalidParameters", "no such thing")), only("gateway.class", failed), "See why"},
		{"its class carries no http", func(c *facts.Cluster, _ *Want) {
			c.Custom[gatewayClasses][0].Spec["controllerName"] = "gateway.k8s.aws/nlb"
		}, only("gateway.class", failed), "gateway.k8s.aws/alb"},
		{"it does not work", func(c *facts.Cluster, _ *Want) {
			parentOf(c).Status["conditions"] = conditions("Programmed", "False", "AddressNotAssigned", "no address")["conditions"]
		}, only("gateway.programmed", failed), "kubectl -n infra describe " + gateways + " public"},
		{"it does not say whether it works", func(c *facts.Cluster, _ *Want) { delete(parentOf(c).Status, "conditions") }, only("gateway.programmed", warned), "describe"},
		{"it has no address", addressed(), only("gateway.address", failed), "MetalLB"},
		{"its address is private", addressed(map[string]any{"value": "10.0.0.1"}), only("gateway.address", failed), "tunnel"},
		{"one of its addresses is public", addressed(map[string]any{"value": "10.0.0.1"}, map[string]any{"value": "lb.example.com"}), nil, ""},
	})
}

func TestGatewayListener(t *testing.T) {
	listening := func(listeners ...any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { parentOf(c).Spec["listeners"] = listeners }
	}
	refused := map[string]check.Status{"gateway.listener": failed, "gateway.routes": skipped}
	all, through := from("All"), apiListener("https", "HTTPS", 443, "", from("All"))
	through["tls"] = map[string]any{"mode": "Passthrough"}
	runPaths(t, Gateway, gatewayCluster, []brokenPath{
		{"no listener", listening(), refused, `"hostname":"runtime.example.com"`},
		{"another host", listening(apiListener("https", "HTTPS", 443, "other.example.com", all)), refused, `"path":"/spec/listeners/-"`},
		{"the domain itself", listening(apiListener("https", "HTTPS", 443, "example.com", all)), refused, ""},
		{"the very host", listening(apiListener("https", "HTTPS", 443, "runtime.example.com", all)), nil, ""},
		{"http only", listening(apiListener("http", "HTTP", 80, "", all)), refused, `"protocol":"HTTPS"`},
		{"http is asked for", func(c *facts.Cluster, w *Want) {
			listening(apiListener("http", "HTTP", 80, "", all))(c, w)
			w.Protocol = "http"
		}, nil, ""},
		{"https where http is asked for", func(c *facts.Cluster, w *Want) {
			listening(apiListener("https", "HTTPS", 443, "", all))(c, w)
			w.Protocol = "http"
		}, refused, `"protocol":"HTTP"`},
		{"TLS is handed through", listening(through), refused, "Terminate"},
		{"a port without http", listening(apiListener("tls", "TLS", 443, "", all)), refused, ""},
		{"another port", listening(apiListener("https", "HTTPS", 8443, "", all)), only("gateway.listener", warned), "port"},
		{"its certificate is missing", func(c *facts.Cluster, _ *Want) {
			parentOf(c).Status["listeners"] = []any{map[string]any{"name": "https", "conditions": conditions("ResolvedRefs", "False", "InvalidCertificateRef", "Secret not found")["conditions"]}}
		}, refused, "kubectl -n infra describe"},
		{"the better of two", listening(apiListener("other", "HTTPS", 8443, "", all), apiListener("https", "HTTPS", 443, "", all)), nil, ""},
		{"no host yet", func(_ *facts.Cluster, w *Want) { w.Host = "" }, map[string]check.Status{"gateway.listener": skipped, "gateway.routes": skipped}, ""},
	})
}

func TestGatewayRoutes(t *testing.T) {
	refused := only("gateway.routes", failed)
	byLabel := fromSelector(map[string]any{"matchLabels": map[string]any{"edge": "public"}})
	inWant := func(change func(*Want), next func(*facts.Cluster, *Want)) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) { change(w); next(c, w) }
	}
	runPaths(t, Gateway, gatewayCluster, []brokenPath{
		{"its own namespace only", allowing(from("Same")), refused, "kubectl -n infra patch gateways." + gatewayGroup + " public"},
		{"nothing said is its own namespace", allowing(nil), refused, `"op":"add"`},
		{"the runtime is in its namespace", inWant(func(w *Want) { w.Namespace = "infra" }, allowing(from("Same"))), nil, ""},
		{"labels", allowing(byLabel), refused, "kubectl label --overwrite namespace codefresh edge=public"},
		{"labels that the namespace has", inWant(func(w *Want) { w.NamespaceLabels = map[string]string{"edge": "public"} }, allowing(byLabel)), nil, ""},
		{"labels that were not read", inWant(func(w *Want) { w.NamespaceUnknown = true }, allowing(byLabel)), only("gateway.routes", skipped), ""},
		{"a selector that is none", allowing(fromSelector(map[string]any{"matchLabels": "edge"})), refused, "Change that selector"},
		{"other kinds", allowing(map[string]any{"namespaces": map[string]any{"from": "All"}, "kinds": []any{map[string]any{"kind": "GRPCRoute"}}}), refused, `"kind":"HTTPRoute"`},
		{"the kind of another group", allowing(map[string]any{"namespaces": map[string]any{"from": "All"}, "kinds": []any{map[string]any{"kind": "HTTPRoute", "group": "example.com"}}}), refused, `"kind":"HTTPRoute"`},
		{"the kind by name", allowing(map[string]any{"namespaces": map[string]any{"from": "All"}, "kinds": []any{map[string]any{"kind": "HTTPRoute"}}}), nil, ""},
	})
}

// What is only in allowedRoutes is mended, without shutting out who was let in.
func TestGatewayRepairs(t *testing.T) {
	named := func(names ...any) map[string]any {
		return map[string]any{"matchExpressions": []any{map[string]any{"key": namespaceNameLabel, "operator": "In", "values": names}}}
	}
	kinds := map[string]any{"namespaces": map[string]any{"from": "All"}, "kinds": []any{map[string]any{"group": gatewayGroup, "kind": "GRPCRoute"}}}
	for name, test := range map[string]struct {
		allowed map[string]any
		still   string // a namespace that is let in before and after
	}{
		"same": {from("Same"), "infra"}, "nothing said": {nil, "infra"}, "none": {from("None"), ""}, "by name": {fromSelector(named("web", "shop")), "shop"},
		"by one name": {fromSelector(map[string]any{"matchLabels": map[string]any{namespaceNameLabel: "web"}}), "web"}, "kinds": {kinds, "web"},
		"same, with kinds": {map[string]any{"namespaces": map[string]any{"from": "Same"}, "kinds": []any{map[string]any{"kind": "HTTPRoute"}}}, "infra"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, want := gatewayCluster()
			allowing(test.allowed)(&cluster, &want)
			broken := checkOf(t, Gateway(cluster, want), "gateway.routes")
			after := mended(t, broken, map[string]any{"apiVersion": gatewayGroup + "/v1", "kind": "Gateway", "metadata": map[string]any{"namespace": "infra", "name": "public"}, "spec": parentOf(&cluster).Spec})
			parentOf(&cluster).Spec = dig[map[string]any](asJSON(t, after), "spec")
			for _, namespace := range []string{want.Namespace, test.still} {
				want.Namespace = namespace
				if got := checkOf(t, Gateway(cluster, want), "gateway.routes"); namespace != "" && got.Status != check.Pass {
					t.Errorf("after the repair, for namespace %s: %s", namespace, got.Title)
				}
			}
			if len(broken.Repair.After) == 0 || broken.Repair.Version != "v1" {
				t.Errorf("%+v", broken.Repair)
			}
		})
	}
	cluster, want := gatewayCluster()
	allowing(from("Same"))(&cluster, &want)
	parentOf(&cluster).Meta = marked(parentOf(&cluster).Meta, facts.FluxOwner)
	if got := checkOf(t, Gateway(cluster, want), "gateway.routes"); got.Repair != nil || !strings.Contains(got.Fix, "Change it in Git, where Flux reads flux-system/edge") {
		t.Errorf("under Flux: %s", got.Fix)
	}
}

func TestGatewayParents(t *testing.T) {
	cluster, _ := gatewayCluster()
	cluster.Custom[gateways] = append(cluster.Custom[gateways], facts.Custom{Meta: facts.Meta{Name: facts.Name{Namespace: "a", Name: "b"}}, Spec: map[string]any{"gatewayClassName": "own"}})
	expected := []Offer{{"a/b", "class own"}, {"infra/public", "Envoy Gateway, any host, *.example.com, 203.0.113.5"}}
	if diff := cmp.Diff(expected, GatewayParents(cluster)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whatever the cluster's objects hold, they are judged without a panic, and
// what is wrong has a fix.
func FuzzUntypedObjects(f *testing.F) {
	cluster, _ := gatewayCluster()
	mesh, _ := meshCluster()
	for _, seed := range []any{parentOf(&cluster).Spec, parentOf(&cluster).Status, mesh.Custom[istioGateways][0].Spec, mesh.Custom[istioVirtualServices][0].Spec, albParameters(selectingLabels(nil)).Spec,
		fromSelector(map[string]any{"matchExpressions": []any{map[string]any{"key": "a", "operator": "In"}}})} {
		body, err := json.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body), string(body), "discoverySelectors: [{matchLabels: {a: 1}}]")
	}
	f.Fuzz(func(t *testing.T, spec, status, settings string) {
		var fields, states map[string]any
		if json.Unmarshal([]byte(spec), &fields) != nil || json.Unmarshal([]byte(status), &states) != nil {
			return
		}
		cluster, want := meshCluster()
		cluster.Groups[gatewayGroup] = true
		custom := facts.Custom{Meta: facts.Meta{Name: facts.Name{Namespace: "istio-system", Name: "public"}}, Version: "v1", Spec: fields, Status: states}
		cluster.Custom = map[string][]facts.Custom{istioGateways: {custom}, istioVirtualServices: {custom}, gateways: {custom}, gatewayClasses: {custom}, lbcParams: {custom}, ambassadorListeners: {custom}}
		cluster.IngressClasses = []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "istio"}}, Controller: "istio.io/ingress-controller", Parameters: "IngressClassParams.elbv2.k8s.aws/public"}}
		meshSays(settings)(&cluster, &want)
		checks := append(Mesh(cluster, want), Gateway(cluster, want)...)
		want.Class = "istio"
		checks = append(checks, Ingress(cluster, want)...)
		checks = append(checks, siteChecks(Site{Cluster: cluster, Want: want, Controller: alb, Class: cluster.IngressClasses[0], Workload: cluster.Workloads[0]})...)
		for _, c := range checks {
			if (c.Status == check.Fail || c.Status == check.Warn) && c.Fix == "" {
				t.Errorf("%s has no fix: %s", c.ID, c.Title)
			}
		}
		MeshGateways(cluster)
		GatewayParents(cluster)
		MeshSecretsWanted(cluster)
	})
}
