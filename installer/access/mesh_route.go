package access

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// routerName is the Service that serves all of the runtime's paths, and the
// name of the route to it.
const routerName = "internal-router"

// VirtualService builds the route from the Gateway to the runtime, in the
// newest version that the cluster serves.
func VirtualService(cluster facts.Cluster, want Want) map[string]any {
	var routes []any
	for _, path := range routePaths(want) {
		routes = append(routes, map[string]any{
			"match": []any{map[string]any{"uri": map[string]any{"prefix": path}}},
			"route": []any{map[string]any{"destination": map[string]any{"host": routerName, "port": map[string]any{"number": int64(80)}}}},
		})
	}
	spec := map[string]any{"hosts": []any{want.Host}, "gateways": []any{want.Gateway}, "http": routes}
	if meshHidesRoutes(cluster) {
		spec["exportTo"] = []any{"*"}
	}
	return map[string]any{
		"apiVersion": istioGroup + "/" + istioVersion(cluster), "kind": "VirtualService",
		"metadata": map[string]any{"name": routerName, "namespace": want.Namespace}, "spec": spec,
	}
}

// istioVersion is the one that the cluster's objects were read in, which is the
// newest. All versions of Istio of these years know v1beta1.
func istioVersion(cluster facts.Cluster) string {
	for _, custom := range slices.Concat(cluster.Custom[istioVirtualServices], cluster.Custom[istioGateways]) {
		if custom.Version != "" {
			return custom.Version
		}
	}
	return "v1beta1"
}

// meshHidesRoutes reports whether routes are private to their namespace unless
// they say otherwise.
func meshHidesRoutes(cluster facts.Cluster) bool {
	return slices.ContainsFunc(istiods(cluster), func(w facts.Workload) bool {
		settings, _ := meshSettingsOf(cluster, w)
		return len(settings.Export) > 0 && !slices.Contains(settings.Export, "*")
	})
}

// routePaths are the runtime's paths that exist with its answers.
func routePaths(want Want) []string {
	return slices.DeleteFunc(slices.Clone(runtimePaths), func(path string) bool { return want.WorkflowsDisabled && path == "/workflows" })
}

// meshHostFree looks for routes of others on the same host and Gateway that
// take requests meant for the runtime. Istio merges such routes, the oldest
// first.
func meshHostFree(cluster facts.Cluster, want Want) Verdict {
	if missing, all := cluster.Could(istioVirtualServices); !all {
		return unread(missing)
	}
	if want.Host == "" {
		return skip("no URL is chosen yet")
	}
	for _, other := range cluster.Custom[istioVirtualServices] {
		if other.Name == (facts.Name{Namespace: want.Namespace, Name: routerName}) || !sharesGateway(other, want) {
			continue
		}
		if taken, takes := takenPath(other, want); takes {
			return fail("VirtualService %s takes %s of %s", other.Name, taken, want.Host).
				why("Istio merges the routes of a host, the oldest first, so that the runtime would not get those requests.").
				fix("Choose another host, or change its routes: %s", kubectl("edit", istioVirtualServices, other.Name))
		}
	}
	return pass("no other VirtualService takes the runtime's paths on %s", want.Host)
}

// sharesGateway reports whether a route is for the runtime's host, on its
// Gateway, or on any while none is chosen.
func sharesGateway(route facts.Custom, want Want) bool {
	if !slices.ContainsFunc(digTexts(route.Spec, "hosts"), func(host string) bool { return strings.EqualFold(host, want.Host) }) {
		return false
	}
	return slices.ContainsFunc(digTexts(route.Spec, "gateways"), func(gateway string) bool {
		return gateway != "mesh" && (want.Gateway == "" || facts.ParseName(gateway, route.Namespace) == facts.ParseName(want.Gateway, want.Namespace))
	})
}

// takenPath finds a path of the runtime that a route takes requests of. A
// regular expression is not looked into.
func takenPath(route facts.Custom, want Want) (string, bool) {
	for _, http := range digList(route.Spec, "http") {
		matches := digList(http, "match")
		if len(matches) == 0 {
			return "all paths", true
		}
		for _, match := range matches {
			uri := dig[map[string]any](match, "uri")
			prefix, exact := digText(uri, "prefix"), digText(uri, "exact")
			for _, path := range routePaths(want) {
				if len(uri) == 0 || prefix != "" && (strings.HasPrefix(path, prefix) || strings.HasPrefix(prefix, path)) || exact != "" && strings.HasPrefix(exact, path) {
					return path, true
				}
			}
		}
	}
	return "", false
}

// MeshGateways offers the Gateways of Istio, with their hosts and addresses.
func MeshGateways(cluster facts.Cluster) []Offer {
	var offers []Offer
	for _, gateway := range istioGatewaysOf(cluster) {
		words := []string{cmp.Or(text.Shorten(strings.Join(gateway.hosts(), " "), 60), "no hosts")}
		for _, site := range meshPathOf(cluster, Want{}, gateway).sites {
			words = append(words, Addresses(site)...)
		}
		offers = append(offers, Offer{Value: gateway.Name.String(), Meaning: strings.Join(words, ", ")})
	}
	return offers
}

// MeshSecretsWanted names the Secrets of the Gateways' certificates, beside
// their pods: whether they are there decides about https.
func MeshSecretsWanted(cluster facts.Cluster) []facts.Name {
	var names []facts.Name
	for _, gateway := range istioGatewaysOf(cluster) {
		path := meshPathOf(cluster, Want{}, gateway)
		for _, server := range gateway.servers {
			names = append(names, path.places(server)...)
		}
	}
	slices.SortFunc(names, func(a, b facts.Name) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(names)
}
