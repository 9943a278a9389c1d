package access

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// What the Gateway API serves, as facts are kept by.
const (
	gatewayGroup   = "gateway.networking.k8s.io"
	gatewayClasses = "gatewayclasses.gateway.networking.k8s.io"
	gateways       = "gateways.gateway.networking.k8s.io"
)

// The answers that the checks of a Gateway are about.
const (
	gatewayParent = "access.gateway.parent"
	gatewayHost   = "access.gateway.host"
)

// gatewayControllers are names for people.
var gatewayControllers = map[string]string{
	"traefik.io/gateway-controller": "Traefik", "istio.io/gateway-controller": "Istio", "istio.io/unmanaged-gateway": "Istio",
	"gateway.k8s.aws/alb": "AWS Load Balancer Controller", "gateway.nginx.org/nginx-gateway-controller": "NGINX Gateway Fabric",
	"gateway.envoyproxy.io/gatewayclass-controller": "Envoy Gateway", "io.cilium/gateway-controller": "Cilium",
	"networking.gke.io/gateway": "GKE", "projectcontour.io/gateway-controller": "Contour", "konghq.com/kic-gateway-controller": "Kong",
}

// GatewayAfter are the tasks that remain once the runtime is installed.
var GatewayAfter = []string{
	"Point the host's DNS record at the Gateway's address.",
	"See that the Gateway took the route, by its conditions Accepted and ResolvedRefs: " +
		"kubectl -n NAMESPACE get httproute codefresh-gitops-runtime -o jsonpath='{.status.parents[*].conditions}'",
}

var gatewayLooks = []Look{
	{"gateway.api", "the cluster serves `gateway.networking.k8s.io/v1`, of which the chart makes an HTTPRoute", "the command that installs the Gateway API"},
	{"gateway.parent", "the Gateway is there", "one of those that are"},
	{"gateway.class", "its GatewayClass is accepted by a controller, which carries http", "the controller, or a Gateway of another class"},
	{"gateway.programmed", "the Gateway's condition `Programmed` is true", "what the condition says"},
	{"gateway.address", "`status.addresses` has one that Codefresh can reach", "another Gateway, or tunnel mode"},
	{"gateway.listener", "a listener has the host, the protocol and the port, and its certificate is there", "the listener, as a command"},
	{"gateway.routes", "that listener takes HTTPRoutes of the runtime's namespace", "`allowedRoutes` of the listener, or `kubectl label namespace`"},
}

// Gateway judges an access through the Gateway API: every check that applies,
// whatever the others said.
func Gateway(cluster facts.Cluster, want Want) []check.Check {
	checks := []check.Check{gatewayAPI(cluster).check("gateway.api", gatewayParent)}
	if !cluster.Groups[gatewayGroup] {
		return checks
	}
	parent, verdict, found := chosenGateway(cluster, want)
	checks = append(checks, verdict.check("gateway.parent", gatewayParent))
	if !found {
		return checks
	}
	listeners := listenersOf(parent)
	return append(checks,
		gatewayClass(cluster, parent).check("gateway.class", gatewayParent),
		gatewayProgrammed(parent).check("gateway.programmed", gatewayParent),
		gatewayAddress(parent, want).check("gateway.address", gatewayParent),
		listenerVerdict(parent, listeners, want).check("gateway.listener", gatewayHost),
		routesVerdict(cluster, parent, listeners, want).check("gateway.routes", gatewayParent),
	)
}

func gatewayAPI(cluster facts.Cluster) Verdict {
	const install = "kubectl apply -f https://github.com/kubernetes-sigs/gateway-api/releases/latest/download/standard-install.yaml"
	if missing, all := cluster.Could(facts.Groups); !all {
		return unread(missing)
	}
	if !cluster.Groups[gatewayGroup] {
		return fail("this cluster has no Gateway API").why("It does not serve %s.", gatewayGroup).
			fix("Install it, and a controller for it: %s; or use another access mode.", install)
	}
	for _, object := range slices.Concat(cluster.Custom[gateways], cluster.Custom[gatewayClasses]) {
		if object.Version != "v1" {
			return fail("this cluster's Gateway API is too old").why("It serves %s of it, and the chart makes an HTTPRoute of v1.", object.Version).
				fix("Bring it up to date, with its controller: %s", install)
		}
	}
	return pass("the cluster serves the Gateway API")
}

