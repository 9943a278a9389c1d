package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func inIstioSystem(name string) facts.Name { return facts.Name{Namespace: "istio-system", Name: name} }

// istioCluster is a cluster with Istio as its chart installs it, which serves
// the runtime's Ingress.
func istioCluster() (facts.Cluster, Want) {
	labels := map[string]string{"app": "istio-ingressgateway", "istio": "ingressgateway"}
	return facts.Cluster{
		Groups:         map[string]bool{istioGroup: true},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "istio"}}, Controller: "istio.io/ingress-controller"}},
		Workloads: []facts.Workload{
			{Meta: facts.Meta{Name: inIstioSystem("istiod")}, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: map[string]string{"app": "istiod", "istio": "pilot"},
				Containers: []facts.Container{{Name: "discovery", Image: "docker.io/istio/pilot:1.26.0-distroless", Args: []string{"discovery"}, Env: map[string]string{"REVISION": "default"}}}},
			{Meta: facts.Meta{Name: inIstioSystem("istio-ingressgateway")}, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels,
				Containers: []facts.Container{{Name: "istio-proxy", Image: "auto"}}},
		},
		Services: []facts.Service{
			{Meta: facts.Meta{Name: inIstioSystem("istiod")}, Type: "ClusterIP", Selector: map[string]string{"app": "istiod"}, Ports: []facts.Port{{Name: "https-webhook", Port: 443, Protocol: "TCP"}}},
			{Meta: facts.Meta{Name: inIstioSystem("istio-ingressgateway")}, Type: "LoadBalancer", Selector: labels, Addresses: []string{"203.0.113.7"},
				Ports: []facts.Port{{Name: "status-port", Port: 15021, Protocol: "TCP"}, {Name: "http2", Port: 80, Protocol: "TCP"}, {Name: "https", Port: 443, Protocol: "TCP"}}},
		},
		ConfigMaps: map[facts.Name]map[string]string{inIstioSystem("istio"): {"mesh": "rootNamespace: istio-system\n"}},
		Secrets:    map[facts.Name]bool{inIstioSystem("runtime-tls"): true},
	}, Want{Namespace: "codefresh", Class: "istio", Host: "runtime.example.com", Protocol: "https", TLSSecret: "runtime-tls"}
}

// meshSays changes the mesh's configuration.
func meshSays(configuration string) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) {
		c.ConfigMaps[inIstioSystem("istio")] = map[string]string{"mesh": configuration}
	}
}

func TestIstioServesIngresses(t *testing.T) {
	unknown := map[string]check.Status{"ingress.bound": skipped, "ingress.watched": skipped, "ingress.status": skipped, "ingress.gateway": skipped}
	run(t, istioCluster, nil, []brokenSite{
		{"good", func(*facts.Cluster, *Want) {}, nil, "", false},
		{"no configuration at all", func(c *facts.Cluster, _ *Want) { c.ConfigMaps = nil }, nil, "", false},
		{"a class in capitals", func(c *facts.Cluster, _ *Want) { c.IngressClasses[0].Controller = "istio.io/Ingress-Controller" }, only("ingress.bound", failed), "with that controller", false},
		{"switched off", meshSays("ingressControllerMode: OFF"), only("ingress.bound", failed), "ingressControllerMode: STRICT", false},
		{"switched off, in quotes", meshSays(`ingressControllerMode: "OFF"`), only("ingress.bound", failed), "kubectl -n istio-system edit configmap istio", false},
		{"a configuration that is none", meshSays("ingressService: [1"), unknown, "", false},
		{"a configuration that was not read", func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: "config map istio-system/istio", Reason: facts.NotAllowed}}
		}, unknown, "", false},
		{"no gateway Service", func(c *facts.Cluster, _ *Want) { c.Services = c.Services[:1] }, map[string]check.Status{"ingress.status": failed, "ingress.address": failed, "ingress.tcp": skipped}, "", false},
		{"a Service without an address", func(c *facts.Cluster, _ *Want) { c.Services[1].Type, c.Services[1].Addresses = "NodePort", nil }, map[string]check.Status{"ingress.status": failed, "ingress.address": failed}, "", false},
		{"external IPs will do", func(c *facts.Cluster, _ *Want) {
			c.Services[1].Type, c.Services[1].Addresses, c.Services[1].ExternalIPs = "ClusterIP", nil, []string{"203.0.113.7"}
		}, nil, "", false},
		{"gateway pods with another label", func(c *facts.Cluster, _ *Want) {
			c.Workloads[1].PodLabels = map[string]string{"app": "istio-ingressgateway", "istio": "ingress"}
			c.Services[1].Selector = map[string]string{"istio": "ingress"}
		}, only("ingress.gateway", failed), "ingressSelector: ingress", false},
		{"a selector for that label", func(c *facts.Cluster, w *Want) {
			c.Workloads[1].PodLabels = map[string]string{"istio": "ingress"}
			meshSays("ingressSelector: ingress")(c, w)
		}, nil, "", false},
		{"a Service of its own name, which is the label too", func(c *facts.Cluster, w *Want) {
			c.Services[1].Meta.Name.Name, c.Workloads[1].PodLabels["istio"] = "edge", "edge"
			meshSays("ingressService: edge")(c, w)
		}, nil, "", false},
		{"workloads were not read in full", func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: facts.Workloads, Reason: facts.TooSlow}}
		},
			map[string]check.Status{"ingress.controller": skipped, "ingress.gateway": skipped}, "", false},
		{"services were not read", func(c *facts.Cluster, _ *Want) {
			c.Services, c.Unread = nil, []facts.Unread{{What: facts.Services, Reason: facts.NotAllowed}}
		}, map[string]check.Status{"ingress.status": skipped, "ingress.address": skipped, "ingress.tcp": skipped}, "", false},
		{"other namespaces are discovered", meshSays("discoverySelectors: [{matchLabels: {mesh: on}}, {matchLabels: {team: edge}}]"), only("ingress.watched", failed), "kubectl label --overwrite namespace codefresh mesh=on", false},
		{"the second selector counts too", func(c *facts.Cluster, w *Want) {
			meshSays("discoverySelectors: [{matchLabels: {mesh: on}}, {matchExpressions: [{key: team, operator: Exists}]}]")(c, w)
			w.NamespaceLabels = map[string]string{"team": "a"}
		}, nil, "", false},
		{"the namespace was not read", func(c *facts.Cluster, w *Want) {
			meshSays("discoverySelectors: [{matchLabels: {mesh: on}}]")(c, w)
			w.NamespaceUnknown = true
		}, only("ingress.watched", skipped), "", false},
	})
}

