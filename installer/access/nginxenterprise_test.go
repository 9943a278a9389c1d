package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// enterpriseCluster is a cluster on which NGINX Enterprise serves the runtime.
func enterpriseCluster() (facts.Cluster, Want) {
	at := func(name string) facts.Name { return facts.Name{Namespace: "nginx-ingress", Name: name} }
	labels := map[string]string{"app": "nginx-ingress"}
	return facts.Cluster{
		Version:        "v1.33.2",
		Nodes:          []facts.Node{{Name: "one", ProviderID: "hcloud://1", External: []string{"203.0.113.20"}}},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "nginx"}}, Controller: enterpriseClass}},
		Services: []facts.Service{{Meta: facts.Meta{Name: at("nginx-ingress")}, Type: "LoadBalancer", Selector: labels,
			Ports: []facts.Port{{Port: 443, Protocol: "TCP"}}, Addresses: []string{"203.0.113.10"}}},
		Workloads: []facts.Workload{{Meta: facts.Meta{Name: at("nginx-ingress")}, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels,
			Containers: []facts.Container{{Name: "nginx-ingress", Image: "nginx/nginx-ingress:5.5.4",
				Args: []string{"-nginx-configmaps=$(POD_NAMESPACE)/nginx-config", "-report-ingress-status", "-external-service=nginx-ingress"}}}}},
		ConfigMaps: map[facts.Name]map[string]string{at("nginx-config"): nil},
		Secrets:    map[facts.Name]bool{{Namespace: "codefresh", Name: "runtime-tls"}: true},
	}, Want{Namespace: "codefresh", Class: "nginx", Host: "runtime.example.com", Protocol: "https", TLSSecret: "runtime-tls"}
}

// argued sets all arguments of the first workload but for the ConfigMap's.
func argued(args ...string) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) {
		c.Workloads[0].Containers[0].Args = append([]string{"-nginx-configmaps=nginx-ingress/nginx-config"}, args...)
	}
}

