package e2e

import "slices"

const (
	ingressOverHTTP  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx, protocol: http}}"
	ingressOverHTTPS = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx}}"
	ingressWithTLS   = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx, tlsSecret: runtime-tls}}"
)

var nginxSuite = accessSuite{
	fixture: "nginx", kinds: []customKind{argoApplications}, access: ingressOverHTTP, balancer: "ingress-nginx-controller", part: programOf("ingress-nginx-controller"),
	notices: map[string]string{"ingress.retired": "warn"},
	passes:  []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.status", "ingress.address", "ingress.tcp", "ingress.host-free"},
	cases: slices.Concat(nginxStatusCases, nginxPlaceCases, nginxHostCases,
		owned(nginxStatusOff, "ingress.status", "ingress-nginx-4.15.1",
			"helm upgrade edge ingress-nginx --repo https://kubernetes.github.io/ingress-nginx --namespace web --version 4.15.1 --reuse-values --set controller.extraArgs.update-status=true"),
		[]accessCase{
			nginxStatusOff.ownedBy("Argo CD of old", "ingress.status", ownerWords["Argo CD"], oldArgoCDMarks).withApplication(),
			nginxStatusOff.ownedBy("Flux from Git", "ingress.status", ownerWords["Flux"], fluxGitMarks),
			nginxStatusOff.ownedBy("RKE2", "ingress.status", "kind: HelmChartConfig\nmetadata: {name: rke2-ingress-nginx, namespace: kube-system}", k3sMarks("rke2-ingress-nginx")),
			nginxStatusOff.ownedBy("AKS", "ingress.status", "AKS application routing", aksMarks),
			nginxStatusOff.ownedBy("an add-on manager", "ingress.status", "add-on manager", addOnMarks),
		}),
}

var nginxStatusOff = accessCase{name: "status off", edits: []edit{flags("--update-status=false")},
	bad: map[string]string{"ingress.status": "fail"}, repaired: true}

var nginxStatusCases = []accessCase{
	nginxStatusOff,
	{name: "no leader", edits: []edit{flags("--disable-leader-election")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "two sources of the address", edits: []edit{flags("--publish-status-address=" + publicAddress)}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "a Service that is not there", edits: []edit{flags("--publish-service=edge/other")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true},
	{name: "addresses of the nodes", edits: []edit{noFlags("--publish-service")}, bad: map[string]string{"ingress.status": "warn"}, repaired: true},
	{name: "an address inside the cluster", edits: []edit{set("Service/ingress-nginx-controller", "NodePort", "spec", "type")},
		bad: map[string]string{"ingress.status": "warn", "ingress.address": "fail"}, says: map[string]string{"ingress.status": "kubectl -n edge patch service ingress-nginx-controller"}},
	{name: "pending", address: noAddress, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"}, says: map[string]string{"ingress.address": "kubectl -n edge describe service ingress-nginx-controller"}},
	{name: "private", address: privateAddress, bad: map[string]string{"ingress.address": "fail"}, says: map[string]string{"ingress.address": "--access.mode tunnel"}},
	{name: "other ports", edits: []edit{set("Service/ingress-nginx-controller", "[{name: http, port: 8080}, {name: https, port: 8443}]", "spec", "ports")}, bad: map[string]string{"ingress.tcp": "warn"}},
	{name: "no pod", edits: []edit{set("Deployment/ingress-nginx-controller", "0", "spec", "replicas")}, idle: true, bad: map[string]string{"ingress.controller": "fail"},
		says: map[string]string{"ingress.controller": "kubectl -n edge describe deployment ingress-nginx-controller"}},
	{name: "this very machine", address: "127.0.0.1", bad: map[string]string{"ingress.address": "fail"}},
}

var nginxPlaceCases = []accessCase{
	{name: "no such class", access: "{mode: ingress, ingress: {host: " + runtimeHost + ", class: ngnix, protocol: http}}", bad: map[string]string{"ingress.class": "fail", "ingress.retired": "not there"}},
	{name: "class not bound", edits: []edit{flags("--controller-class=k8s.io/ingress-nginx-codefresh"), withText(ingressClass("nginx-codefresh", "k8s.io/ingress-nginx-codefresh"))},
		bad: map[string]string{"ingress.bound": "fail"}, flags: []string{"--access.ingress.class", "nginx-codefresh"}},
	{name: "no class for it", edits: []edit{flags("--controller-class=k8s.io/ingress-nginx-codefresh")}, bad: map[string]string{"ingress.bound": "fail"},
		byHand: []edit{flags("--controller-class=k8s.io/ingress-nginx-codefresh", "--ingress-class-by-name")}},
	{name: "namespace not watched", edits: []edit{flags("--watch-namespace=web")}, bad: map[string]string{"ingress.watched": "fail"}, byHand: []edit{flags("--watch-namespace=codefresh")}},
	{name: "namespace not watched, owned by Helm", edits: []edit{flags("--watch-namespace=web"), ownedBy(helmMarks("ingress-nginx-4.15.1"))}, kept: true,
		bad: map[string]string{"ingress.watched": "fail"}, says: map[string]string{"ingress.watched": "--set controller.scope.enabled=false"}},
	{name: "namespace not selected", edits: []edit{flags("--watch-namespace-selector=team=payments")}, bad: map[string]string{"ingress.watched": "fail"},
		shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
}

var nginxHostCases = []accessCase{
	{name: "of before 1.0", edits: []edit{program("k8s.gcr.io/ingress-nginx/controller:v0.51.0")}, bad: map[string]string{"ingress.retired": "fail"}},
	{name: "host and paths taken", edits: []edit{withText(ingress("shop", "web", "nginx", runtimeHost, "/app-proxy"))}, bad: map[string]string{"ingress.host-free": "fail"},
		shell: "kubectl -n web delete ingress shop"},
	{name: "host shared", edits: []edit{withText(ingress("shop", "web", "nginx", runtimeHost, "/shop"))}, bad: map[string]string{"ingress.host-free": "warn"}},
	{name: "no certificate", access: ingressOverHTTPS, bad: map[string]string{"ingress.default-certificate": "warn"}, byHand: []edit{flags("--default-ssl-certificate=edge/wildcard")}},
	{name: "wrong certificate", access: ingressWithTLS, edits: []edit{certificateFor("other.acme.onion")}, bad: map[string]string{"access.tls-secret": "fail"},
		byHand: []edit{certificateFor(runtimeHost)}},
	{name: "no Secret", access: ingressWithTLS, bad: map[string]string{"access.tls-secret": "fail"}, byHand: []edit{certificateFor(runtimeHost)}},
}

func ingressClass(name, controller string) string {
	return "apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: " + name + "}\nspec: {controller: " + controller + "}"
}

// ingress is somebody's.
func ingress(name, namespace, class, host, path string) string {
	return "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: " + name + ", namespace: " + namespace + "}\nspec:\n  ingressClassName: " + class +
		"\n  rules: [{host: " + host + ", http: {paths: [{path: " + path + ", pathType: Prefix, backend: {service: {name: " + name + ", port: {number: 80}}}}]}}]"
}

// withApplication adds the Application of Argo CD that the objects belong to.
func (c accessCase) withApplication() accessCase {
	c.edits = append(slices.Clone(c.edits), withText(application))
	return c
}
