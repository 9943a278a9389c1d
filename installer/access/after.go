package access

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// RouteName is the name of the runtime's Ingress and of its HTTPRoute.
const RouteName = "codefresh-gitops-runtime"

// GatewayPlace names the HTTPRoute's group, and VirtualServicePlace the
// VirtualService's with the version that the cluster serves.
func GatewayPlace() (group, version, resource string) { return gatewayGroup, "v1", "httproutes" }

// VirtualServicePlace is where the cluster keeps VirtualServices; there is none
// without Istio.
func VirtualServicePlace(cluster facts.Cluster) (group, version, resource string, there bool) {
	return istioGroup, istioVersion(cluster), "virtualservices", cluster.Groups[istioGroup]
}

// VirtualServices builds the two routes of runtimes before 0.0.543, which had
// no router: to app-proxy, and to each event source that takes webhooks.
func VirtualServices(cluster facts.Cluster, want Want, eventSources []string) []map[string]any {
	route := func(path, service string, port int64) any {
		return map[string]any{
			"match": []any{map[string]any{"uri": map[string]any{"prefix": path}}},
			"route": []any{map[string]any{"destination": map[string]any{"host": service, "port": map[string]any{"number": port}}}},
		}
	}
	object := func(name string, routes []any) map[string]any {
		made := VirtualService(cluster, want)
		made["metadata"] = map[string]any{"name": name, "namespace": want.Namespace}
		made["spec"].(map[string]any)["http"] = routes
		return made
	}
	var hooks []any
	for _, name := range eventSources {
		hooks = append(hooks, route("/webhooks/"+want.Namespace+"/"+name, name+"-eventsource-svc", 80))
	}
	return []map[string]any{
		object("cap-app-proxy", []any{route("/app-proxy", "cap-app-proxy", 3017)}),
		object("csdp-default-git-source", hooks),
	}
}

// MeshAddresses are those at which the mesh's Gateway takes traffic.
func MeshAddresses(cluster facts.Cluster, want Want) []string {
	gateway, _, found := chosenMeshGateway(cluster, want)
	if !found {
		return nil
	}
	var addresses []string
	for _, site := range meshPathOf(cluster, want, gateway).sites {
		addresses = append(addresses, Addresses(site)...)
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}

// GatewayAddresses are those at which the Gateway takes traffic.
func GatewayAddresses(cluster facts.Cluster, want Want) []string {
	parent, _, found := chosenGateway(cluster, want)
	if !found {
		return nil
	}
	var addresses []string
	for _, address := range digList(parent.Status, "addresses") {
		addresses = append(addresses, digText(address, "value"))
	}
	return addresses
}

// ALBRegion is the region in the name of an AWS load balancer.
func ALBRegion(hostname string) string {
	before, _, found := strings.Cut(hostname, ".elb.amazonaws.com")
	if !found {
		return ""
	}
	return before[strings.LastIndex(before, ".")+1:]
}
