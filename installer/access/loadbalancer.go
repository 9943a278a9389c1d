package access

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// proxyMark is how a cloud's load balancer is told to send the PROXY header.
// The cluster short-cuts connections to the load balancer's own address, which
// then come without the header; hairpin is the annotation that stops it by
// giving the load balancer a name instead.
type proxyMark struct {
	provider string
	sends    string
	hairpin  string
	name     func(Want) string // the value of hairpin
}

const cloudAnnotation = "service.beta.kubernetes.io/"

var proxyMarks = []proxyMark{
	{"digitalocean", cloudAnnotation + "do-loadbalancer-enable-proxy-protocol", cloudAnnotation + "do-loadbalancer-hostname", func(w Want) string { return w.Host }},
	{"scaleway", cloudAnnotation + "scw-loadbalancer-proxy-protocol-v2", cloudAnnotation + "scw-loadbalancer-use-hostname", func(Want) string { return "true" }},
	{"scaleway", cloudAnnotation + "scw-loadbalancer-proxy-protocol-v1", cloudAnnotation + "scw-loadbalancer-use-hostname", func(Want) string { return "true" }},
}

// proxyProtocol compares what the load balancer sends with what the controller
// expects: where they differ, no connection works.
func proxyProtocol(s Site) Verdict {
	mark, sends, concerned := proxyMarkOf(s)
	if !concerned {
		return nothing
	}
	name, data, known := s.configured()
	if missing, all := s.Cluster.Could("config map " + name.String()); !all {
		return unread(missing)
	}
	expects := data["use-proxy-protocol"] == "true"
	switch {
	case !known:
		return skip("the controller's ConfigMap was not found").evidence("--configmap %s", s.Flags.Text("configmap", ""))
	case sends && !expects:
		return fail("the load balancer sends a PROXY header, which the controller does not expect").why("It answers every connection with an error.").
			repaired(s.Owner(), expectProxy(s, name, data, "true")).evidence("%s on Service %s", mark.sends, s.Service.Meta.Name)
	case expects && !sends:
		return fail("the controller expects a PROXY header, which the load balancer does not send").why("It closes every connection: broken header.").
			repaired(s.Owner(), expectProxy(s, name, data, "false")).evidence("use-proxy-protocol in ConfigMap %s", name)
	case sends && s.Service.Annotations[mark.hairpin] == "":
		return hairpin(s, mark)
	}
	return pass("load balancer and controller agree about the PROXY header")
}

// proxyMarkOf finds the cloud's mark, by the Service or by the cluster's
// provider.
func proxyMarkOf(s Site) (mark proxyMark, sends, concerned bool) {
	if !s.HasService || s.Service.Type != "LoadBalancer" {
		return proxyMark{}, false, false
	}
	for _, m := range proxyMarks {
		if !slices.Contains([]string{"", "false", "0", "f"}, strings.ToLower(s.Service.Annotations[m.sends])) {
			return m, true, true
		}
	}
	provider := s.Cluster.Provider().ID
	index := slices.IndexFunc(proxyMarks, func(m proxyMark) bool { return m.provider == provider })
	if index < 0 {
		return proxyMark{}, false, false
	}
	return proxyMarks[index], false, true
}

func expectProxy(s Site, name facts.Name, data map[string]string, value string) Change {
	target := check.Repair{Title: "set use-proxy-protocol to " + value, Version: "v1", Resource: "configmaps"}
	return Change{Repair: setEntry(facts.Meta{Name: name}, target, "/data", data, "use-proxy-protocol", value), Chart: s.Controller.Chart,
		Values: map[string]string{"controller.config.use-proxy-protocol": value}}
}

