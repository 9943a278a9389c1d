package e2e

import "slices"

const (
	traefikOverHTTP  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: traefik, protocol: http}}"
	traefikOverHTTPS = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: traefik}}"
	traefikWithTLS   = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: traefik, tlsSecret: runtime-tls}}"

	traefikProvider = "--providers.kubernetesingress"
	traefikEndpoint = traefikProvider + ".ingressendpoint"
	traefikNginx    = "--providers.kubernetesingressnginx"
)

var traefikSuite = accessSuite{
	fixture: "traefik", kinds: []customKind{traefikStores}, access: traefikOverHTTP, balancer: "traefik", part: programOf("traefik"),
	passes: []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.status", "ingress.address", "ingress.tcp",
		"ingress.empty-services", "ingress.acme", "ingress.host-free"},
	cases: slices.Concat(traefikStatusCases, traefikPlaceCases, traefikSourceCases, traefikTLSCases,
		owned(traefikStatusOff, "ingress.status", "traefik-41.3.0",
			"helm upgrade edge traefik --repo https://traefik.github.io/charts --namespace web --version 41.3.0 --reuse-values --set providers.kubernetesIngress.publishedService.enabled=true"),
		[]accessCase{traefikStatusOff.ownedBy("k3s", "ingress.status",
			"kind: HelmChartConfig\nmetadata: {name: traefik, namespace: kube-system}\nspec:\n  valuesContent: |-\n    providers:\n      kubernetesIngress:\n        publishedService:\n          enabled: true", k3sMarks("traefik"))}),
}

var traefikStatusOff = accessCase{name: "status off", edits: []edit{noFlags(traefikEndpoint + ".publishedservice")},
	bad: map[string]string{"ingress.status": "fail"}, repaired: true}

