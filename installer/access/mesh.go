package access

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// What Istio serves, as facts are kept by.
const (
	istioGroup           = "networking.istio.io"
	istioGateways        = "gateways.networking.istio.io"
	istioVirtualServices = "virtualservices.networking.istio.io"
)

// The answers that the checks of a mesh are about.
const (
	meshURL     = "access.mesh.url"
	meshGateway = "access.mesh.gateway"
)

// MeshAfter are the tasks that remain once the runtime is installed.
var MeshAfter = []string{
	"Apply the VirtualService internal-router in the runtime's namespace: it routes the host from the Gateway to the Service internal-router, port 80.",
	"Point the host's DNS record at the address of the Gateway's Service.",
}

var meshLooks = []Look{
	{"mesh.installed", "the cluster serves `networking.istio.io`, and istiod runs", "the commands that install Istio; with another mesh the routing is yours, which is a warning"},
	{"mesh.watched", "`meshConfig.discoverySelectors`, if any, pick the runtime's namespace", "`kubectl label namespace`"},
	{"mesh.gateway", "the Gateway is there", "one of those that are, or a new one"},
	{"mesh.workload", "ready pods have the labels of its `selector`: in any namespace, or in its own where istiod has `PILOT_SCOPE_GATEWAY_TO_NAMESPACE`", "the selector of the gateway pods that are there"},
	{"mesh.address", "the Service of those pods has an address that Codefresh can reach, and the URL's port", "waiting for the load balancer, another type of Service, or tunnel mode"},
	{"mesh.scheme", "the load balancer of that Service on AWS is internet-facing", "the annotation `aws-load-balancer-scheme` on the Service"},
	{"mesh.server", "a server on the URL's port ends TLS for the host, and takes routes of the runtime's namespace", "the host is added to a server, or a server to the Gateway"},
	{"mesh.credential", "the Secret of its `credentialName` is in the namespace of the gateway pods", "the command that creates it"},
	{"mesh.host-free", "no other VirtualService takes the runtime's paths on the same host and Gateway", "another host"},
	{"mesh.sidecar", "Istio injects no sidecars into the runtime's namespace: they can keep the chart's Jobs from ending", "the label `istio-injection=disabled`"},
}

// Mesh judges an access through a service mesh: every check that applies,
// whatever the others said.
func Mesh(cluster facts.Cluster, want Want) []check.Check {
	checks := []check.Check{meshInstalled(cluster, want).check("mesh.installed", meshURL)}
	if !cluster.Groups[istioGroup] {
		return checks
	}
	if planes := istiods(cluster); len(planes) > 0 {
		checks = append(checks, meshWatches(cluster, want, planes[0]).check("mesh.watched", meshURL))
	}
	chosen, verdict, found := chosenMeshGateway(cluster, want)
	checks = append(checks, verdict.check("mesh.gateway", meshGateway))
	if found {
		checks = append(checks, meshPathOf(cluster, want, chosen).checks()...)
	}
	return append(checks, meshHostFree(cluster, want).check("mesh.host-free", meshURL), meshSidecar(cluster, want).check("mesh.sidecar", meshURL))
}

// meshInstalled: without Istio, another mesh may still do the routing, which
// only the person knows.
func meshInstalled(cluster facts.Cluster, want Want) Verdict {
	if missing, all := cluster.Could(facts.Groups, facts.Workloads); !all {
		return unread(missing)
	}
	planes := istiods(cluster)
	ready := slices.ContainsFunc(planes, func(w facts.Workload) bool { return w.Ready > 0 })
	switch {
	case !cluster.Groups[istioGroup] && want.Gateway != "":
		return fail("this cluster has no Istio, and so no Gateway %s", want.Gateway).why("It does not serve %s.", istioGroup).
			fix("Install Istio: %s; or leave access.mesh.gateway empty, if another mesh routes to the runtime.", istioInstall)
	case !cluster.Groups[istioGroup]:
		return warn("this cluster has no Istio").why("It does not serve %s, so that the routing of another mesh cannot be checked.", istioGroup).
			fix("Let your mesh route the runtime's URL to the Service internal-router in namespace %s, port 80; or install Istio: %s", want.Namespace, istioInstall)
	case len(planes) == 0:
		return warn("Istio's control plane was not found").why("The cluster serves Istio's kinds, but no istiod runs in it.").
			fix("If it runs elsewhere, go on; else install it: helm upgrade --install istiod istiod --repo %s --namespace istio-system", istioCharts)
	case !ready:
		return fail("Istio's control plane has no ready pod").why("Routes that change now do not reach the gateways.").
			evidence("%s %s", planes[0].Kind, planes[0].Meta.Name).
			fix("See why: %s", kubectl("describe", planes[0].Kind, planes[0].Meta.Name))
	}
	return pass("Istio runs as %s %s", planes[0].Kind, planes[0].Meta.Name).evidence("%s", text.Line(planes[0].Containers[0].Image))
}