// hairpin warns that the chart's check of the host, which runs in the cluster,
// would not pass through the load balancer.
func hairpin(s Site, mark proxyMark) Verdict {
	verdict := warn("from inside the cluster the load balancer is passed by").
		why("The connection then lacks the PROXY header, so that the chart's check of the host fails.")
	value := mark.name(s.Want)
	if value == "" {
		return verdict.fix("Choose the host, and set %s on the Service to it; or skip the check: --access.ingress.skipValidation", mark.hairpin)
	}
	repair := annotateService(s.Service, "give the load balancer a name", mark.hairpin, value)
	return verdict.repaired(s.Cluster.Owner(s.Service.Meta), annotation(s, repair, mark.hairpin, value))
}

// annotation is the change of an annotation on the Service, with the chart's
// value that does the same.
func annotation(s Site, repair check.Repair, key, value string) Change {
	if s.Controller.Annotates == "" {
		repair.Title += ", by the annotation " + key + ": " + value + " on its Service"
		return Change{Repair: repair}
	}
	values := map[string]string{s.Controller.Annotates + "." + strings.ReplaceAll(key, ".", `\.`): value}
	return Change{Repair: repair, Chart: s.Controller.Chart, Values: values, Custom: operatorCommand(s.Workload, values)}
}

// awsScheme finds the trap of the AWS Load Balancer Controller: it takes every
// new Service of type LoadBalancer, and makes its load balancer internal.
func awsScheme(s Site) Verdict {
	provider := s.Cluster.Provider().ID
	if !s.HasService || s.Service.Type != "LoadBalancer" || (provider != "eks" && provider != "aws") {
		return nothing
	}
	taken := takenByAWS(s.Service)
	switch {
	case !isInternal(s, taken):
		return pass("the load balancer faces the internet")
	case s.Want.PrivatePlatform:
		return pass("the load balancer is internal, for a platform on the same network")
	}
	key, value := awsAnnotation+"scheme", "internet-facing"
	if !taken {
		key, value = awsAnnotation+"internal", "false"
	}
	repair := annotateService(s.Service, "let the load balancer face the internet", key, value)
	repair.Warning = "The load balancer is replaced, and its name changes."
	return fail("the load balancer of Service %s is internal", s.Service.Meta.Name).why("Codefresh on the internet cannot reach it. AWS's controller makes internal ones unless told.").
		evidence("scheme %q, loadBalancerClass %q", s.Service.Annotations[awsAnnotation+"scheme"], s.Service.Class).
		repaired(s.Cluster.Owner(s.Service.Meta), annotation(s, repair, key, value))
}

// awsClasses are the classes of network load balancers, of the AWS Load
// Balancer Controller and of EKS Auto Mode.
var awsClasses = []string{"service.k8s.aws/nlb", "eks.amazonaws.com/nlb"}

// takenByAWS reports whether the AWS Load Balancer Controller makes the
// Service's load balancer, and not the cloud itself.
func takenByAWS(service facts.Service) bool {
	return slices.Contains(awsClasses, service.Class) ||
		slices.Contains([]string{"external", "nlb-ip"}, service.Annotations[awsAnnotation+"type"])
}

// isInternal reads the scheme as its maker does: only the controller knows the
// annotation of that name, and only it has another default.
func isInternal(s Site, taken bool) bool {
	scheme, legacy := s.Service.Annotations[awsAnnotation+"scheme"], s.Service.Annotations[awsAnnotation+"internal"]
	switch {
	case taken && scheme != "":
		return scheme != "internet-facing"
	case legacy != "":
		return legacy != "false"
	}
	return taken && defaultScheme(s.Cluster) != "internet-facing"
}

// defaultScheme is what the AWS Load Balancer Controller was told to do with
// Services that say nothing.
func defaultScheme(cluster facts.Cluster) string {
	for _, w := range cluster.Workloads {
		for _, c := range w.Containers {
			if strings.HasSuffix(imageName(c.Image), "/aws-load-balancer-controller") {
				return parseFlags(c, w.Namespace, false).Text("default-load-balancer-scheme", "internal")
			}
		}
	}
	return "internal"
}
