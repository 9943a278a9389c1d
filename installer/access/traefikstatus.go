package access

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

const replacesArguments = "Keep the additionalArguments that are set already: this replaces them."

const argoWaits = "Argo CD waits until the Ingress has an address."

func traefikStatus(s Site, c staticConfig) Verdict {
	endpoint := ingressProvider + ".ingressEndpoint"
	published, host, ip := c.text(endpoint+".publishedService"), c.text(endpoint+".hostname"), c.text(endpoint+".ip")
	switch {
	case byNginx(s, c):
		return nginxStatus(s, c)
	case !c.has(ingressProvider):
		return skip("%s takes no Ingresses at all", s.At())
	case published != "":
		return publishedStatus(s, c, published)
	case host != "" || ip != "":
		return pass("%s reports %s", s.At(), strings.TrimSpace(host+" "+ip)).evidence("%s", c)
	case c.on(ingressProvider + ".reportNodeInternalIPs"):
		return pass("%s reports the addresses of its nodes", s.At()).evidence("%s", c)
	}
	return reportSomething(s, c, fail("%s does not report an address", s.At()).why("%s %s", statusDefault(s), argoWaits))
}

// statusDefault says why nothing is reported.
func statusDefault(s Site) string {
	switch major := traefikChartMajor(s); {
	case major == 0:
		return "Traefik reports none unless it is told which."
	case major < 33:
		return "Its chart leaves that off before version 33."
	}
	return "Its chart does so by itself since version 33, unless a value says otherwise or its Service is off."
}

// publishedStatus judges the Service whose address is reported.
func publishedStatus(s Site, c staticConfig, published string) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	name := facts.ParseName(published, "")
	service, found := s.Cluster.Service(name)
	namespaces := c.list(ingressProvider + ".namespaces")
	switch {
	case strings.Count(published, "/") != 1 || name.Namespace == "" || name.Name == "":
		return reportSomething(s, c, fail("%s names the Service to report as %s", s.At(), published).why("It must be NAMESPACE/NAME. %s", argoWaits))
	case !found:
		return reportSomething(s, c, fail("%s reports the address of Service %s, which does not exist", s.At(), name).why("%s", argoWaits))
	case len(namespaces) > 0 && !slices.Contains(namespaces, name.Namespace):
		return mendTraefik(s, c, fail("%s reports the address of Service %s, whose namespace it does not watch", s.At(), name).
			why("It watches %s only. %s", strings.Join(namespaces, ", "), argoWaits), watchAlso(c, name.Namespace))
	}
	return serviceStatus(s, c, service)
}

// serviceStatus judges what Traefik copies from a Service of each type.
func serviceStatus(s Site, c staticConfig, service facts.Service) Verdict {
	at := service.Meta.Name
	if service.Type == "LoadBalancer" {
		if len(service.Addresses) == 0 {
			return warn("%s reports the address of Service %s, which has none yet", s.At(), at).why("%s", argoWaits).evidence("%s", c).
				fix("See why: kubectl -n %s describe service %s", at.Namespace, at.Name)
		}
		return pass("%s reports the address of Service %s", s.At(), at).evidence("%s; %s", strings.Join(service.Addresses, ", "), c)
	}
	switch since, known := traefikSince(s, 3, 4); {
	case !known:
		return reportSomething(s, c, warn("whether %s reports the address of Service %s is not known", s.At(), at).
			why("Only from version 3.4 it does so for a Service of type %s, and its version is not known.", service.Type))
	case !since:
		return reportSomething(s, c, fail("%s reports no address for Service %s", s.At(), at).
			why("Before version 3.4, Traefik does so for load balancers only; this one is of type %s. %s", service.Type, argoWaits))
	}
	if missing, all := s.Cluster.Could(facts.Nodes); service.Type == "NodePort" && !all {
		return unread(missing)
	}
	addresses, why := copied(s, c, service)
	if len(addresses) == 0 {
		return reportSomething(s, c, fail("%s has no address to report for Service %s", s.At(), at).why("%s %s", why, argoWaits))
	}
	return pass("%s reports the address of Service %s", s.At(), at).evidence("%s; %s", strings.Join(addresses, ", "), c)
}

