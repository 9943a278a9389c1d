package access

import "strings"

// hostMatches reports whether a pattern of a Gateway covers a host: the host
// itself, *.domain for everything below the domain, or * for everything. A
// wildcard stands for one label or more, in Istio and in the Gateway API alike.
func hostMatches(pattern, host string) bool {
	pattern, host = strings.ToLower(pattern), strings.ToLower(strings.TrimSuffix(host, "."))
	switch {
	case host == "" || pattern == "":
		return false
	case pattern == "*":
		return true
	case strings.HasPrefix(pattern, "*."):
		return len(host) >= len(pattern) && strings.HasSuffix(host, pattern[1:])
	}
	return pattern == host
}

// istioAdmits reports whether an entry of an Istio server's hosts lets a route
// of a namespace serve a host. An entry may name who may: namespace/host, with
// a dot for the Gateway's own namespace and a star for all.
func istioAdmits(entry, gatewayNamespace, namespace, host string) bool {
	who, pattern, limited := strings.Cut(entry, "/")
	switch {
	case !limited:
		return hostMatches(entry, host)
	case who == ".":
		who = gatewayNamespace
	}
	return (who == "*" || who == namespace) && hostMatches(pattern, host)
}