func TestEnterpriseStatus(t *testing.T) {
	nodePort := func(args ...string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			argued(args...)(c, w)
			c.Services[0].Type, c.Services[0].Addresses, c.Workloads[0].HostNetwork = "NodePort", nil, true
		}
	}
	config := func(key, value string, args ...string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			nodePort(args...)(c, w)
			c.ConfigMaps[facts.Name{Namespace: "nginx-ingress", Name: "nginx-config"}] = map[string]string{key: value}
		}
	}
	run(t, enterpriseCluster, nil, []brokenSite{
		{"all is well", func(*facts.Cluster, *Want) {}, nil, "", false},
		{"two dashes and the next word", argued("--report-ingress-status=true", "--external-service", "nginx-ingress"), nil, "", false},
		{"neither flag", argued(), only("ingress.status", failed), `"-report-ingress-status","-external-service=nginx-ingress"`, true},
		{"status is off", argued("-report-ingress-status=false", "-external-service=nginx-ingress"), only("ingress.status", failed), "", true},
		{"no address to report", argued("-report-ingress-status"), only("ingress.status", failed), "-external-service=nginx-ingress", true},
		{"a Service that is not there", argued("-report-ingress-status", "-external-service=gone"), only("ingress.status", failed), "", true},
		{"both sources", argued("-report-ingress-status", "-external-service=nginx-ingress", "-ingresslink=link"), only("ingress.status", failed), "", true},
		{"an IngressLink", argued("-report-ingress-status", "-ingresslink=link"), nil, "", false},
		{"an IngressLink, but status off", argued("-ingresslink=link"), only("ingress.status", failed), `["-nginx-configmaps=nginx-ingress/nginx-config","-ingresslink=link","-report-ingress-status"]`, true},
		{"external addresses that nothing names", func(c *facts.Cluster, w *Want) {
			nodePort("-report-ingress-status")(c, w)
			c.Services[0].ExternalIPs = []string{"203.0.113.11"}
		}, only("ingress.status", failed), "-external-service=nginx-ingress", true},
		{"the address named for a load balancer, but status off", func(c *facts.Cluster, w *Want) {
			config(statusKey, "edge.example.com")(c, w)
			c.Services[0].Type, c.Services[0].Addresses = "LoadBalancer", []string{"203.0.113.10"}
		}, only("ingress.status", failed), `"value":["-nginx-configmaps=nginx-ingress/nginx-config","-report-ingress-status"]`, true},
		{"Services may not be read", func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: facts.Services, Reason: facts.NotAllowed}}
		},
			map[string]check.Status{"ingress.status": skipped, "ingress.address": skipped}, "", false},
		{"pending", func(c *facts.Cluster, _ *Want) { c.Services[0].Addresses = nil }, map[string]check.Status{"ingress.status": failed, "ingress.address": failed}, "", false},
		{"a NodePort", nodePort("-report-ingress-status", "-external-service=nginx-ingress"), only("ingress.status", failed), "kubectl -n nginx-ingress patch configmaps nginx-config", true},
		{"a NodePort that nothing names", nodePort("-report-ingress-status"), only("ingress.status", failed), "runtime.example.com", true},
		{"a NodePort, with other settings", config("proxy-read-timeout", "60s", "-report-ingress-status"), only("ingress.status", failed), "", true},
		{"a NodePort with its address named", config(statusKey, "edge.example.com", "-report-ingress-status"), nil, "", false},
		{"the address named, but status off", config(statusKey, "edge.example.com"), only("ingress.status", failed), "", true},
		{"the ConfigMap was not read", func(c *facts.Cluster, w *Want) {
			nodePort("-report-ingress-status")(c, w)
			c.ConfigMaps = nil
		}, only("ingress.status", skipped), "", false},
		{"a NodePort, and the ConfigMap was not read", func(c *facts.Cluster, w *Want) {
			nodePort("-report-ingress-status", "-external-service=nginx-ingress")(c, w)
			c.ConfigMaps = nil
		}, only("ingress.status", failed), `kubectl -n nginx-ingress patch configmap nginx-config --type=merge -p '{"data":{"external-status-address":"runtime.example.com"}}'`, false},
		{"a Service that is not there, and no other", func(c *facts.Cluster, w *Want) {
			nodePort("-report-ingress-status", "-external-service=gone")(c, w)
		}, only("ingress.status", failed), "external-status-address", true},
		{"another name", func(c *facts.Cluster, _ *Want) {
			c.Services[0].Type, c.Services[0].Addresses, c.Services[0].ExternalName, c.Workloads[0].HostNetwork = "ExternalName", nil, "edge.example.com", true
		}, nil, "", false},
	})
}

func TestEnterpriseTakesTheIngress(t *testing.T) {
	classes := func(all ...facts.IngressClass) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) { c.IngressClasses = all }
	}
	class := func(name, controller string) facts.IngressClass {
		return facts.IngressClass{Meta: facts.Meta{Name: facts.Name{Name: name}}, Controller: controller}
	}
	chosen := func(name string, before func(*facts.Cluster, *Want)) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) { before(c, w); w.Class = name }
	}
	run(t, enterpriseCluster, nil, []brokenSite{
		{"another class than its own", chosen("other", classes(class("nginx", enterpriseClass), class("other", enterpriseClass))), only("ingress.bound", failed), "--access.ingress.class nginx", false},
		{"its class is not there", chosen("other", classes(class("other", enterpriseClass))), only("ingress.bound", failed), "-ingress-class=other", true},
		{"its class is NGINX Community's", chosen("other", classes(class("nginx", communityClass), class("other", enterpriseClass))), only("ingress.bound", failed), "", true},
		{"the chosen class is NGINX Community's", classes(class("nginx", communityClass)), only("ingress.bound", failed), `"controller":"nginx.org/ingress-controller"`, false},
		{"watches other namespaces", flagged("-watch-namespace=a,b"), only("ingress.watched", failed), "-watch-namespace=a,b,codefresh", true},
		{"watches ours too", flagged("-watch-namespace=a,codefresh"), nil, "", false},
		{"looks for labels", flagged("-watch-namespace-label=nginx=yes"), only("ingress.watched", failed), "kubectl label --overwrite namespace codefresh nginx=yes", false},
		{"finds the labels", func(c *facts.Cluster, w *Want) {
			flagged("-watch-namespace-label=nginx=yes")(c, w)
			w.NamespaceLabels = map[string]string{"nginx": "yes"}
		}, nil, "", false},
		{"does not see the Secret", flagged("-watch-secret-namespace=a"), only("ingress.watched", failed), "-watch-secret-namespace=a,codefresh", true},
		{"needs no Secret", func(c *facts.Cluster, w *Want) {
			flagged("-watch-secret-namespace=a")(c, w)
			w.TLSSecret, w.Protocol = "", "http"
		}, nil, "", false},
	})
}

