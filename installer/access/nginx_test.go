package access

import (
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// communityCluster is a cluster on which NGINX Community serves the runtime,
// and what the runtime asks for. All that is unhappy is that it is retired.
func communityCluster() (facts.Cluster, Want) {
	at := func(name string) facts.Name { return facts.Name{Namespace: "ingress-nginx", Name: name} }
	labels := map[string]string{"app.kubernetes.io/name": "ingress-nginx"}
	return facts.Cluster{
		Version:        "v1.33.2",
		Nodes:          []facts.Node{{Name: "one", ProviderID: "hcloud://1", Inside: []string{"10.0.0.1"}}},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "nginx"}}, Controller: communityClass}},
		Services: []facts.Service{{Meta: facts.Meta{Name: at("ingress-nginx-controller")}, Type: "LoadBalancer", ClusterIP: "10.96.0.9", Selector: labels,
			Ports: []facts.Port{{Name: "https", Port: 443, Protocol: "TCP"}}, Addresses: []string{"203.0.113.10"}}},
		Workloads: []facts.Workload{{Meta: facts.Meta{Name: at("ingress-nginx-controller")}, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels,
			Containers: []facts.Container{{Name: "controller", Image: "registry.k8s.io/ingress-nginx/controller:v1.11.3@sha256:01",
				Args: []string{"/nginx-ingress-controller", "--publish-service=$(POD_NAMESPACE)/ingress-nginx-controller", "--configmap=$(POD_NAMESPACE)/settings"}}}}},
		ConfigMaps: map[facts.Name]map[string]string{at("settings"): {}},
	}, Want{Namespace: "codefresh", Class: "nginx", Host: "runtime.example.com", Protocol: "https", TLSSecret: "runtime-tls"}
}

// flagged adds arguments to the first workload.
func flagged(flags ...string) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) {
		container := &c.Workloads[0].Containers[0]
		for _, flag := range flags {
			container.Args = withFlag(container.Args, flag)
		}
	}
}

type brokenSite struct {
	name     string
	breaking func(*facts.Cluster, *Want)
	bad      map[string]check.Status
	says     string // part of the first bad check's fix
	repaired bool   // a repair is offered, and helps
}

// run judges each broken site, and mends it where that is offered.
func run(t *testing.T, fresh func() (facts.Cluster, Want), always map[string]check.Status, tests []brokenSite) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cluster, want := fresh()
			test.breaking(&cluster, &want)
			bad := map[string]check.Status{}
			for _, more := range []map[string]check.Status{always, test.bad} {
				for id, status := range more {
					bad[id] = status
				}
			}
			checks := expectOnly(t, cluster, want, bad)
			for id := range test.bad {
				broken := checkOf(t, checks, id)
				if test.says != "" && len(test.bad) == 1 && !strings.Contains(broken.Fix, test.says) {
					t.Errorf("the fix of %s does not say %q: %s", id, test.says, broken.Fix)
				}
				if !test.repaired && broken.Repair != nil && len(test.bad) == 1 {
					t.Errorf("a repair of %s is offered: %s", id, broken.Repair)
				}
				if broken.Repair != nil && !broken.Repair.Asked {
					t.Errorf("a general yes would change %s", broken.Repair)
				}
				if test.repaired {
					mended := repair(t, cluster, broken)
					if again := checkOf(t, Ingress(mended, want), id); again.Status != check.Pass {
						t.Errorf("after the repair %s is %s: %s", id, again.Status, again.Title)
					}
				}
			}
		})
	}
}

const (
	failed  = check.Fail
	warned  = check.Warn
	skipped = check.Skip
)

func only(id string, status check.Status) map[string]check.Status {
	return map[string]check.Status{id: status}
}

var alwaysRetired = only("ingress.retired", warned)