var traefikStatusCases = []accessCase{
	traefikStatusOff,
	{name: "an address that is written down", edits: []edit{noFlags(traefikEndpoint + ".publishedservice"), flags(traefikEndpoint + ".hostname=" + publicAddress)}},
	{name: "a Service that is not there", edits: []edit{flags(traefikEndpoint + ".publishedservice=traefik/other")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "a Service without its namespace", edits: []edit{flags(traefikEndpoint + ".publishedservice=traefik")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "a port of the nodes, before 3.4", edits: []edit{program("traefik:v3.3.7"), set("Service/traefik", "NodePort", "spec", "type")},
		bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"}},
	{name: "pending", address: noAddress, bad: map[string]string{"ingress.status": "warn", "ingress.address": "fail"}},
	{name: "private", address: privateAddress, bad: map[string]string{"ingress.address": "fail"}},
	{name: "routes without endpoints", edits: []edit{noFlags(traefikProvider + ".allowEmptyServices")}, bad: map[string]string{"ingress.empty-services": "warn"}, repaired: true},
}

var traefikPlaceCases = []accessCase{
	{name: "no Ingresses at all", edits: []edit{flags(traefikProvider + "=false")}, bad: map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "class not bound", edits: []edit{flags(traefikProvider + ".ingressclass=other")}, bad: map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "another class bound", edits: []edit{flags(traefikProvider + ".ingressclass=other"), withText(ingressClass("other", "traefik.io/ingress-controller"))},
		bad: map[string]string{"ingress.bound": "fail"}, flags: []string{"--access.ingress.class", "other"}},
	{name: "no classes read", edits: []edit{flags(traefikProvider + ".disableclusterscoperesources=true")}, bad: map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "no classes looked up", edits: []edit{flags(traefikProvider + ".disableingressclasslookup")}, bad: map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "namespace not watched", edits: []edit{flags(traefikProvider + ".namespaces=traefik,web")}, bad: map[string]string{"ingress.watched": "fail"}, repaired: true},
	{name: "its Service not watched", edits: []edit{flags(traefikProvider + ".namespaces=codefresh")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "label selector", edits: []edit{flags(traefikProvider + ".labelselector=team=payments")}, bad: map[string]string{"ingress.watched": "fail"},
		flags: []string{"--access.ingress.labels", "team=payments"}},
	{name: "label selector of what the chart sets", edits: []edit{flags(traefikProvider + ".labelselector=app=shop")}, bad: map[string]string{"ingress.watched": "fail"},
		byHand: []edit{flags(traefikProvider + ".labelselector=app in (shop,codefresh-gitops-runtime)")}},
}

// Traefik reads a file, arguments or variables, and stands in for ingress-nginx.
var traefikSourceCases = []accessCase{
	{name: "a file", edits: traefikFromFile(), bad: map[string]string{"ingress.status": "fail"}, says: map[string]string{"ingress.status": "In key traefik.yaml of ConfigMap traefik/traefik-static"},
		byHand: traefikFromFile(set("ConfigMap/traefik-static", "{traefik.yaml: \"providers: {kubernetesIngress: {allowEmptyServices: true, ingressEndpoint: {publishedService: traefik/traefik}}}\"}", "data"))},
	{name: "variables", edits: traefikFromVariables(), bad: map[string]string{"ingress.status": "fail"},
		shell: "kubectl -n traefik set env deployment/traefik -c traefik TRAEFIK_PROVIDERS_KUBERNETESINGRESS_INGRESSENDPOINT_PUBLISHEDSERVICE=traefik/traefik"},
	{name: "in the place of ingress-nginx", access: ingressOverHTTP, edits: traefikAsNginx(), bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "in the place of ingress-nginx, namespace not watched", access: ingressOverHTTP,
		edits: traefikAsNginx(flags(traefikNginx+".publishservice=traefik/traefik", traefikNginx+".watchnamespace=traefik")), bad: map[string]string{"ingress.watched": "fail"}, repaired: true},
	{name: "not in the place of ingress-nginx", access: ingressOverHTTP, edits: []edit{withText(ingressClass("nginx", "k8s.io/ingress-nginx"))}, bad: map[string]string{"ingress.bound": "fail"},
		flags: []string{"--access.ingress.class", "traefik"}},
}

var traefikTLSCases = []accessCase{
	{name: "no certificate", access: traefikOverHTTPS, edits: []edit{certificateFor(runtimeHost)}, bad: map[string]string{"ingress.default-certificate": "warn"},
		flags: []string{"--access.ingress.tlsSecret", "runtime-tls"}},
	{name: "a certificate for all", access: traefikOverHTTPS,
		edits: []edit{withText("apiVersion: traefik.io/v1alpha1\nkind: TLSStore\nmetadata: {name: default, namespace: traefik}\nspec: {defaultCertificate: {secretName: wildcard}}")}},
	{name: "wrong certificate", access: traefikWithTLS, edits: []edit{certificateFor("other.acme.onion")}, bad: map[string]string{"access.tls-secret": "fail"},
		byHand: []edit{certificateFor(runtimeHost)}},
	{name: "no TLS on the entrypoint", access: traefikOverHTTPS, edits: []edit{noFlags("--entryPoints.websecure.http.tls"), flags("--entryPoints.websecure.http3=true"), certificateFor(runtimeHost)},
		bad: map[string]string{"ingress.https-entrypoint": "warn", "ingress.default-certificate": "warn"}, flags: []string{"--access.ingress.tlsSecret", "runtime-tls"}},
	{name: "replicas that compete for certificates", edits: []edit{set("Deployment/traefik", "2", "spec", "replicas"), flags("--certificatesresolvers.le.acme.email=ada@acme.onion")},
		bad: map[string]string{"ingress.acme": "warn"}, byHand: []edit{set("Deployment/traefik", "1", "spec", "replicas"), flags("--certificatesresolvers.le.acme.email=ada@acme.onion")}},
}

// traefikFromFile starts Traefik with a file and nothing else.
func traefikFromFile(edits ...edit) []edit {
	mounted := func(f *fixture) {
		f.container(func(container map[string]any) {
			delete(container, "args")
			container["volumeMounts"] = []any{map[string]any{"name": "static", "mountPath": "/etc/traefik"}}
		})
	}
	volume := set("Deployment/traefik", "[{name: static, configMap: {name: traefik-static}}]", "spec", "template", "spec", "volumes")
	return append([]edit{with("traefik-file"), mounted, volume}, edits...)
}

func traefikFromVariables() []edit {
	bare := func(f *fixture) { f.container(func(container map[string]any) { delete(container, "args") }) }
	return []edit{bare, variable("TRAEFIK_PROVIDERS_KUBERNETESINGRESS", "true"), variable("TRAEFIK_PROVIDERS_KUBERNETESINGRESS_ALLOWEMPTYSERVICES", "true")}
}

// traefikAsNginx lets it serve a class of ingress-nginx.
func traefikAsNginx(edits ...edit) []edit {
	return append([]edit{flags(traefikNginx), withText(ingressClass("nginx", "k8s.io/ingress-nginx"))}, edits...)
}
