package e2e

import "slices"

const (
	istioOverHTTP  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: istio, protocol: http}}"
	istioOverHTTPS = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: istio}}"
	istioWithTLS   = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: istio, tlsSecret: runtime-tls}}"
)

// Istio as an ingress controller. Its settings are one text in a ConfigMap, so
// that they are told and not repaired.
var istioSuite = accessSuite{
	fixture: "istio", access: istioOverHTTP, balancer: "istio-ingressgateway", part: part{"ConfigMap/istio", "data"},
	passes: []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.status", "ingress.address", "ingress.tcp",
		"ingress.gateway", "ingress.tls-place", "ingress.host-free"},
	cases: slices.Concat(istioPlaceCases, istioAddressCases, istioTLSCases,
		owned(istioOff, "ingress.bound", "istiod-1.30.1",
			"helm upgrade edge istiod --repo https://istio-release.storage.googleapis.com/charts --namespace web --version 1.30.1 --reuse-values --set meshConfig.ingressControllerMode=STRICT"),
		[]accessCase{istioElsewhere.ownedBy("Argo CD", "ingress.status", ownerWords["Argo CD"], argoCDMarks)}),
}

var istioOff = accessCase{name: "class not bound", edits: []edit{mesh("ingressControllerMode: 'OFF'")}, bad: map[string]string{"ingress.bound": "fail"},
	says: map[string]string{"ingress.bound": "kubectl -n istio-system edit configmap istio"}, byHand: []edit{mesh("ingressControllerMode: STRICT")}}

var istioPlaceCases = []accessCase{
	istioOff,
	{name: "namespace not selected", edits: []edit{mesh("discoverySelectors: [{matchLabels: {team: payments}}]")}, bad: map[string]string{"ingress.watched": "fail"},
		shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
	{name: "settings of a revision", edits: []edit{set("ConfigMap/istio", "{mesh: 'ingressControllerMode: \"OFF\"'}", "data"), variable("REVISION", "canary")}},
}

var istioElsewhere = accessCase{name: "status of another namespace", edits: []edit{variable("K8S_INGRESS_NS", "web")}, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"},
	shell: "kubectl -n istio-system set env deployment/istiod K8S_INGRESS_NS=istio-system", part: programOf("istiod")}

var istioAddressCases = []accessCase{
	{name: "status of another Service", edits: []edit{mesh("ingressService: other\ningressSelector: ingressgateway")}, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"},
		says: map[string]string{"ingress.status": "ingressService: istio-ingressgateway"}, byHand: []edit{mesh("ingressService: istio-ingressgateway\ningressSelector: ingressgateway")}},
	istioElsewhere,
	{name: "no gateway pods", edits: []edit{mesh("ingressSelector: edge")}, bad: map[string]string{"ingress.gateway": "fail"},
		says: map[string]string{"ingress.gateway": "ingressSelector: ingressgateway"}, byHand: []edit{mesh("ingressSelector: ingressgateway")}},
	{name: "a port of the nodes", edits: []edit{set("Service/istio-ingressgateway", "NodePort", "spec", "type")}, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"}},
	{name: "pending", address: noAddress, bad: map[string]string{"ingress.address": "fail"}},
	{name: "private", address: privateAddress, bad: map[string]string{"ingress.address": "fail"}},
}

var istioTLSCases = []accessCase{
	{name: "no certificate", access: istioOverHTTPS, bad: map[string]string{"ingress.tls-place": "warn"}, says: map[string]string{"ingress.tls-place": "--access.ingress.tlsSecret"}},
	{name: "the Secret elsewhere", access: istioWithTLS, edits: []edit{certificateFor(runtimeHost)}, bad: map[string]string{"ingress.tls-place": "fail", "access.tls-secret": "fail"},
		byHand: []edit{certificateIn("istio-system", runtimeHost)}},
	{name: "wrong certificate", access: istioWithTLS, edits: []edit{certificateIn("istio-system", "other.acme.onion")}, bad: map[string]string{"access.tls-secret": "fail"},
		byHand: []edit{certificateIn("istio-system", runtimeHost)}},
}

// mesh is the configuration of the mesh.
func mesh(settings string) edit {
	return func(f *fixture) { f.object("ConfigMap/istio").Object["data"] = map[string]any{"mesh": settings} }
}