func TestCommunityStatus(t *testing.T) {
	service := func(change func(*facts.Service)) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { change(&c.Services[0]) }
	}
	run(t, communityCluster, alwaysRetired, []brokenSite{
		{"all is well", func(*facts.Cluster, *Want) {}, nil, "", false},
		{"status is off", flagged("--update-status=false"), only("ingress.status", failed), "kubectl -n ingress-nginx patch deployments.apps ingress-nginx-controller", true},
		{"no leader", flagged("--disable-leader-election"), only("ingress.status", failed), "--disable-leader-election=false", true},
		{"both flags", flagged("--publish-status-address=203.0.113.10"), only("ingress.status", failed), "", true},
		{"both flags, one in the command", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Command = []string{"/nginx-ingress-controller", "--publish-service", "ingress-nginx/ingress-nginx-controller"}
			c.Workloads[0].Containers[0].Args = []string{"--publish-status-address=203.0.113.10"}
		}, only("ingress.status", failed), "--publish-service=", true},
		{"a Service that is not there", flagged("--publish-service=ingress-nginx/gone"), only("ingress.status", failed), "ingress-nginx/ingress-nginx-controller", true},
		{"no Service at all", func(c *facts.Cluster, _ *Want) { c.Services = nil },
			map[string]check.Status{"ingress.status": failed, "ingress.address": failed, "ingress.tcp": skipped}, "", false},
		{"the address is pending", service(func(s *facts.Service) { s.Addresses = nil }),
			map[string]check.Status{"ingress.status": failed, "ingress.address": failed}, "", false},
		{"an address inside", service(func(s *facts.Service) { s.Type, s.Addresses = "ClusterIP", nil }),
			map[string]check.Status{"ingress.status": warned, "ingress.address": failed}, "", false},
		{"another name", service(func(s *facts.Service) { s.Type, s.Addresses, s.ExternalName = "ExternalName", nil, "edge.example.com" }),
			only("ingress.address", failed), "", false},
		{"external addresses", service(func(s *facts.Service) { s.Type, s.Addresses, s.ExternalIPs = "NodePort", nil, []string{"203.0.113.11"} }), nil, "", false},
		{"a private address", service(func(s *facts.Service) { s.Addresses = []string{"10.1.2.3"} }), only("ingress.address", failed), "--access.mode tunnel", false},
		{"a given address", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Args = []string{"/nginx-ingress-controller", "--publish-status-address=edge.example.com"}
		}, nil, "", false},
		{"the nodes' addresses behind a load balancer", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Args = []string{"/nginx-ingress-controller"}
		}, only("ingress.status", warned), "--publish-service=ingress-nginx/ingress-nginx-controller", true},
		{"no arguments at all", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Containers[0].Args = nil },
			only("ingress.status", warned), `["/nginx-ingress-controller","--publish-service=`, true},
		{"a NodePort on bare metal", func(c *facts.Cluster, _ *Want) {
			c.Services[0].Type, c.Services[0].Addresses, c.Workloads[0].Containers[0].Args = "NodePort", nil, []string{"/nginx-ingress-controller"}
		}, only("ingress.address", failed), "type LoadBalancer", false},
		{"the nodes' addresses without one", func(c *facts.Cluster, _ *Want) {
			c.Services, c.Workloads[0].Containers[0].Args, c.Workloads[0].HostNetwork = nil, nil, true
			c.Nodes[0].External = []string{"203.0.113.20"}
		}, only("ingress.tcp", skipped), "", false},
	})
}

