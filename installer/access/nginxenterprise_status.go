package access

import (
	"cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// statusKey names the address in the controller's ConfigMap.
const statusKey = "external-status-address"

// enterpriseStatus wants two things: that reporting is on, and that there is
// an address to report.
func enterpriseStatus(s Site) Verdict {
	link, service := s.Flags.Text("ingresslink", ""), s.Flags.Text("external-service", "")
	switch {
	case link != "" && service != "":
		return fail("%s cannot start", s.At()).why("-ingresslink and -external-service exclude each other.").
			evidence("-ingresslink %s, -external-service %s", link, service).
			repaired(s.Owner(), enterpriseChange(s, "report the address of IngressLink "+link, withoutFlag(s.Program().Args, "external-service"),
				map[string]string{"controller.reportIngressStatus.ingressLink": link}))
	case !s.Flags.On("report-ingress-status", false):
		return fail("%s reports no addresses", s.At()).why(needsAddress).repaired(s.Owner(), enterpriseReporting(s))
	}
	return enterpriseSource(s, link, service)
}

// enterpriseReporting is the change that reports the address of the Service in
// front, or of whatever is set already.
func enterpriseReporting(s Site) Change {
	args := withFlag(s.Program().Args, "-report-ingress-status")
	values := map[string]string{"controller.reportIngressStatus.enable": "true"}
	_, data, _ := s.configured()
	if data[statusKey] == "" && s.Flags.Text("ingresslink", "") == "" && s.HasService && hasOutside(s.Service) {
		name := s.Service.Meta.Name.Name
		args = withFlag(args, "-external-service="+name)
		values["controller.reportIngressStatus.externalService"] = name
	}
	return enterpriseChange(s, "report addresses on Ingresses", args, values)
}

// hasOutside reports whether a Service can have an address outside.
func hasOutside(s facts.Service) bool {
	return s.Type == "LoadBalancer" || s.Type == "ExternalName" || len(s.ExternalIPs) > 0
}

// enterpriseSource judges where the address comes from. The ConfigMap comes
// first, as it does for the controller.
func enterpriseSource(s Site, link, service string) Verdict {
	name, data, known := s.configured()
	switch {
	case data[statusKey] != "":
		return pass("it reports %s", data[statusKey]).evidence("%s in ConfigMap %s", statusKey, name)
	case link != "":
		return pass("it reports the address of IngressLink %s", link)
	case service != "":
		return enterprisePublished(s, facts.Name{Namespace: s.Workload.Namespace, Name: service})
	case !known && name.Name != "":
		return skip("ConfigMap %s, which may name the address to report, was not read", name)
	}
	verdict := fail("%s has no address to report", s.At()).why("-report-ingress-status alone reports nothing. %s", needsAddress)
	if s.HasService && hasOutside(s.Service) {
		return verdict.repaired(s.Owner(), enterpriseReporting(s))
	}
	return enterpriseNamed(s, verdict)
}

// enterprisePublished judges the Service whose address is reported. It is
// looked for beside the controller only.
func enterprisePublished(s Site, name facts.Name) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	service, found := s.Cluster.Service(name)
	switch {
	case !found:
		verdict := fail("%s reports the address of a Service that is not there", s.At()).why(needsAddress).evidence("-external-service %s", name)
		if s.HasService && hasOutside(s.Service) {
			return verdict.repaired(s.Owner(), enterpriseReporting(s))
		}
		return enterpriseNamed(s, verdict)
	case service.Type == "ExternalName":
		return pass("it reports %s", service.ExternalName).evidence("Service %s", name)
	case len(service.Addresses)+len(service.ExternalIPs) > 0:
		return pass("it reports the address of Service %s", name)
	case service.Type == "LoadBalancer":
		s.Service = service
		return pending(s)
	}
	return enterpriseNamed(s, fail("Service %s has no address to report", name).why("It is of type %s. %s", service.Type, needsAddress))
}

// enterpriseNamed mends a verdict by naming the address in the ConfigMap.
func enterpriseNamed(s Site, verdict Verdict) Verdict {
	name, data, known := s.configured()
	address := outsideAddress(s)
	if known && address != "" {
		return verdict.repaired(s.Owner(), namedChange(s, name, data, address))
	}
	name = cmp.Or(name, facts.Name{Namespace: s.Workload.Namespace, Name: "CONFIGMAP"})
	address = cmp.Or(address, "ADDRESS")
	command := mergePatch(name.Namespace, "configmap", name.Name, map[string]any{"data": map[string]any{statusKey: address}})
	return verdict.advised(s.Owner(), namedChange(s, name, nil, address), "Name the address that leads to it: "+command)
}

func namedChange(s Site, name facts.Name, data map[string]string, address string) Change {
	target := check.Repair{Title: "report " + address, Version: "v1", Resource: "configmaps"}
	values := map[string]string{"controller.config.entries." + statusKey: address}
	return Change{Repair: setEntry(facts.Meta{Name: name}, target, "/data", data, statusKey, address), Chart: s.Controller.Chart,
		Values: values, Custom: operatorCommand(s.Workload, values)}
}

// outsideAddress is what leads to the controller where no Service says so: the
// runtime's host, or a node.
func outsideAddress(s Site) string {
	if s.Want.Host != "" {
		return text.Line(s.Want.Host)
	}
	for _, node := range s.Cluster.Nodes {
		if len(node.External) > 0 {
			return node.External[0]
		}
	}
	return ""
}