func TestEnterpriseHost(t *testing.T) {
	ingress := func(namespace, name, class, annotation, path string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) {
			c.Ingresses = []facts.Ingress{{Meta: facts.Meta{Name: facts.Name{Namespace: namespace, Name: name}, Annotations: map[string]string{"kubernetes.io/ingress.class": annotation}},
				Class: class, Rules: []facts.Rule{{Host: "Runtime.example.com", Paths: []string{path}}}}}
		}
	}
	both := map[string]check.Status{"ingress.host-taken": failed, "ingress.host-free": warned}
	run(t, enterpriseCluster, nil, []brokenSite{
		{"another Ingress has the host", ingress("shop", "shop", "nginx", "", "/"), both, "", false},
		{"by the old annotation", ingress("shop", "shop", "other", "nginx", "/"), both, "", false},
		{"of another class", ingress("shop", "shop", "other", "", "/"), only("ingress.host-free", warned), "", false},
		{"our own", ingress("codefresh", "codefresh-gitops-runtime", "nginx", "", "/app-proxy"), nil, "", false},
		{"no Secret", func(_ *facts.Cluster, w *Want) { w.TLSSecret = "" }, only("ingress.tls-block", failed),
			"global.runtime.ingress.tls[0].hosts[0]=runtime.example.com", false},
		{"how to copy a Secret", func(_ *facts.Cluster, w *Want) { w.TLSSecret = "" }, only("ingress.tls-block", failed), "| kubectl apply -n codefresh -f -", false},
		{"the Secret is not there", func(c *facts.Cluster, _ *Want) {
			c.Secrets = map[facts.Name]bool{{Namespace: "codefresh", Name: "runtime-tls"}: false}
		},
			only("ingress.tls-block", failed), "kubectl get secret runtime-tls -n SOURCE", false},
		{"nobody looked for the Secret", func(c *facts.Cluster, _ *Want) { c.Secrets = nil }, only("ingress.tls-block", skipped), "", false},
		{"cert-manager makes the Secret", func(c *facts.Cluster, w *Want) {
			issued(c, w)
			c.Secrets = map[facts.Name]bool{{Namespace: "codefresh", Name: "runtime-tls"}: false}
		}, only("ingress.tls-block", skipped), "", false},
	})
}

// With a NodePort and reporting off, it takes two repairs, one after the other.
func TestEnterpriseIsMendedInTwoSteps(t *testing.T) {
	cluster, want := enterpriseCluster()
	argued()(&cluster, &want)
	cluster.Services[0].Type, cluster.Services[0].Addresses = "NodePort", nil
	for _, resource := range []string{"deployments", "configmaps"} {
		status := checkOf(t, Ingress(cluster, want), "ingress.status")
		if status.Status != failed || status.Repair == nil || status.Repair.Resource != resource {
			t.Fatalf("%s, %v", status.Status, status.Repair)
		}
		cluster = repair(t, cluster, status)
	}
	if status := checkOf(t, Ingress(cluster, want), "ingress.status"); status.Status != check.Pass {
		t.Errorf("%s: %s", status.Status, status.Title)
	}
}

// Without a host, a node's address is reported; without one, the person names
// it.
func TestEnterpriseAddressToReport(t *testing.T) {
	for _, test := range []struct {
		nodes []facts.Node
		says  string
	}{
		{[]facts.Node{{}, {External: []string{"203.0.113.20"}}}, `"value":{"external-status-address":"203.0.113.20"}`},
		{[]facts.Node{{Inside: []string{"10.0.0.1"}}}, `{"data":{"external-status-address":"ADDRESS"}}`},
	} {
		cluster, want := enterpriseCluster()
		argued("-report-ingress-status")(&cluster, &want)
		cluster.Services, cluster.Nodes, want.Host = nil, test.nodes, ""
		if status := checkOf(t, Ingress(cluster, want), "ingress.status"); status.Status != failed || !strings.Contains(status.Fix, test.says) {
			t.Errorf("%s: %s, not %s", status.Status, status.Fix, test.says)
		}
	}
}