func TestCommunityTakesTheIngress(t *testing.T) {
	selector := func(selector string, labels map[string]string, unknown bool) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			flagged("--watch-namespace-selector="+selector)(c, w)
			w.NamespaceLabels, w.NamespaceUnknown = labels, unknown
		}
	}
	class := func(controller string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.IngressClasses[0].Controller = controller }
	}
	run(t, communityCluster, alwaysRetired, []brokenSite{
		{"another controller's class", class("k8s.io/internal-ingress-nginx"), only("ingress.bound", failed), `"controller":"k8s.io/ingress-nginx"`, false},
		{"its class is another one", func(c *facts.Cluster, _ *Want) {
			flagged("--controller-class=k8s.io/ingress-nginx-codefresh")(c, nil)
			c.IngressClasses = append(c.IngressClasses, facts.IngressClass{Meta: facts.Meta{Name: facts.Name{Name: "codefresh"}}, Controller: "k8s.io/ingress-nginx-codefresh"})
		}, only("ingress.bound", failed), "--access.ingress.class codefresh", false},
		{"by name", func(c *facts.Cluster, w *Want) {
			class("k8s.io/internal-ingress-nginx")(c, w)
			flagged("--ingress-class-by-name", "--ingress-class=nginx")(c, w)
		}, nil, "", false},
		{"Azure's application routing", func(c *facts.Cluster, w *Want) {
			class("webapprouting.kubernetes.azure.com/nginx")(c, w)
			flagged("--controller-class=webapprouting.kubernetes.azure.com/nginx")(c, w)
			c.Workloads[0].Containers[0].Image = "mcr.microsoft.com/oss/kubernetes/ingress/nginx-ingress-controller:v1.11.2"
		}, nil, "", false},
		{"an image of one's own", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Containers[0].Image = "registry.example.com/edge:1" }, nil, "", false},
		{"watches another namespace", flagged("--watch-namespace=other"), only("ingress.watched", failed), "--watch-namespace", false},
		{"watches the pod's namespace", flagged("--watch-namespace=$(POD_NAMESPACE)"), only("ingress.watched", failed), "", false},
		{"watches ours", flagged("--watch-namespace=codefresh"), nil, "", false},
		{"watches who knows what", flagged("--watch-namespace=$(WHERE)"), only("ingress.watched", skipped), "", false},
		{"labels that are there", selector("team in (a,b),!closed", map[string]string{"team": "b"}, false), nil, "", false},
		{"the label that all namespaces have", selector("kubernetes.io/metadata.name=codefresh", nil, false), nil, "", false},
		{"labels that are missing", selector("team=a,open,!closed,x!=y", map[string]string{"closed": "1", "x": "y"}, false), only("ingress.watched", failed),
			"kubectl label --overwrite namespace codefresh closed- open=true team=a x-", false},
		{"labels that nobody knows", selector("team=a", nil, true), only("ingress.watched", skipped), "", false},
		{"a selector that is none", selector("a in b", nil, false), only("ingress.watched", failed), "kubectl -n ingress-nginx edit deployment", false},
		{"no pod is ready", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Ready = 0 }, only("ingress.controller", failed), "describe deployment", false},
	})
}

// A workload without its class, and a class without its workload.
func TestCommunityIsMissing(t *testing.T) {
	cluster, want := communityCluster()
	cluster.Workloads = nil
	checks := expectOnly(t, cluster, want, only("ingress.controller", failed))
	if fix := checkOf(t, checks, "ingress.controller").Fix; !strings.Contains(fix, "helm upgrade --install ingress-nginx ingress-nginx --repo https://kubernetes.github.io/ingress-nginx") || !strings.Contains(fix, "--version 4.15.1") {
		t.Errorf("the fix is %s", fix)
	}
	cluster.IngressClasses = nil
	checks = expectOnly(t, cluster, want, only("ingress.class", failed))
	if fix := checkOf(t, checks, "ingress.class").Fix; !strings.Contains(fix, "helm upgrade --install ingress-nginx") {
		t.Errorf("the fix is %s", fix)
	}
}

func TestCommunityExtras(t *testing.T) {
	tagged := func(image string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.Workloads[0].Containers[0].Image = image }
	}
	run(t, communityCluster, nil, []brokenSite{
		{"retired", tagged("registry.k8s.io/ingress-nginx/controller:v1.15.1"), only("ingress.retired", warned), "controller v1.15.1 (chart 4.15.1)", false},
		{"before 1.0", tagged("quay.io/kubernetes-ingress-controller/nginx-ingress-controller:0.49.3"), only("ingress.retired", failed), "helm upgrade --install", false},
		{"Rancher's before 1.0", tagged("rancher/nginx-ingress-controller:nginx-0.49.3-rancher1"), only("ingress.retired", failed), "", false},
	})
	run(t, communityCluster, alwaysRetired, []brokenSite{
		{"no certificate", func(_ *facts.Cluster, w *Want) { w.TLSSecret = "" }, only("ingress.default-certificate", warned), "--access.ingress.tlsSecret", false},
		{"a certificate for all", func(c *facts.Cluster, w *Want) { w.TLSSecret = ""; flagged("--default-ssl-certificate=web/tls")(c, w) }, nil, "", false},
		{"the load balancer's certificate", func(c *facts.Cluster, w *Want) {
			w.TLSSecret, c.Services[0].Annotations = "", map[string]string{awsAnnotation + "ssl-cert": "arn:aws:acm:x"}
		}, nil, "", false},
		{"over http", func(_ *facts.Cluster, w *Want) { w.TLSSecret, w.Protocol = "", "http" }, nil, "", false},
	})
}

