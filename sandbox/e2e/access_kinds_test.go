package e2e

// customKind is a kind that a controller brings along.
type customKind struct{ plural, kind, group, version, scope string }

var (
	someOperator         = customKind{"edges", "Edge", "operators.acme.onion", "v1", "Namespaced"}
	argoApplications     = customKind{"applications", "Application", "argoproj.io", "v1alpha1", "Namespaced"}
	nginxOperators       = customKind{"nginxingresses", "NginxIngress", "charts.nginx.org", "v1alpha1", "Namespaced"}
	oldNginxOperators    = customKind{"nginxingresscontrollers", "NginxIngressController", "k8s.nginx.org", "v1alpha1", "Namespaced"}
	traefikStores        = customKind{"tlsstores", "TLSStore", "traefik.io", "v1alpha1", "Namespaced"}
	albParams            = customKind{"ingressclassparams", "IngressClassParams", "elbv2.k8s.aws", "v1beta1", "Cluster"}
	istioGateways        = customKind{"gateways", "Gateway", "networking.istio.io", "v1", "Namespaced"}
	istioVirtualServices = customKind{"virtualservices", "VirtualService", "networking.istio.io", "v1", "Namespaced"}
	ambassadorListeners  = customKind{"listeners", "Listener", "getambassador.io", "v3alpha1", "Namespaced"}
	gatewayClasses       = customKind{"gatewayclasses", "GatewayClass", "gateway.networking.k8s.io", "v1", "Cluster"}
	gatewayGateways      = customKind{"gateways", "Gateway", "gateway.networking.k8s.io", "v1", "Namespaced"}
)

// name is that of its definition.
func (k customKind) name() string { return k.plural + "." + k.group }

// definition takes any fields. Its objects have no status of their own to
// update, so that a fixture can write it.
func (k customKind) definition() string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + k.name() +
		", annotations: {api-approved.kubernetes.io: unapproved}}\nspec:\n  group: " + k.group +
		"\n  names: {kind: " + k.kind + ", plural: " + k.plural + "}\n  scope: " + k.scope +
		"\n  versions: [{name: " + k.version + ", served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]"
}

// serve lets the cluster know kinds.
func (l *lab) serve(kinds ...customKind) {
	l.t.Helper()
	if len(kinds) == 0 {
		return
	}
	f := &fixture{t: l.t}
	names := []string{"wait", "--for=condition=Established", "--timeout=30s"}
	for _, kind := range kinds {
		f.addText(kind.definition())
		names = append(names, "crd/"+kind.name())
	}
	l.apply(f)
	l.must("kubectl", names...)
}