// chosenMeshGateway finds the Gateway of the answers.
func chosenMeshGateway(cluster facts.Cluster, want Want) (istioGateway, Verdict, bool) {
	if missing, all := cluster.Could(istioGateways); !all {
		return istioGateway{}, unread(missing), false
	}
	known := istioGatewaysOf(cluster)
	var names []string
	for _, gateway := range known {
		names = append(names, gateway.Name.String())
	}
	index := slices.Index(names, facts.ParseName(want.Gateway, want.Namespace).String())
	switch {
	case want.Gateway == "" && len(names) == 0:
		return istioGateway{}, warn("no Gateway is chosen, and none is there").why("Without one, no traffic enters the mesh.").fix("%s", newMeshGateway(want)), false
	case want.Gateway == "":
		return istioGateway{}, warn("no Gateway is chosen").why("The route for the runtime cannot be built or checked without it.").
			fix("Choose one of: %s.", strings.Join(names, ", ")), false
	case index < 0 && len(names) == 0:
		return istioGateway{}, fail("there is no Gateway %s, and no other", want.Gateway).why("Without one, no traffic enters the mesh.").
			fix("%s", newMeshGateway(want)), false
	case index < 0:
		return istioGateway{}, fail("there is no Gateway %s", want.Gateway).why("A route to a Gateway that is not there leads nowhere.").
			fix("Choose one of: %s.", strings.Join(names, ", ")), false
	}
	return known[index], pass("Gateway %s is there", want.Gateway), true
}

// newMeshGateway is a Gateway that would do, as a command.
func newMeshGateway(want Want) string {
	name := facts.ParseName(want.Gateway, "istio-system")
	if name.Name == "" {
		name.Name = "codefresh"
	}
	return "Create one:\nkubectl apply -f - <<'END'\napiVersion: networking.istio.io/v1beta1\nkind: Gateway\nmetadata: {name: " + name.Name + ", namespace: " + name.Namespace + "}\n" +
		"spec:\n  selector: {istio: ingressgateway}\n  servers:\n  - port: {number: " + strconv.FormatInt(cmp.Or(want.Port, 443), 10) + ", name: https, protocol: HTTPS}\n" +
		"    tls: {mode: SIMPLE, credentialName: runtime-tls}\n    hosts: [" + want.Namespace + "/" + want.Host + "]\nEND"
}

// meshSidecar: a classic sidecar never ends, and so neither do the Jobs that
// the chart waits for.
func meshSidecar(cluster facts.Cluster, want Want) Verdict {
	injection, revision := want.NamespaceLabels["istio-injection"], want.NamespaceLabels["istio.io/rev"]
	native := slices.ContainsFunc(istiods(cluster), func(w facts.Workload) bool { return istiodVariable(w, "ENABLE_NATIVE_SIDECARS") == "true" })
	switch {
	case want.NamespaceUnknown:
		return skip("not allowed to read the labels of namespace %s", want.Namespace)
	case injection == "disabled", injection == "" && revision == "":
		return pass("Istio injects no sidecars into namespace %s", want.Namespace)
	case native:
		return pass("sidecars of namespace %s end with their Jobs", want.Namespace).evidence("ENABLE_NATIVE_SIDECARS=true")
	}
	return warn("Istio injects sidecars into namespace %s", want.Namespace).
		why("The chart's Jobs may then never end, and the install waits for them. Newer versions of Istio and Kubernetes end them.").
		fix("Switch it off for the install: kubectl label --overwrite namespace %s istio-injection=disabled", text.Quote(want.Namespace)).
		evidence("istio-injection=%s, istio.io/rev=%s", text.Line(injection), text.Line(revision))
}
