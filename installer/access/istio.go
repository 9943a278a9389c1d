package access

import (
	"regexp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	istioController     = "istio.io/ingress-controller"
	istioCharts         = "https://istio-release.storage.googleapis.com/charts"
	istioInstallGateway = "helm upgrade --install istio-ingressgateway gateway --repo " + istioCharts + " --namespace istio-system"
	istioInstall        = "helm upgrade --install istio-base base --repo " + istioCharts + " --namespace istio-system --create-namespace && " +
		"helm upgrade --install istiod istiod --repo " + istioCharts + " --namespace istio-system --wait && " + istioInstallGateway
)

// istio as an ingress controller: istiod turns Ingresses into configuration for
// the gateway pods, and copies the address of one Service onto them.
var istio = Controller{
	ID: "istio", Name: "Istio", Classes: []string{istioController},
	Images:     []*regexp.Regexp{istiodImage},
	Chart:      Chart{Name: "istiod", Repository: istioCharts},
	Install:    istioInstall,
	ConfigMaps: func(s Site) []facts.Name { return []facts.Name{meshConfigName(s.Workload)} },
	Bound:      istioBound,
	Watches:    istioWatches,
	Service:    istioService,
	Status:     istioStatus,
	Extra: []Rule{
		{ID: "ingress.gateway", Judge: istioGatewayPods},
		{ID: "ingress.tls-place", Judge: istioTLSPlace},
	},
	After: []string{"Keep a copy of the certificate's Secret in the gateway's namespace, and renew it there: Istio reads it from there only."},
	Looks: []Look{
		{"ingress.bound", "`meshConfig.ingressControllerMode` is not `OFF`", "that setting"},
		{"ingress.watched", "`meshConfig.discoverySelectors`, if any, pick the runtime's namespace", "`kubectl label namespace`"},
		{"ingress.status", "the Service that `meshConfig.ingressService` names is in istiod's `K8S_INGRESS_NS`, and is of a kind that has an address", "`meshConfig.ingressService` and `ingressSelector`, or a gateway of that name"},
		{"ingress.gateway", "gateway pods have the label `istio` that Istio selects for Ingresses", "`meshConfig.ingressSelector`"},
		{"ingress.tls-place", "the certificate's Secret is in the gateway's namespace, not in the runtime's", "the command that copies it"},
	},
}

func istioBound(s Site) Verdict {
	settings, missing := meshSettingsOf(s.Cluster, s.Workload)
	switch {
	case s.Class.Controller != istioController:
		return fail("class %s is not quite of Istio", s.Class.Meta.Name.Name).why("Istio takes only classes whose controller is %s, letter by letter.", istioController).
			fix("Choose another class, or create one with that controller.").evidence("spec.controller %s", s.Class.Controller)
	case missing != "":
		return skip("%s", missing)
	case strings.EqualFold(settings.Mode, "OFF"):
		return fail("this mesh serves no Ingresses").why("meshConfig.ingressControllerMode is OFF.").evidence("ConfigMap %s", meshConfigName(s.Workload)).
			fix("%s", changeMesh(s, map[string]string{"ingressControllerMode": "STRICT"}))
	}
	return pass("istiod takes Ingresses of class %s", s.Class.Meta.Name.Name)
}

func istioWatches(s Site) Verdict { return meshWatches(s.Cluster, s.Want, s.Workload) }

// istioService is the one whose address istiod reports.
func istioService(s Site) (facts.Service, bool) {
	settings, _ := meshSettingsOf(s.Cluster, s.Workload)
	return s.Cluster.Service(facts.Name{Namespace: ingressNamespace(s.Workload), Name: settings.Service})
}