// Whoever owns the workload is told the change in their own way, and nothing is
// patched behind their back.
func TestCommunityOwners(t *testing.T) {
	for owner, says := range map[string]string{
		facts.HelmOwner:   "helm upgrade edge ingress-nginx --repo https://kubernetes.github.io/ingress-nginx --namespace web --version 4.11.3 --reuse-values --set controller.publishService.enabled=true --set controller.publishService.pathOverride=ingress-nginx/ingress-nginx-controller",
		facts.ArgoCDOwner: "controller.publishService.enabled=true", facts.FluxOwner: "flux-system/edge", facts.K3sOwner: "metadata: {name: rke2-ingress-nginx, namespace: kube-system}",
		facts.AddonOwner: "add-on manager", facts.AKSOwner: "AKS application routing",
	} {
		cluster, want := communityCluster()
		flagged("--publish-service=ingress-nginx/gone")(&cluster, &want)
		cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, owner)
		status := checkOf(t, Ingress(cluster, want), "ingress.status")
		if status.Status != failed || status.Repair != nil || !strings.Contains(status.Fix, says) {
			t.Errorf("%s: %s, repair %v, fix %s", owner, status.Status, status.Repair, status.Fix)
		}
	}
}

// Where nothing would be patched anyway, the owner still gets their own words.
func TestCommunityAdvice(t *testing.T) {
	cluster, want := communityCluster()
	flagged("--watch-namespace=other")(&cluster, &want)
	cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, facts.HelmOwner)
	if fix := checkOf(t, Ingress(cluster, want), "ingress.watched").Fix; !strings.Contains(fix, "--set controller.scope.enabled=false") {
		t.Errorf("the fix is %s", fix)
	}
}

// A large cluster does not fill the screen.
func TestEvidenceIsShort(t *testing.T) {
	cluster, want := communityCluster()
	cluster.Services, cluster.Workloads[0].Containers[0].Args, cluster.Workloads[0].HostNetwork = nil, nil, true
	cluster.Nodes = slices.Repeat([]facts.Node{{ProviderID: "hcloud://1", Inside: []string{"10.0.0.1"}, External: []string{"203.0.113.1"}}}, 400)
	if got := checkOf(t, Ingress(cluster, want), "ingress.status").Evidence; !strings.HasPrefix(got, "203.0.113.1, ") {
		t.Errorf("the nodes are %s", got)
	}
	flagged("--report-node-internal-ip-address")(&cluster, &want)
	checks := Ingress(cluster, want)
	for id, evidence := range map[string]string{"ingress.status": "10.0.0.1, 10.0.0.1, 10.0.0.1 and 397 more", "ingress.address": "203.0.113.1 and 397 more"} {
		if got := checkOf(t, checks, id).Evidence; !strings.HasSuffix(got, evidence) {
			t.Errorf("the evidence of %s is %s", id, got)
		}
	}
}

func TestConfigMapsWanted(t *testing.T) {
	cluster, _ := communityCluster()
	other, _ := enterpriseCluster()
	cluster.Workloads = slices.Concat(cluster.Workloads, other.Workloads, cluster.Workloads)
	want := []facts.Name{{Namespace: "ingress-nginx", Name: "settings"}, {Namespace: "nginx-ingress", Name: "nginx-config"}}
	if got := ConfigMapsWanted(cluster); !slices.Equal(got, want) {
		t.Errorf("wanted are %v", got)
	}
}
