package access

import (
	"github.com/cfwizard/cfwizard/installer/facts"
)

// needsAddress is why an Ingress needs an address on it.
const needsAddress = "An Ingress without an address is progressing for ever to Argo CD, and the install times out."

func communityStatus(s Site) Verdict {
	service, address := s.Flags.Text("publish-service", ""), s.Flags.Text("publish-status-address", "")
	switch {
	case !s.Flags.On("update-status", true):
		return fail("%s reports no addresses", s.At()).why(needsAddress).evidence("--update-status=false").
			repaired(s.Owner(), communityChange(s, "report addresses on Ingresses", withFlag(communityArgs(s), "--update-status=true"),
				map[string]string{"controller.extraArgs.update-status": "true"}))
	case s.Flags.On("disable-leader-election", false):
		return fail("%s elects no leader", s.At()).why("Only the leader reports addresses. %s", needsAddress).evidence("--disable-leader-election").
			repaired(s.Owner(), communityChange(s, "elect a leader", withFlag(communityArgs(s), "--disable-leader-election=false"),
				map[string]string{"controller.disableLeaderElection": "false", "controller.extraArgs.disable-leader-election": "false"}))
	case service != "" && address != "":
		return fail("%s cannot start", s.At()).why("--publish-service and --publish-status-address exclude each other.").
			evidence("--publish-service %s, --publish-status-address %s", service, address).
			repaired(s.Owner(), communityChange(s, "report the given address", communityWithoutService(s), map[string]string{"controller.publishService.enabled": "false"}))
	case address != "":
		return pass("it reports %s", address).evidence("--publish-status-address")
	case service != "":
		return communityPublished(s, facts.ParseName(service, s.Workload.Namespace))
	}
	return communityNodes(s)
}

// communityArgs are the arguments that a change starts from. A container without
// any runs what its image says, which arguments would replace.
func communityArgs(s Site) []string {
	if len(commandLine(s.Program())) == 0 {
		return []string{communityProgram}
	}
	return s.Program().Args
}

// communityWithoutService drops the flag, also where it is part of the command and
// only a later one can undo it.
func communityWithoutService(s Site) []string {
	inCommand := parseFlags(facts.Container{Command: s.Program().Command}, "", false)
	if inCommand.Has("publish-service") {
		return withFlag(communityArgs(s), "--publish-service=")
	}
	return withoutFlag(communityArgs(s), "publish-service")
}

func communityChange(s Site, title string, args []string, values map[string]string) Change {
	return Change{Repair: setArgs(s.Workload, s.Container, title, args), Chart: s.Controller.Chart, Values: values}
}

// communityPublishing is the change that reports the address of the Service in
// front.
func communityPublishing(s Site) Change {
	name := s.Service.Meta.Name.String()
	return communityChange(s, "report the address of Service "+name, withFlag(communityArgs(s), "--publish-service="+name),
		map[string]string{"controller.publishService.enabled": "true", "controller.publishService.pathOverride": name})
}

// communityPublished judges the Service whose address is reported.
func communityPublished(s Site, name facts.Name) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	service, found := s.Cluster.Service(name)
	switch {
	case !found && s.HasService:
		return fail("%s reports the address of a Service that is not there", s.At()).why(needsAddress).evidence("--publish-service %s", name).
			repaired(s.Owner(), communityPublishing(s))
	case !found:
		return fail("%s reports the address of a Service that is not there", s.At()).why(needsAddress).evidence("--publish-service %s", name).
			fix("Create Service %s of type LoadBalancer in front of it, or name the address with --publish-status-address.", name)
	case service.Type == "ExternalName":
		return pass("it reports %s", service.ExternalName).evidence("Service %s", name)
	case len(service.Addresses)+len(service.ExternalIPs) > 0:
		return pass("it reports the address of Service %s", name)
	case service.Type == "LoadBalancer":
		s.Service = service
		return pending(s)
	}
	return warn("it reports the address of Service %s inside the cluster", name).why("Argo CD is content with it, but nobody outside can reach it.").
		evidence("type %s, %s", service.Type, service.ClusterIP).
		fix(`Give it an address outside: kubectl -n %s patch service %s -p '{"spec":{"type":"LoadBalancer"}}'; behind a load balancer of your own, name its address with --publish-status-address instead of --publish-service.`, name.Namespace, name.Name)
}

// communityNodes judges the reporting of the nodes' addresses, which is what is
// left without a flag.
func communityNodes(s Site) Verdict {
	if s.HasService && s.Service.Type == "LoadBalancer" {
		return warn("%s reports its nodes' addresses, though Service %s carries the traffic", s.At(), s.Service.Meta.Name).
			why("Argo CD is content with it, but whoever reads the Ingress is sent to the wrong place.").
			repaired(s.Owner(), communityPublishing(s))
	}
	var addresses []string
	for _, node := range s.Cluster.Nodes {
		if len(node.External) == 0 || s.Flags.On("report-node-internal-ip-address", false) {
			addresses = append(addresses, node.Inside...)
			continue
		}
		addresses = append(addresses, node.External...)
	}
	return pass("it reports the addresses of its nodes").evidence("%s", few(addresses))
}
