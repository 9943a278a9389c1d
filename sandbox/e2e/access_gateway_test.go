package e2e

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const gatewayOverHTTPS = "{mode: gateway, gateway: {parent: infra/public, host: " + runtimeHost + "}}"

// The Gateway API. A Gateway says itself how it is.
var gatewaySuite = accessSuite{
	fixture: "gateway", kinds: []customKind{gatewayClasses, gatewayGateways}, access: gatewayOverHTTPS, part: part{"Gateway/public", "spec.listeners"},
	passes: []string{"gateway.api", "gateway.parent", "gateway.class", "gateway.programmed", "gateway.address", "gateway.listener", "gateway.routes"},
	cases: slices.Concat(gatewayRouteCases, gatewayCases, owned(gatewayClosed, "gateway.routes", "edge-1.2.3", "Helm release edge of namespace web"),
		[]accessCase{gatewayWithoutHTTP.ownedBy("Argo CD", "gateway.listener", ownerWords["Argo CD"], argoCDMarks)}),
}

var gatewayClosed = accessCase{name: "namespace not taken", edits: []edit{gatewayListener("allowedRoutes: {namespaces: {from: Same}}")}, bad: map[string]string{"gateway.routes": "fail"}, repaired: true}

var gatewayWithoutHTTP = accessCase{name: "no listener for http", access: "{mode: gateway, gateway: {parent: infra/public, host: " + runtimeHost + ", protocol: http}}", bad: map[string]string{"gateway.listener": "fail"},
	shell: "kubectl -n infra patch gateways.gateway.networking.k8s.io public"}

var gatewayRouteCases = []accessCase{
	gatewayClosed,
	{name: "no namespace taken", edits: []edit{gatewayListener("allowedRoutes: {namespaces: {from: None}}")}, bad: map[string]string{"gateway.routes": "fail"}, repaired: true},
	{name: "no word about routes", edits: []edit{gatewayListener("")}, bad: map[string]string{"gateway.routes": "fail"}, repaired: true},
	{name: "namespaces by name", edits: []edit{gatewayListener("allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: web}}}}")},
		bad: map[string]string{"gateway.routes": "fail"}, repaired: true},
	{name: "other kinds only", edits: []edit{gatewayListener("allowedRoutes: {namespaces: {from: All}, kinds: [{kind: GRPCRoute}]}")}, bad: map[string]string{"gateway.routes": "fail"}, repaired: true},
	{name: "namespace not selected", edits: []edit{gatewayListener("allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: payments}}}}")},
		bad: map[string]string{"gateway.routes": "fail"}, shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
}

var gatewayCases = []accessCase{
	{name: "no such Gateway", access: "{mode: gateway, gateway: {parent: infra/pubic, host: " + runtimeHost + "}}", bad: map[string]string{"gateway.parent": "fail"},
		says: map[string]string{"gateway.parent": "infra/public"}},
	{name: "no such class", edits: []edit{set("Gateway/public", "other", "spec", "gatewayClassName")}, bad: map[string]string{"gateway.class": "fail"}},
	{name: "class that nobody took", edits: []edit{unset("GatewayClass/envoy", "status")}, bad: map[string]string{"gateway.class": "fail"}},
	{name: "class that is refused", edits: []edit{set("GatewayClass/envoy", `[{type: Accepted, status: "False", reason: InvalidParameters}]`, "status", "conditions")}, bad: map[string]string{"gateway.class": "fail"}},
	{name: "class of network load balancers", edits: []edit{set("GatewayClass/envoy", "gateway.k8s.aws/nlb", "spec", "controllerName")}, bad: map[string]string{"gateway.class": "fail"}},
	{name: "not programmed", edits: []edit{set("Gateway/public", `[{type: Programmed, status: "False", reason: AddressNotAssigned}]`, "status", "conditions")}, bad: map[string]string{"gateway.programmed": "fail"}},
	{name: "silent", edits: []edit{unset("Gateway/public", "status", "conditions")}, bad: map[string]string{"gateway.programmed": "warn"}},
	{name: "pending", edits: []edit{unset("Gateway/public", "status", "addresses")}, bad: map[string]string{"gateway.address": "fail"}},
	{name: "private", edits: []edit{set("Gateway/public", "[{value: 10.0.0.7}]", "status", "addresses")}, bad: map[string]string{"gateway.address": "fail"}},
	{name: "another host", access: "{mode: gateway, gateway: {parent: infra/public, host: runtime.example.onion}}", bad: map[string]string{"gateway.listener": "fail"},
		says: map[string]string{"gateway.listener": "kubectl -n infra patch gateways.gateway.networking.k8s.io public --type=json"}},
	gatewayWithoutHTTP,
	{name: "TLS handed through", edits: []edit{gatewayListener("tls: {mode: Passthrough}, allowedRoutes: {namespaces: {from: All}}")}, bad: map[string]string{"gateway.listener": "fail"}},
	{name: "another port", edits: []edit{gatewayListener("port: 8443, allowedRoutes: {namespaces: {from: All}}")}, bad: map[string]string{"gateway.listener": "warn"}},
	{name: "wrong certificate", edits: []edit{set("Gateway/public", `[{name: https, conditions: [{type: ResolvedRefs, status: "False", reason: InvalidCertificateRef, message: Secret runtime-tls is not there}]}]`, "status", "listeners")},
		bad: map[string]string{"gateway.listener": "fail"}, says: map[string]string{"gateway.listener": "certificate"}},
}

// gatewayListener gives the Gateway's listener other fields, and no
// allowedRoutes but those.
func gatewayListener(fields string) edit {
	return func(f *fixture) {
		gateway := f.object("Gateway/public").Object
		listeners, _, err := unstructured.NestedSlice(gateway, "spec", "listeners")
		if err != nil {
			f.t.Fatal(err)
		}
		listener := listeners[0].(map[string]any)
		delete(listener, "allowedRoutes")
		if err := yaml.Unmarshal([]byte("{"+fields+"}"), &listener); err != nil {
			f.t.Fatal(err)
		}
		if err := unstructured.SetNestedSlice(gateway, listeners, "spec", "listeners"); err != nil {
			f.t.Fatal(err)
		}
	}
}
