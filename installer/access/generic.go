package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/reach"
)

// runtimePaths are what the runtime's Ingress serves.
var runtimePaths = []string{"/webhooks", "/workflows", "/app-proxy"}

// address says whether Codefresh can reach the controller's address.
func address(s Site) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	addresses := Addresses(s)
	switch {
	case !s.HasService && len(addresses) == 0:
		return fail("%s has no Service that carries web traffic", s.At()).why("Nothing leads from outside to the controller.").
			fix("Create a Service of type LoadBalancer for it, or use tunnel mode.")
	case len(addresses) == 0:
		return pending(s)
	}
	return reachable(s.Want, addresses).evidence("%s: %s", s.through(), few(addresses))
}

// few shows the first of many.
func few(words []string) string {
	const enough = 3
	if len(words) <= enough {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:enough], ", "), len(words)-enough)
}

// through names what the address belongs to.
func (s Site) through() string {
	if !s.HasService {
		return "the nodes of " + s.At()
	}
	return s.Service.Type + " Service " + s.Service.Meta.Name.String()
}

func pending(s Site) Verdict {
	service := s.Service.Meta.Name
	if s.Service.Type != "LoadBalancer" {
		return fail("Service %s has no address outside the cluster", service).why("It is of type %s.", s.Service.Type).
			fix("Put a load balancer in front of it, make it of type LoadBalancer, or use tunnel mode.")
	}
	return fail("Service %s waits for an address", service).why("Its load balancer is pending: the cloud has not made it, or there is none that makes them.").
		fix("See why: kubectl -n %s describe service %s; a cluster of your own needs MetalLB or the like.", service.Namespace, service.Name)
}

// reachable judges addresses by where they can be reached from.
func reachable(want Want, addresses []string) Verdict {
	index := slices.IndexFunc(addresses, func(a string) bool { return reach.ClassifyAddress(a) == reach.Public })
	switch {
	case index >= 0:
		return pass("reachable at %s", addresses[index])
	case want.PrivatePlatform:
		return warn("%s is %s", addresses[0], reach.ClassifyAddress(addresses[0]).Words()).why("Only a Codefresh platform on the same network can reach it.").
			fix("Fine where yours is; else give the controller a public address.")
	}
	return fail("%s is %s", addresses[0], reach.ClassifyAddress(addresses[0]).Words()).why("Codefresh on the internet cannot reach it.").
		fix("Give the controller a public address, or use tunnel mode: --access.mode tunnel")
}

// Addresses are where the controller's traffic arrives.
func Addresses(s Site) []string {
	if s.HasService {
		found := slices.Concat(s.Service.Addresses, s.Service.ExternalIPs)
		if len(found) > 0 || s.Service.Type == "LoadBalancer" {
			return found
		}
	}
	if !s.Workload.HostNetwork && !s.Program().HostPorts {
		return nil
	}
	var addresses []string
	for _, node := range s.Cluster.Nodes {
		addresses = append(addresses, node.External...)
	}
	if len(addresses) > 0 {
		return addresses
	}
	for _, node := range s.Cluster.Nodes {
		addresses = append(addresses, node.Inside...)
	}
	return addresses
}

const awsAnnotation = "service.beta.kubernetes.io/aws-load-balancer-"

// tcp says whether the load balancer passes connections through. AWS's
// classic one can be told to speak HTTP itself, which breaks WebSockets.
func tcp(s Site) Verdict {
	if !s.HasService {
		return skip("there is no Service to look at")
	}
	if !slices.ContainsFunc(s.Service.Ports, func(p facts.Port) bool { return p.Protocol == "TCP" && (p.Port == 443 || p.Port == 80) }) {
		return warn("Service %s has no TCP port 80 or 443", s.Service.Meta.Name).why("The runtime's URL carries no port.").
			fix("Let the Service listen on 443, or put a load balancer in front that does.")
	}
	provider := s.Cluster.Provider().ID
	if s.Service.Type != "LoadBalancer" || (provider != "eks" && provider != "aws") {
		return pass("TCP on ports 80 and 443")
	}
	return awsTCP(s)
}

func awsTCP(s Site) Verdict {
	kind, protocol := s.Service.Annotations[awsAnnotation+"type"], s.Service.Annotations[awsAnnotation+"backend-protocol"]
	change := Change{Chart: s.Controller.Chart, Repair: annotateService(s.Service, "let the load balancer speak TCP", awsAnnotation+"backend-protocol", "tcp")}
	switch {
	case slices.Contains([]string{"nlb", "nlb-ip", "external"}, kind), slices.Contains(awsClasses, s.Service.Class):
		return pass("a network load balancer carries it")
	case protocol == "tcp":
		return pass("the load balancer speaks TCP")
	case slices.Contains([]string{"http", "https", "ssl"}, protocol):
		return fail("the load balancer speaks %s itself", protocol).why("WebSockets and long connections break.").repaired(s.Cluster.Owner(s.Service.Meta), change)
	}
	return warn("the load balancer's mode is left to its default").why("Codefresh asks for TCP or a network load balancer.").repaired(s.Cluster.Owner(s.Service.Meta), change)
}

// hostFree looks for other Ingresses that serve the same host and paths.
func hostFree(cluster facts.Cluster, want Want) Verdict {
	if missing, all := cluster.Could(facts.Ingresses); !all {
		return unread(missing)
	}
	if want.Host == "" {
		return skip("no host is chosen yet")
	}
	worst := pass("no other Ingress uses %s", want.Host)
	for _, ingress := range cluster.Ingresses {
		if ingress.Meta.Namespace == want.Namespace && ingress.Meta.Name.Name == RouteName {
			continue
		}
		for _, rule := range ingress.Rules {
			if !strings.EqualFold(rule.Host, want.Host) {
				continue
			}
			if verdict := taken(ingress, rule, want); severity(verdict) > severity(worst) {
				worst = verdict
			}
		}
	}
	return worst
}

func taken(ingress facts.Ingress, rule facts.Rule, want Want) Verdict {
	overlap := slices.ContainsFunc(rule.Paths, func(path string) bool { return slices.Contains(runtimePaths, strings.TrimRight(path, "/")) })
	at := ingress.Meta.Name.String()
	if overlap {
		return fail("Ingress %s serves %s with the runtime's paths", at, want.Host).why("Only one of two gets the requests.").
			fix("Choose another host, or remove it: kubectl -n %s delete ingress %s", ingress.Meta.Namespace, ingress.Meta.Name.Name).evidence("%s", strings.Join(rule.Paths, ", "))
	}
	return warn("Ingress %s uses the host %s too", at, want.Host).why("Some controllers give a host to one Ingress only.").
		fix("A host of its own is safer for the runtime.").evidence("%s", strings.Join(rule.Paths, ", "))
}
