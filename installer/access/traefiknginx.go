package access

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// nginxTakes reports whether the provider that stands in for ingress-nginx
// takes the class: by its controller, or also by its name.
func nginxTakes(s Site, c staticConfig) bool {
	return s.Class.Controller == nginxController(c) ||
		(c.on(nginxProvider+".ingressClassByName") && s.Class.Meta.Name.Name == cmp.Or(c.text(nginxProvider+".ingressClass"), "nginx"))
}

func nginxController(c staticConfig) string {
	return cmp.Or(c.text(nginxProvider+".controllerClass"), "k8s.io/ingress-nginx")
}

// nginxBound never turns the provider on by itself: Traefik would take over
// every Ingress of the class.
func nginxBound(s Site, c staticConfig) Verdict {
	since, known := traefikSince(s, 3, 5)
	v := fail("%s does not take class %s", s.At(), s.Class.Meta.Name.Name).evidence("spec.controller %s; %s", s.Class.Controller, c)
	switch {
	case known && !since:
		return v.why("Only from version 3.5 Traefik can stand in for ingress-nginx.").fix("%s", ownClass(s)+"; or install ingress-nginx.")
	case !c.has(nginxProvider):
		return v.why("The class is of ingress-nginx, and the provider that stands in for it is off.").
			fix("%s", ownClass(s)+"; or turn on "+nginxProvider+", which takes all Ingresses of ingress-nginx over.")
	case !nginxTakes(s, c):
		return v.why("Its provider for ingress-nginx takes classes of the controller %s.", nginxController(c)).
			fix("%s", ownClass(s)+"; or one of the controller "+nginxController(c)+".")
	}
	return pass("%s takes Ingresses of class %s in the place of ingress-nginx", s.At(), s.Class.Meta.Name.Name).evidence("%s", c)
}

// ownClass names the classes of Traefik's own that could be chosen instead.
func ownClass(s Site) string {
	var names []string
	for _, class := range s.Cluster.IngressClasses {
		if class.Controller == traefikClass {
			names = append(names, class.Meta.Name.Name)
		}
	}
	if len(names) == 0 {
		return "Make an IngressClass with the controller " + traefikClass + " and choose it"
	}
	return "Choose a class of Traefik's own: --access.ingress.class " + strings.Join(names, " or ")
}

func nginxWatches(s Site, c staticConfig) Verdict {
	only := c.text(nginxProvider + ".watchNamespace")
	switch {
	case !c.has(nginxProvider):
		return skip("%s takes no Ingresses in the place of ingress-nginx", s.At())
	case c.text(nginxProvider+".watchNamespaceSelector") != "":
		return nginxSelects(s, c)
	case only != "" && only != s.Want.Namespace:
		return mendTraefik(s, c, fail("%s does not watch namespace %s", s.At(), s.Want.Namespace).why("It watches %s only.", only), traefikChange{
			title: "let Traefik watch all namespaces", static: []setting{{nginxProvider + ".watchNamespace", nil}},
			chart: []setting{{nginxValues(s) + ".namespaces", []string{}}},
			also:  "It then takes Ingresses of every namespace, and its service account must be allowed to read them."})
	}
	return pass("%s watches namespace %s", s.At(), s.Want.Namespace).evidence("%s", c)
}

// nginxSelects judges a selector of namespaces, which Traefik evaluates once,
// when it starts.
func nginxSelects(s Site, c staticConfig) Verdict {
	v := watchesLabels(s, c.text(nginxProvider+".watchNamespaceSelector"))
	if v.Status == check.Fail {
		v.Fix += "\nTraefik looks for namespaces when it starts, so then: " + restart(s)
	}
	return v
}

// nginxValues is where the chart's values for the provider are. Version 40
// renamed them.
func nginxValues(s Site) string {
	if major := traefikChartMajor(s); major > 0 && major < 40 {
		return "providers.kubernetesIngressNginx"
	}
	return nginxProvider
}

func nginxStatus(s Site, c staticConfig) Verdict {
	published, written := c.text(nginxProvider+".publishService"), c.list(nginxProvider+".publishStatusAddress")
	switch {
	case !c.has(nginxProvider):
		return skip("%s takes no Ingresses in the place of ingress-nginx", s.At())
	case len(written) > 0:
		return pass("%s reports %s", s.At(), strings.Join(written, ", ")).evidence("%s", c)
	case published != "":
		return nginxPublished(s, c, published)
	}
	return nginxReports(s, c, fail("%s does not report an address", s.At()).why("In the place of ingress-nginx, it reports none unless it is told which. %s", argoWaits))
}

// nginxPublished judges the Service whose address is reported. As
// ingress-nginx does, Traefik then reports addresses inside the cluster too.
func nginxPublished(s Site, c staticConfig, published string) Verdict {
	if missing, all := s.Cluster.Could(facts.Services); !all {
		return unread(missing)
	}
	name, only := facts.ParseName(published, ""), c.text(nginxProvider+".watchNamespace")
	service, found := s.Cluster.Service(name)
	switch {
	case strings.Count(published, "/") != 1:
		return nginxReports(s, c, fail("%s names the Service to report as %s", s.At(), published).why("It must be NAMESPACE/NAME. %s", argoWaits))
	case !found:
		return nginxReports(s, c, fail("%s reports the address of Service %s, which does not exist", s.At(), name).why("%s", argoWaits))
	case only != "" && only != name.Namespace:
		return nginxReports(s, c, fail("%s reports the address of Service %s, whose namespace it does not watch", s.At(), name).why("It watches %s only. %s", only, argoWaits))
	case service.Type == "LoadBalancer" && len(service.Addresses)+len(service.ExternalIPs) == 0:
		return warn("%s reports the address of Service %s, which has none yet", s.At(), name).why("%s", argoWaits).evidence("%s", c).
			fix("See why: kubectl -n %s describe service %s", name.Namespace, name.Name)
	case service.Type == "ClusterIP", service.Type == "NodePort" && len(service.ExternalIPs) == 0:
		return nginxReports(s, c, warn("%s reports an address inside the cluster", s.At()).why("Service %s is of type %s.", name, service.Type))
	}
	return pass("%s reports the address of Service %s", s.At(), name).evidence("%s", c)
}

// nginxReports lets Traefik report a load balancer, else the address itself.
func nginxReports(s Site, c staticConfig, v Verdict) Verdict {
	addresses, only := Addresses(s), c.text(nginxProvider+".watchNamespace")
	seen := only == "" || only == s.Service.Meta.Namespace
	switch {
	case s.HasService && s.Service.Type == "LoadBalancer" && seen:
		name := s.Service.Meta.Name.String()
		return mendTraefik(s, c, v, traefikChange{title: "let Traefik report the address of Service " + name,
			static: []setting{{nginxProvider + ".publishService", name}}, chart: []setting{{nginxValues(s) + ".publishService.enabled", true}}})
	case len(addresses) > 0:
		return mendTraefik(s, c, v, traefikChange{title: "let Traefik report " + strings.Join(addresses, ", "),
			static: []setting{{nginxProvider + ".publishStatusAddress", slices.Clone(addresses)}},
			chart:  []setting{{nginxValues(s) + ".publishStatusAddress", strings.Join(addresses, ",")}}})
	}
	return v.evidence("%s", c).fix("Give %s a Service of type LoadBalancer and let Traefik report it with %s.publishService; or write down the address that leads to it as %s.publishStatusAddress.",
		s.At(), nginxProvider, nginxProvider)
}
