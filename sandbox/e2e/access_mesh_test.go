package e2e

import "slices"

const (
	meshOverHTTPS = "{mode: mesh, mesh: {url: \"https://" + runtimeHost + "\", gateway: istio-system/public}}"
	meshOverHTTP  = "{mode: mesh, mesh: {url: \"http://" + runtimeHost + "\", gateway: istio-system/public}}"

	patchMeshGateway = "kubectl -n istio-system patch gateways.networking.istio.io public"
)

// Istio as a mesh, which routes by itself from a Gateway of its own.
var meshSuite = accessSuite{
	fixture: "istio", base: []edit{with("mesh"), certificateIn("istio-system", runtimeHost)}, kinds: []customKind{istioGateways, istioVirtualServices},
	access: meshOverHTTPS, balancer: "istio-ingressgateway", part: part{"Gateway/public", "spec"},
	passes: []string{"mesh.installed", "mesh.watched", "mesh.gateway", "mesh.workload", "mesh.address", "mesh.server", "mesh.credential", "mesh.host-free", "mesh.sidecar"},
	cases:  slices.Concat(meshGatewayCases, meshServerCases, meshRouteCases, owned(meshOtherHost, "mesh.server", "edge-1.2.3", "Helm release edge of namespace web")),
}

var meshGatewayCases = []accessCase{
	{name: "no such Gateway", access: "{mode: mesh, mesh: {url: \"https://" + runtimeHost + "\", gateway: istio-system/pubic}}", bad: map[string]string{"mesh.gateway": "fail"},
		says: map[string]string{"mesh.gateway": "istio-system/public"}},
	{name: "no Gateway chosen", access: "{mode: mesh, mesh: {url: \"https://" + runtimeHost + "\"}}", bad: map[string]string{"mesh.gateway": "warn"},
		flags: []string{"--access.mesh.gateway", "istio-system/public"}, says: map[string]string{"mesh.gateway": "istio-system/public"}},
	{name: "no pods", edits: []edit{set("Gateway/public", "{istio: edge}", "spec", "selector")}, bad: map[string]string{"mesh.workload": "fail"}, shell: patchMeshGateway},
	{name: "pods of another namespace", edits: []edit{variable("PILOT_SCOPE_GATEWAY_TO_NAMESPACE", "true"), set("Gateway/public", "web", "metadata", "namespace")},
		access: "{mode: mesh, mesh: {url: \"https://" + runtimeHost + "\", gateway: web/public}}", bad: map[string]string{"mesh.workload": "fail"}},
	{name: "pending", address: noAddress, bad: map[string]string{"mesh.address": "fail"}},
	{name: "private", address: privateAddress, bad: map[string]string{"mesh.address": "fail"}},
	{name: "no port for https", edits: []edit{set("Service/istio-ingressgateway", "[{name: http2, port: 80}]", "spec", "ports")}, bad: map[string]string{"mesh.address": "warn"}},
}

var meshOtherHost = accessCase{name: "another host", edits: []edit{meshServer("443", "HTTPS", "{mode: SIMPLE, credentialName: runtime-tls}", "shop.acme.onion")},
	bad: map[string]string{"mesh.server": "fail"}, shell: patchMeshGateway}

var meshServerCases = []accessCase{
	meshOtherHost,
	{name: "a host for its own namespace", edits: []edit{meshServer("443", "HTTPS", "{mode: SIMPLE, credentialName: runtime-tls}", "./*")}, bad: map[string]string{"mesh.server": "fail"}, shell: patchMeshGateway},
	{name: "http only", edits: []edit{meshServer("80", "HTTP", "{}", "*")}, bad: map[string]string{"mesh.server": "fail"}, says: map[string]string{"mesh.server": patchMeshGateway}},
	{name: "http, as wanted", access: meshOverHTTP, edits: []edit{meshServer("80", "HTTP", "{}", "*")}},
	{name: "http that is redirected", access: meshOverHTTP, bad: map[string]string{"mesh.server": "fail"}},
	{name: "TLS handed through", edits: []edit{meshServer("443", "TLS", "{mode: PASSTHROUGH}", "*")}, bad: map[string]string{"mesh.server": "fail"}},
	{name: "callers of the mesh only", edits: []edit{meshServer("443", "HTTPS", "{mode: ISTIO_MUTUAL}", "*")}, bad: map[string]string{"mesh.server": "fail"}},
	{name: "callers with a certificate", edits: []edit{meshServer("443", "HTTPS", "{mode: MUTUAL, credentialName: runtime-tls}", "*")}, bad: map[string]string{"mesh.server": "warn"}},
	{name: "another port", edits: []edit{meshServer("8443", "HTTPS", "{mode: SIMPLE, credentialName: runtime-tls}", "*")}, bad: map[string]string{"mesh.server": "warn"}},
	{name: "no certificate", edits: []edit{meshServer("443", "HTTPS", "{mode: SIMPLE}", "*")}, bad: map[string]string{"mesh.credential": "fail"}},
	{name: "no Secret", edits: []edit{meshServer("443", "HTTPS", "{mode: SIMPLE, credentialName: other-tls}", "*")}, bad: map[string]string{"mesh.credential": "fail"},
		says: map[string]string{"mesh.credential": "kubectl -n istio-system create secret tls other-tls"}},
}

var meshRouteCases = []accessCase{
	{name: "namespace not selected", edits: []edit{mesh("discoverySelectors: [{matchLabels: {team: payments}}]")}, bad: map[string]string{"mesh.watched": "fail"},
		shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
	{name: "host and paths taken", edits: []edit{withText(virtualService("/"))}, bad: map[string]string{"mesh.host-free": "fail"},
		says: map[string]string{"mesh.host-free": "kubectl -n web edit virtualservices.networking.istio.io shop"}, byHand: []edit{withText(virtualService("/shop"))}},
	{name: "sidecars", edits: []edit{withText("apiVersion: v1\nkind: Namespace\nmetadata: {name: codefresh, labels: {istio-injection: enabled}}")}, bad: map[string]string{"mesh.sidecar": "warn"},
		shell: "kubectl label --overwrite namespace codefresh istio-injection=disabled", undo: "kubectl label namespace codefresh istio-injection-"},
}

// meshServer is the Gateway's only one.
func meshServer(port, protocol, tls, host string) edit {
	return set("Gateway/public", "[{port: {number: "+port+", name: edge, protocol: "+protocol+"}, tls: "+tls+", hosts: [\""+host+"\"]}]", "spec", "servers")
}

// virtualService is somebody's route for the host.
func virtualService(prefix string) string {
	return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: shop, namespace: web}\n" +
		"spec: {hosts: [" + runtimeHost + "], gateways: [istio-system/public], http: [{match: [{uri: {prefix: " + prefix + "}}], route: [{destination: {host: shop}}]}]}"
}