func TestIstioCertificate(t *testing.T) {
	run(t, istioCluster, nil, []brokenSite{
		{"the Secret is missing", func(c *facts.Cluster, _ *Want) { c.Secrets[inIstioSystem("runtime-tls")] = false }, only("ingress.tls-place", failed), "kubectl -n istio-system apply -f -", false},
		{"the Secret was not looked for", func(c *facts.Cluster, _ *Want) { c.Secrets = nil }, only("ingress.tls-place", warned), "kubectl -n codefresh get secret runtime-tls", false},
		{"no Secret is chosen", func(_ *facts.Cluster, w *Want) { w.TLSSecret = "" }, only("ingress.tls-place", warned), "--access.ingress.tlsSecret", false},
		{"http needs none", func(c *facts.Cluster, w *Want) { c.Secrets, w.Protocol, w.TLSSecret = nil, "http", "" }, nil, "", false},
		{"the runtime is beside the gateway", func(_ *facts.Cluster, w *Want) { w.Namespace = "istio-system" }, nil, "", false},
		{"beside the gateway, and not looked for", func(c *facts.Cluster, w *Want) { c.Secrets, w.Namespace = nil, "istio-system" }, only("ingress.tls-place", skipped), "", false},
	})
}

// A gateway that stands elsewhere and has another name must be told to istiod,
// in the words of who takes care of it.
func TestIstioGatewayElsewhere(t *testing.T) {
	elsewhere := func() (facts.Cluster, Want) {
		cluster, want := istioCluster()
		labels := map[string]string{"istio": "edge"}
		cluster.Workloads[1].Meta.Name, cluster.Workloads[1].PodLabels = facts.Name{Namespace: "edge", Name: "edge"}, labels
		cluster.Services[1].Meta.Name, cluster.Services[1].Selector = facts.Name{Namespace: "edge", Name: "edge-gateway"}, labels
		return cluster, want
	}
	cluster, want := elsewhere()
	fix := checkOf(t, Ingress(cluster, want), "ingress.status").Fix
	for _, part := range []string{"ingressService: edge-gateway", "ingressSelector: edge", "kubectl -n istio-system set env deployment/istiod K8S_INGRESS_NS=edge"} {
		if !strings.Contains(fix, part) {
			t.Errorf("the fix does not say %q: %s", part, fix)
		}
	}
	cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, facts.HelmOwner)
	if fix := checkOf(t, Ingress(cluster, want), "ingress.status").Fix; !strings.Contains(fix, "--set meshConfig.ingressSelector=edge --set meshConfig.ingressService=edge-gateway") {
		t.Errorf("for Helm: %s", fix)
	}
	cluster, want = elsewhere()
	cluster.Workloads[0].Containers[0].Env["K8S_INGRESS_NS"] = "edge"
	cluster.Secrets = map[facts.Name]bool{{Namespace: "edge", Name: "runtime-tls"}: true}
	meshSays("ingressService: edge-gateway\ningressSelector: edge")(&cluster, &want)
	expectOnly(t, cluster, want, map[string]check.Status{})
}

func TestIstioRevisions(t *testing.T) {
	cluster, want := istioCluster()
	cluster.Workloads[0].Containers[0].Env["REVISION"] = "1-26"
	cluster.ConfigMaps[inIstioSystem("istio-1-26")] = map[string]string{"mesh": "ingressControllerMode: OFF"}
	expectOnly(t, cluster, want, only("ingress.bound", failed))
	if wanted := ConfigMapsWanted(cluster); len(wanted) != 1 || wanted[0] != inIstioSystem("istio-1-26") {
		t.Errorf("ConfigMaps to read are %v", wanted)
	}
}