// Both generations of the operator get a patch of their own object.
func TestEnterpriseOperators(t *testing.T) {
	nodePort := func(c *facts.Cluster) {
		c.Services[0].Type, c.Services[0].Addresses = "NodePort", nil
	}
	off := func(c *facts.Cluster) { argued()(c, nil) }
	others := func(c *facts.Cluster) { flagged("-watch-namespace=a", "-ingress-class=gone")(c, nil) }
	for _, test := range []struct {
		name, owner string
		breaking    func(*facts.Cluster)
		id, says    string
	}{
		{"the operator of today", "NginxIngress/edge", off, "ingress.status",
			`kubectl -n nginx-ingress patch nginxingresses.charts.nginx.org edge --type=merge -p '{"spec":{"controller":{"reportIngressStatus":{"enable":true,"externalService":"nginx-ingress"}}}}'`},
		{"the first operator", "NginxIngressController/edge", off, "ingress.status",
			`kubectl -n nginx-ingress patch nginxingresscontrollers.k8s.nginx.org edge --type=merge -p '{"spec":{"reportIngressStatus":{"enable":true,"externalService":"nginx-ingress"}}}'`},
		{"the operator of today, a NodePort", "NginxIngress/edge", nodePort, "ingress.status", `{"spec":{"controller":{"config":{"entries":{"external-status-address":"runtime.example.com"}}}}}`},
		{"the first operator, a NodePort", "NginxIngressController/edge", nodePort, "ingress.status", `{"spec":{"configMapData":{"external-status-address":"runtime.example.com"}}}`},
		{"the operator of today, other namespaces", "NginxIngress/edge", others, "ingress.watched", `{"spec":{"controller":{"watchNamespace":"a,codefresh"}}}`},
		{"the first operator, other namespaces", "NginxIngressController/edge", others, "ingress.watched", `{"spec":{"watchNamespace":"a,codefresh"}}`},
		{"the first operator, a class that is gone", "NginxIngressController/edge", others, "ingress.bound", `{"spec":{"ingressClass":"nginx"}}`},
		{"what the first operator cannot", "NginxIngressController/edge", func(c *facts.Cluster) { flagged("-watch-secret-namespace=a")(c, nil) }, "ingress.watched",
			"which would revert a change: make it there. What to change: watch namespace codefresh too."},
		{"an operator that nobody knows", "Edge/edge", off, "ingress.status", "It belongs to operator (nginx-ingress/Edge edge)"},
	} {
		cluster, want := enterpriseCluster()
		test.breaking(&cluster)
		cluster.Workloads[0].Meta.Controller = test.owner
		cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, facts.HelmOwner)
		status := checkOf(t, Ingress(cluster, want), test.id)
		if status.Status != failed || status.Repair != nil || !strings.Contains(status.Fix, test.says) {
			t.Errorf("%s: %s, repair %v, fix %s", test.name, status.Status, status.Repair, status.Fix)
		}
	}
}

func TestEnterpriseOwners(t *testing.T) {
	for owner, says := range map[string]string{
		facts.HelmOwner: "helm upgrade edge oci://ghcr.io/nginx/charts/nginx-ingress --namespace web --version 4.11.3 --reuse-values" +
			" --set controller.reportIngressStatus.enable=true --set controller.reportIngressStatus.externalService=nginx-ingress",
		facts.ArgoCDOwner: "Application edge", facts.FluxOwner: "flux-system/edge", facts.K3sOwner: "reportIngressStatus:\n        enable: true\n        externalService: nginx-ingress",
	} {
		cluster, want := enterpriseCluster()
		argued()(&cluster, &want)
		cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, owner)
		status := checkOf(t, Ingress(cluster, want), "ingress.status")
		if status.Status != failed || status.Repair != nil || !strings.Contains(status.Fix, says) {
			t.Errorf("%s: %s, repair %v, fix %s", owner, status.Status, status.Repair, status.Fix)
		}
	}
}