// istioStatus: istiod reports what the load balancer got and external IPs, and
// nothing for a Service that has neither.
func istioStatus(s Site) Verdict {
	if unseen, all := s.Cluster.Could(facts.Services); !all {
		return unread(unseen)
	}
	settings, missing := meshSettingsOf(s.Cluster, s.Workload)
	named := facts.Name{Namespace: ingressNamespace(s.Workload), Name: settings.Service}
	switch {
	case missing != "":
		return skip("%s", missing)
	case !s.HasService:
		return fail("istiod reports no address: there is no Service %s", named).why("Without an address on the Ingress, Argo CD holds it for unfinished.").
			fix("%s", nameGateway(s)).evidence("meshConfig.ingressService in namespace K8S_INGRESS_NS")
	case s.Service.Type != "LoadBalancer" && s.Service.Type != "ExternalName" && len(s.Service.ExternalIPs) == 0:
		return fail("istiod reports no address: Service %s has none", named).why("It is of type %s, without external IPs.", s.Service.Type).
			fix("Make it of type LoadBalancer, or give it spec.externalIPs: %s", kubectl("edit", "service", named))
	}
	return pass("istiod reports the address of Service %s", named)
}

// nameGateway tells how the mesh gets to know a gateway that is there, or how
// one is installed.
func nameGateway(s Site) string {
	for _, w := range s.Cluster.Workloads {
		service, found := ServiceOf(s.Cluster, w.Namespace, w.PodLabels)
		if !found || !isIstioGateway(w) {
			continue
		}
		settings := map[string]string{"ingressService": service.Meta.Name.Name}
		if label := w.PodLabels["istio"]; label != "" {
			settings["ingressSelector"] = text.Line(label)
		}
		change := changeMesh(s, settings)
		if w.Namespace == ingressNamespace(s.Workload) {
			return change
		}
		return change + " And let istiod look in the gateway's namespace. " + setVariable(s, "K8S_INGRESS_NS="+w.Namespace)
	}
	return "Install a gateway of that name: " + istioInstallGateway
}

func istioGatewayPods(s Site) Verdict {
	if unseen, all := s.Cluster.Could(facts.Workloads); !all {
		return unread(unseen)
	}
	settings, missing := meshSettingsOf(s.Cluster, s.Workload)
	if missing != "" {
		return skip("%s", missing)
	}
	for _, w := range s.Cluster.Workloads {
		if w.PodLabels["istio"] == settings.gatewayLabel() {
			return pass("%s %s carries the traffic", w.Kind, w.Meta.Name).evidence("label istio=%s", settings.gatewayLabel())
		}
	}
	return fail("no gateway pods have the label istio=%s", settings.gatewayLabel()).
		why("Istio's Gateway for Ingresses selects them by it, so that nothing would answer.").fix("%s", nameGateway(s))
}

// istioTLSPlace: the Secret of the Ingress is looked for beside the gateway.
func istioTLSPlace(s Site) Verdict {
	place := facts.Name{Namespace: ingressNamespace(s.Workload), Name: s.Want.TLSSecret}
	there, known := s.Cluster.Secrets[place]
	copying := "Copy it: " + kubectl("get", "secret", facts.Name{Namespace: s.Want.Namespace, Name: s.Want.TLSSecret}) +
		" -o json | jq '{apiVersion, kind, type, data, metadata: {name: .metadata.name}}' | kubectl -n " + text.Quote(place.Namespace) + " apply -f -"
	switch {
	case s.Want.Protocol != "https":
		return pass("plain http needs no certificate")
	case s.Want.TLSSecret == "":
		return warn("no TLS Secret is chosen").why("Istio serves an Ingress over https only with the Secret of its certificate, unless a load balancer in front ends TLS.").
			fix("Put the certificate into a Secret in namespace %s and name it: --access.ingress.tlsSecret NAME", place.Namespace)
	case known && !there:
		return fail("Secret %s is not there", place).why("Istio reads the certificate of an Ingress from the gateway's namespace, not from the runtime's.").
			fix("%s", copying)
	case !known && place.Namespace != s.Want.Namespace:
		return warn("Secret %s is needed and was not looked for", place).
			why("Istio reads the certificate of an Ingress from the gateway's namespace, not from the runtime's.").fix("%s", copying)
	case !known:
		return skip("Secret %s was not looked for", place)
	}
	return pass("the certificate is read from Secret %s", place)
}