// copied is what Traefik 3.4 and newer takes from a Service that is no load
// balancer, or why that is nothing.
func copied(s Site, c staticConfig, service facts.Service) (addresses []string, why string) {
	switch service.Type {
	case "ExternalName":
		return []string{service.ExternalName}, ""
	case "NodePort":
		if c.on(ingressProvider + ".disableClusterScopeResources") {
			return nil, "It may not look at the nodes, whose addresses a NodePort Service has."
		}
		return outsideAddresses(s), "No node has an external address."
	}
	return service.ExternalIPs, "A Service of type ClusterIP has only its external IPs, and there are none."
}

func outsideAddresses(s Site) []string {
	var addresses []string
	for _, node := range s.Cluster.Nodes {
		addresses = append(addresses, node.External...)
	}
	return addresses
}

// reportSomething lets Traefik report the Service where that gives an address,
// and else the address itself.
func reportSomething(s Site, c staticConfig, v Verdict) Verdict {
	if s.HasService && publishable(s, c) {
		return mendTraefik(s, c, v, publish(s, c))
	}
	if addresses := Addresses(s); len(addresses) > 0 {
		return mendTraefik(s, c, v, reportAddress(s, c, addresses[0]))
	}
	return v.evidence("%s", c).fix("Give %s a Service of type LoadBalancer and let Traefik report it with %s.ingressEndpoint.publishedService; or write down the address that leads to it as %s.ingressEndpoint.ip.",
		s.At(), ingressProvider, ingressProvider)
}

func publishable(s Site, c staticConfig) bool {
	if s.Service.Type == "LoadBalancer" {
		return true
	}
	since, _ := traefikSince(s, 3, 4)
	addresses, _ := copied(s, c, s.Service)
	return since && len(addresses) > 0
}

// publish reports a Service. The chart knows its own; another is named.
func publish(s Site, c staticConfig) traefikChange {
	name, key := s.Service.Meta.Name, ingressProvider+".publishedService"
	change := traefikChange{title: "let Traefik report the address of Service " + name.String(),
		static: []setting{{ingressProvider + ".ingressEndpoint.publishedService", name.String()}},
		chart:  []setting{{key + ".enabled", true}}}
	if s.Cluster.Owner(s.Service.Meta).Name != s.Owner().Name || c.text(ingressProvider+".ingressEndpoint.publishedService") != "" {
		change.chart = append(change.chart, setting{key + ".pathOverride", name.String()})
	}
	if namespaces := c.list(ingressProvider + ".namespaces"); len(namespaces) > 0 && !slices.Contains(namespaces, name.Namespace) {
		watch := watchAlso(c, name.Namespace)
		change.static, change.chart, change.also = append(change.static, watch.static...), append(change.chart, watch.chart...), watch.also
	}
	return change
}

// reportAddress writes an address down. The chart has values for that since
// version 40; before, it takes any argument.
func reportAddress(s Site, c staticConfig, address string) traefikChange {
	name, endpoint := "hostname", ingressProvider+".ingressEndpoint"
	if _, err := netip.ParseAddr(address); err == nil {
		name = "ip"
	}
	change := traefikChange{title: "let Traefik report the address " + address,
		static: []setting{{endpoint + "." + name, address}}, chart: []setting{{endpoint + "." + name, address}}}
	if traefikChartMajor(s) < 40 {
		change.chart[0] = setting{"additionalArguments", []string{"--" + strings.ToLower(endpoint+"."+name) + "=" + address}}
		change.note = replacesArguments
	}
	if c.text(endpoint+".publishedService") != "" {
		change.static = append(change.static, setting{endpoint + ".publishedService", nil})
		change.chart = append(change.chart, setting{ingressProvider + ".publishedService.enabled", false})
	}
	return change
}
