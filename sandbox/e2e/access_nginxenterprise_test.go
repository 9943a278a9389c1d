package e2e

import "slices"

const (
	enterpriseOverHTTP  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx-org, controller: nginx-enterprise, protocol: http}}"
	enterpriseOverHTTPS = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx-org, controller: nginx-enterprise}}"
	enterpriseWithTLS   = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx-org, controller: nginx-enterprise, tlsSecret: runtime-tls}}"
)

var enterpriseSuite = accessSuite{
	fixture: "nginx-enterprise", access: enterpriseOverHTTP, balancer: "nginx-ingress", part: programOf("nginx-ingress"),
	kinds: []customKind{nginxOperators, oldNginxOperators},
	passes: []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.status", "ingress.address", "ingress.tcp",
		"ingress.host-free", "ingress.host-taken"},
	cases: slices.Concat(enterpriseStatusCases, enterprisePlaceCases, enterpriseHostCases,
		owned(enterpriseStatusOff, "ingress.status", "nginx-ingress-2.6.4",
			"helm upgrade edge oci://ghcr.io/nginx/charts/nginx-ingress --namespace web --version 2.6.4 --reuse-values"+
				" --set controller.reportIngressStatus.enable=true --set controller.reportIngressStatus.externalService=nginx-ingress"),
		[]accessCase{
			enterpriseStatusOff.operated(nginxOperators, "ingress.status", `kubectl -n nginx-ingress patch nginxingresses.charts.nginx.org edge --type=merge -p '{"spec":{"controller":{"reportIngressStatus":{"enable":true,`),
			enterpriseStatusOff.operated(oldNginxOperators, "ingress.status", `kubectl -n nginx-ingress patch nginxingresscontrollers.k8s.nginx.org edge --type=merge -p '{"spec":{"reportIngressStatus":{"enable":true,`),
		}),
}

var enterpriseStatusOff = accessCase{name: "status off", edits: []edit{noFlags("-report-ingress-status", "-external-service")},
	bad: map[string]string{"ingress.status": "fail"}, repaired: true}

var enterpriseStatusCases = []accessCase{
	enterpriseStatusOff,
	{name: "status switched off", edits: []edit{flags("-report-ingress-status=false")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "status without a source", edits: []edit{noFlags("-external-service")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "two sources of the address", edits: []edit{flags("-ingresslink=big-ip")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "a Service that is not there", edits: []edit{flags("-external-service=other")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "a port of the nodes", edits: []edit{set("Service/nginx-ingress", "NodePort", "spec", "type")}, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"},
		repaired: true, part: part{"ConfigMap/nginx-config", "data"}, left: map[string]string{"ingress.address": "fail"}},
	{name: "an address in the ConfigMap", edits: []edit{noFlags("-external-service"), set("ConfigMap/nginx-config", publicAddress, "data", "external-status-address")}},
	{name: "pending", address: noAddress, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"}},
	{name: "private", address: privateAddress, bad: map[string]string{"ingress.address": "fail"}},
}

var enterprisePlaceCases = []accessCase{
	{name: "class not bound", edits: []edit{flags("-ingress-class=other")}, bad: map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "another class bound", edits: []edit{flags("-ingress-class=other"), withText(ingressClass("other", "nginx.org/ingress-controller"))}, bad: map[string]string{"ingress.bound": "fail"},
		flags: []string{"--access.ingress.class", "other"}},
	{name: "controller not named", access: ofClass("nginx-org")},
	{name: "a class of NGINX Community", access: "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx, controller: nginx-enterprise, protocol: http}}", edits: []edit{flags("-ingress-class=nginx"), withText(ingressClass("nginx", "k8s.io/ingress-nginx"))}, bad: map[string]string{"ingress.bound": "fail"},
		says: map[string]string{"ingress.bound": "-ingress-class=nginx-org"}},
	{name: "namespace not watched", edits: []edit{flags("-watch-namespace=web,shop")}, bad: map[string]string{"ingress.watched": "fail"}, repaired: true},
	{name: "namespace not selected", edits: []edit{flags("-watch-namespace-label=team=payments")}, bad: map[string]string{"ingress.watched": "fail"},
		shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
	{name: "Secrets not watched", access: enterpriseWithTLS, edits: []edit{flags("-watch-secret-namespace=web"), certificateFor(runtimeHost)},
		bad: map[string]string{"ingress.watched": "fail"}, repaired: true},
}

var enterpriseHostCases = []accessCase{
	{name: "no certificate", access: enterpriseOverHTTPS, edits: []edit{certificateFor(runtimeHost)}, bad: map[string]string{"ingress.tls-block": "fail"},
		flags: []string{"--access.ingress.tlsSecret", "runtime-tls"}},
	{name: "no Secret", access: enterpriseWithTLS, bad: map[string]string{"ingress.tls-block": "fail", "access.tls-secret": "fail"}, byHand: []edit{certificateFor(runtimeHost)}},
	{name: "wrong certificate", access: enterpriseWithTLS, edits: []edit{certificateFor("other.acme.onion")}, bad: map[string]string{"access.tls-secret": "fail"},
		byHand: []edit{certificateFor(runtimeHost)}},
	{name: "host taken", edits: []edit{withText(ingress("shop", "web", "nginx-org", runtimeHost, "/shop"))}, bad: map[string]string{"ingress.host-taken": "fail", "ingress.host-free": "warn"},
		shell: "kubectl -n web delete ingress shop"},
}