// chosenGateway finds the Gateway of the answers.
func chosenGateway(cluster facts.Cluster, want Want) (facts.Custom, Verdict, bool) {
	if missing, all := cluster.Could(gateways); !all {
		return facts.Custom{}, unread(missing), false
	}
	var names []string
	for _, offer := range GatewayParents(cluster) {
		names = append(names, offer.Value)
	}
	choice := "Choose one of: " + strings.Join(names, ", ") + "."
	if len(names) == 0 {
		choice = "Create one with your Gateway controller, or use another access mode."
	}
	if want.Gateway == "" {
		return facts.Custom{}, fail("no Gateway is chosen").why("The runtime's route has to belong to one.").fix("%s", choice), false
	}
	index := slices.IndexFunc(cluster.Custom[gateways], func(g facts.Custom) bool { return g.Name == facts.ParseName(want.Gateway, want.Namespace) })
	if index < 0 {
		return facts.Custom{}, fail("there is no Gateway %s", want.Gateway).why("A route to a Gateway that is not there leads nowhere.").fix("%s", choice), false
	}
	return cluster.Custom[gateways][index], pass("Gateway %s is there", want.Gateway), true
}

// gatewayClass: a class that no controller accepted has nobody behind it.
func gatewayClass(cluster facts.Cluster, parent facts.Custom) Verdict {
	name := digText(parent.Spec, "gatewayClassName")
	if missing, all := cluster.Could(gatewayClasses); !all {
		return unread(missing)
	}
	index := slices.IndexFunc(cluster.Custom[gatewayClasses], func(c facts.Custom) bool { return c.Meta.Name.Name == name })
	if index < 0 {
		return fail("there is no GatewayClass %s", name).why("No controller serves the Gateway.").
			fix("Install the controller that brings this class, or choose another Gateway.")
	}
	class := cluster.Custom[gatewayClasses][index]
	controller := digText(class.Spec, "controllerName")
	accepted, known := conditionOf(class.Status, "Accepted")
	describe := kubectl("describe", gatewayClasses, class.Meta.Name)
	switch {
	case controller == "gateway.k8s.aws/nlb":
		return fail("class %s is of network load balancers", name).why("They carry no HTTPRoutes.").fix("Choose a Gateway of a class with controller gateway.k8s.aws/alb.").
			evidence("%s", controller)
	case !known || accepted.Status == "Unknown":
		return fail("no controller has taken GatewayClass %s", name).why("Its Gateways have nobody behind them.").evidence("%s", controller).
			fix("See that its controller runs: %s", describe)
	case accepted.Status != "True":
		return fail("the controller does not accept GatewayClass %s", name).why("Its Gateways are not served.").evidence("%s", accepted.words("Accepted")).
			fix("See why: %s", describe)
	}
	return pass("class %s is of %s", name, cmp.Or(gatewayControllers[controller], controller)).evidence("%s", controller)
}

func gatewayProgrammed(parent facts.Custom) Verdict {
	const kind = "Programmed"
	describe := kubectl("describe", gateways, parent.Name)
	programmed, known := conditionOf(parent.Status, kind)
	switch {
	case !known:
		return warn("Gateway %s does not say whether it works", parent.Name).why("It has no condition Programmed: its controller is old, or has not seen it.").
			fix("Look: %s", describe)
	case programmed.Status != "True":
		return fail("Gateway %s is not ready", parent.Name).why("Its controller has not brought it to work.").evidence("%s", programmed.words(kind)).
			fix("See why: %s", describe)
	}
	return pass("Gateway %s works", parent.Name)
}

func gatewayAddress(parent facts.Custom, want Want) Verdict {
	addresses := gatewayAddresses(parent)
	if len(addresses) == 0 {
		return fail("Gateway %s has no address", parent.Name).why("Its load balancer is pending, or nothing makes one.").
			fix("See why: %s; a cluster of your own needs MetalLB or the like.", kubectl("describe", gateways, parent.Name))
	}
	return reachable(want, addresses).evidence("%s", strings.Join(addresses, ", "))
}

func gatewayAddresses(parent facts.Custom) []string {
	var addresses []string
	for _, address := range digList(parent.Status, "addresses") {
		if value := digText(address, "value"); value != "" {
			addresses = append(addresses, value)
		}
	}
	return addresses
}
