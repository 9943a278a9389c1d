package e2e

import "slices"

const (
	ambassadorOverHTTP = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: ambassador, protocol: http}}"
	ambassadorWithTLS  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: ambassador, tlsSecret: runtime-tls}}"
)

var ambassadorSuite = accessSuite{
	fixture: "ambassador", kinds: []customKind{ambassadorListeners}, access: ambassadorOverHTTP, balancer: "emissary-ingress", part: part{"Service/emissary-ingress", "metadata.labels"},
	passes: []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.status", "ingress.address", "ingress.tcp",
		"ingress.listener", "ingress.apiext", "ingress.host-free"},
	cases: slices.Concat(ambassadorCases, owned(ambassadorStatusOff, "ingress.status", "emissary-ingress-4.1.0", "Helm release edge of namespace web"),
		[]accessCase{
			ambassadorAlone.ownedBy("Helm", "ingress.watched", "--set scope.singleNamespace=false", helmMarks("emissary-ingress-4.1.0")),
			ambassadorElsewhere.ownedBy("Argo CD", "ingress.status", ownerWords["Argo CD"], argoCDMarks),
			ambassadorDeaf.ownedBy("Helm", "ingress.listener", "--set createDefaultListeners=true", helmMarks("emissary-ingress-4.1.0")),
			ambassadorDeaf.ownedBy("Argo CD", "ingress.listener", ownerWords["Argo CD"], argoCDMarks),
			ambassadorDeaf.ownedBy("Flux", "ingress.listener", ownerWords["Flux"], fluxGitMarks),
		}),
}

var (
	ambassadorStatusOff = accessCase{name: "status off", edits: []edit{unset("Service/emissary-ingress", "metadata", "labels")}, bad: map[string]string{"ingress.status": "fail"}, repaired: true}
	ambassadorAlone     = accessCase{name: "namespace not watched", edits: []edit{variable("AMBASSADOR_SINGLE_NAMESPACE", "yes")}, bad: map[string]string{"ingress.watched": "fail"},
		shell: "kubectl -n emissary set env deployment/emissary-ingress AMBASSADOR_SINGLE_NAMESPACE-", part: programOf("emissary-ingress")}
	ambassadorElsewhere = accessCase{name: "status of another namespace", edits: []edit{variable("AMBASSADOR_NAMESPACE", "web")}, bad: map[string]string{"ingress.status": "fail"},
		shell: "kubectl -n emissary set env deployment/emissary-ingress AMBASSADOR_NAMESPACE=emissary", part: programOf("emissary-ingress")}
	ambassadorDeaf = accessCase{name: "listens for others only", edits: []edit{set("Listener/https", "{namespace: {from: SELF}}", "spec", "hostBinding")}, bad: map[string]string{"ingress.listener": "fail"},
		shell: "kubectl apply -f - <<", undo: removeNewListeners, part: part{"Listener/https", "spec"}}
)

const removeNewListeners = "kubectl -n emissary delete listeners.getambassador.io codefresh-http codefresh-https"

var ambassadorCases = []accessCase{
	ambassadorStatusOff, ambassadorAlone, ambassadorDeaf, ambassadorElsewhere,
	{name: "a port of the nodes", edits: []edit{set("Service/emissary-ingress", "NodePort", "spec", "type")}, bad: map[string]string{"ingress.status": "fail", "ingress.address": "fail"}},
	{name: "pending", address: noAddress, bad: map[string]string{"ingress.address": "fail"}},
	{name: "private", address: privateAddress, bad: map[string]string{"ingress.address": "fail"}},
	{name: "class not bound", edits: []edit{variable("AMBASSADOR_ID", "edge"), set("Listener/https", "[edge]", "spec", "ambassador_id")}, part: part{"IngressClass/ambassador", "metadata.annotations"},
		access: "{mode: ingress, ingress: {host: " + runtimeHost + ", class: ambassador, protocol: http, annotations: {getambassador.io/ambassador-id: edge}}}",
		bad:    map[string]string{"ingress.bound": "fail"}, repaired: true},
	{name: "Ingress not bound", edits: []edit{variable("AMBASSADOR_ID", "edge"), set("Listener/https", "[edge]", "spec", "ambassador_id"),
		set("IngressClass/ambassador", "{getambassador.io/ambassador-id: edge}", "metadata", "annotations")},
		bad: map[string]string{"ingress.bound": "fail"}, flags: []string{"--access.ingress.annotations", "getambassador.io/ambassador-id=edge"}},
	{name: "listens for another Ambassador", edits: []edit{set("Listener/https", "[edge]", "spec", "ambassador_id")}, bad: map[string]string{"ingress.listener": "fail"},
		shell: "kubectl apply -f - <<", undo: removeNewListeners},
	{name: "wrong certificate", access: ambassadorWithTLS, edits: []edit{certificateFor("other.acme.onion")}, bad: map[string]string{"access.tls-secret": "fail"},
		byHand: []edit{certificateFor(runtimeHost)}},
}
