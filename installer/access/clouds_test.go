package access

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// manifestOf is the command of the documentation, and of today.
func manifestOf(branch, folder string) string {
	return "kubectl apply -f https://raw.githubusercontent.com/kubernetes/ingress-nginx/" + branch + "/deploy/static/provider/" + folder + "/deploy.yaml"
}

func TestElevenClouds(t *testing.T) {
	const old, last = "controller-v1.1.1", "controller-v1.15.1"
	for _, test := range []struct {
		id         string
		node       facts.Node
		documented string
		today      string
		tested     bool
	}{
		{"eks", facts.Node{ProviderID: "aws:///eu/i-1", Kubelet: "v1.33.1-eks-1"}, manifestOf(old, "aws"), manifestOf(last, "aws"), true},
		{"eks", facts.Node{ProviderID: "aws:///eu/i-1"}, manifestOf(old, "aws"), manifestOf(last, "aws"), true},
		{"aks", facts.Node{ProviderID: "azure:///x"}, manifestOf(old, "cloud"), manifestOf(last, "cloud"), true},
		{"bare-metal", facts.Node{}, manifestOf(old, "baremetal"), manifestOf(last, "baremetal"), true},
		{"digitalocean", facts.Node{ProviderID: "digitalocean://1"}, manifestOf(old, "do"), manifestOf(last, "do"), true},
		{"docker-desktop", facts.Node{OSImage: "Docker Desktop"}, manifestOf(old, "cloud"), manifestOf(last, "cloud"), true},
		{"exoscale", facts.Node{ProviderID: "exoscale://1"}, manifestOf("main", "exoscale"), manifestOf(last, "exoscale"), true},
		{"gke", facts.Node{ProviderID: "gce://p/z/1"}, manifestOf(old, "cloud"), manifestOf(last, "cloud"), true},
		{"microk8s", facts.Node{Labels: map[string]string{"microk8s.io/cluster": "true"}}, "microk8s enable ingress", "microk8s enable ingress", false},
		{"minikube", facts.Node{Labels: map[string]string{"minikube.k8s.io/name": "m"}}, "minikube addons enable ingress", "minikube addons enable ingress", false},
		{"oracle", facts.Node{ProviderID: "oci://ocid1"}, manifestOf(old, "cloud"), manifestOf(last, "oracle"), true},
		{"scaleway", facts.Node{ProviderID: "scaleway://instance/z/1"}, manifestOf(old, "scw"), manifestOf(last, "scw"), true},
	} {
		cluster := facts.Cluster{Version: "v1.35.0", Nodes: []facts.Node{test.node}}
		cloud, found := CloudOf(cluster)
		if !found || cloud.ID != test.id || cloud.Tested != test.tested || len(cloud.Notes) == 0 {
			t.Errorf("%s is %+v", test.id, cloud)
		}
		if !slices.Contains(cloud.Documented, test.documented) || cloud.Documented[len(cloud.Documented)-1] != showService {
			t.Errorf("%s: documented are %q", test.id, cloud.Documented)
		}
		if !slices.Contains(cloud.Today, test.today) || installGuide(cluster) != test.today {
			t.Errorf("%s: today's are %q, in one line %q", test.id, cloud.Today, installGuide(cluster))
		}
	}
	if len(clouds) != 11 {
		t.Errorf("there are %d clouds", len(clouds))
	}
}

func TestElsewhereHelmInstalls(t *testing.T) {
	kind := facts.Cluster{Version: "v1.28.4", Nodes: []facts.Node{{ProviderID: "kind://docker/kind/1"}}}
	const want = "helm upgrade --install ingress-nginx ingress-nginx --repo https://kubernetes.github.io/ingress-nginx --namespace ingress-nginx --create-namespace --version 4.12.8"
	if _, found := CloudOf(kind); found || installGuide(kind) != want {
		t.Errorf("on kind: %s", installGuide(kind))
	}
	for name, test := range map[string]struct {
		controller Controller
		want       string
	}{
		"its own command": {Controller{Install: "edge up", Chart: Chart{Name: "edge"}}, "edge up"},
		"a chart":         {Controller{Chart: Chart{Name: "oci://example.com/charts/edge"}}, "helm upgrade --install edge oci://example.com/charts/edge --namespace edge --create-namespace"},
		"NGINX Community": {nginxCommunity, want},
		"nothing":         {Controller{Name: "Edge"}, "see the documentation of Edge"},
	} {
		if got := installCommand(kind, test.controller); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestReleaseForTheCluster(t *testing.T) {
	for version, want := range map[string]string{
		"v1.36.0": "1.15.1", "v1.35.1-gke.1": "1.15.1", "v1.31.0+k3s1": "1.15.1", "v1.30.4-eks-1": "1.14.5", "v1.29.0": "1.13.9", "v1.28.15": "1.12.8",
		"v1.27.1": "1.11.8", "v1.26.0": "1.11.8", "v1.25.9": "1.9.6", "v1.24.0": "1.6.4", "v1.23.0": "1.6.4", "": "1.15.1", "what": "1.15.1", "v2.0.0": "1.15.1",
	} {
		if got := ingressNginxFor(version).Controller; got != want {
			t.Errorf("Kubernetes %q gets %s, want %s", version, got, want)
		}
	}
	oracle := facts.Cluster{Version: "v1.30.1", Nodes: []facts.Node{{ProviderID: "oci://1"}}}
	if got := installGuide(oracle); got != manifestOf("controller-v1.14.5", "cloud") {
		t.Errorf("an older release has Oracle's own manifest: %s", got)
	}
}

// The context's name fills in the commands; one of another form leaves the
// places open, and can bring nothing into a shell.
func TestGoogleCommandsAreFilledIn(t *testing.T) {
	node := []facts.Node{{ProviderID: "gce://p/z/1"}}
	named, _ := CloudOf(facts.Cluster{Context: "gke_my-project_europe-west1-b_edge", Nodes: node})
	all := strings.Join(named.Today, "\n")
	for _, part := range []string{"edge-to-all-vms-on-network", "--project=my-project", "clusters describe edge", "--location=europe-west1-b", "--user \"$(gcloud config get-value account)\""} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not in\n%s", part, all)
		}
	}
	if strings.Contains(strings.Join(named.Documented, "\n"), "[CLUSTER_NAME]") {
		t.Errorf("the cluster's name is missing in %q", named.Documented)
	}
	for _, context := range []string{"", "production", "gke_a_b", "gke_a_b_c_d", "gke_p_z_$(reboot)", "gke_p_z_a b", "gke___"} {
		cloud, _ := CloudOf(facts.Cluster{Context: context, Nodes: node})
		if !strings.Contains(cloud.Documented[0], "[CLUSTER_NAME]") || !strings.Contains(cloud.Today[0], "CLUSTER-to-all-vms-on-network") {
			t.Errorf("%q filled in %q", context, cloud.Today[0])
		}
	}
	for _, command := range named.Today {
		if out, err := exec.Command("sh", "-n", "-c", command).CombinedOutput(); err != nil {
			t.Errorf("a shell does not read %s: %s", command, out)
		}
	}
}

// on puts a cluster onto a cloud, with annotations on its Service.
func on(providerID string, settings map[string]string, annotations ...string) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) {
		c.Nodes = []facts.Node{{Name: "one", ProviderID: providerID}}
		c.ConfigMaps[facts.Name{Namespace: "ingress-nginx", Name: "settings"}] = settings
		c.Services[0].Annotations = map[string]string{}
		for i := 0; i < len(annotations); i += 2 {
			c.Services[0].Annotations[annotations[i]] = annotations[i+1]
		}
	}
}

func TestProxyProtocol(t *testing.T) {
	const ocean, scaleway = "digitalocean://1", "scaleway://instance/z/1"
	const sends, name = cloudAnnotation + "do-loadbalancer-enable-proxy-protocol", cloudAnnotation + "do-loadbalancer-hostname"
	const v2, hostname = cloudAnnotation + "scw-loadbalancer-proxy-protocol-v2", cloudAnnotation + "scw-loadbalancer-use-hostname"
	expects := map[string]string{"use-proxy-protocol": "true"}
	run(t, communityCluster, alwaysRetired, []brokenSite{
		{"neither", on(ocean, nil), nil, "", false},
		{"both", on(ocean, expects, sends, "true", name, "runtime.example.com"), nil, "", false},
		{"only the load balancer", on(ocean, nil, sends, "true", name, "runtime.example.com"), only("ingress.proxy-protocol", failed), "use-proxy-protocol", true},
		{"only the controller", on(ocean, expects, sends, "false"), only("ingress.proxy-protocol", failed), "", true},
		{"only Scaleway's load balancer", on(scaleway, map[string]string{"use-proxy-protocol": "false"}, v2, "80,443", hostname, "true"), only("ingress.proxy-protocol", failed), "", true},
		{"from inside", on(ocean, expects, sends, "true"), only("ingress.proxy-protocol", warned), "do-loadbalancer-hostname", true},
		{"from inside on Scaleway", on(scaleway, expects, v2, "*"), only("ingress.proxy-protocol", warned), "scw-loadbalancer-use-hostname", true},
		{"on a cloud that is not known", on("hcloud://1", expects), nil, "", false},
		{"the ConfigMap was not read", func(c *facts.Cluster, w *Want) {
			on(ocean, nil, sends, "true")(c, w)
			c.ConfigMaps = nil
		}, only("ingress.proxy-protocol", skipped), "", false},
		{"the ConfigMap may not be read", func(c *facts.Cluster, w *Want) {
			on(ocean, nil, sends, "true")(c, w)
			c.Unread = []facts.Unread{{What: "config map ingress-nginx/settings", Reason: facts.NotAllowed}}
		}, only("ingress.proxy-protocol", skipped), "", false},
		{"without a host yet", func(c *facts.Cluster, w *Want) {
			on(ocean, expects, sends, "true")(c, w)
			w.Host = "" // the host's own check is skipped with it
		}, map[string]check.Status{"ingress.proxy-protocol": warned, "ingress.host-free": skipped}, "", false},
	})
}

func TestAWSScheme(t *testing.T) {
	const aws, scheme = "aws:///eu/i-1", awsAnnotation + "scheme"
	taken := func(change func(*facts.Cluster, *Want), annotations ...string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			on(aws, nil, annotations...)(c, w)
			c.Services[0].Class = "service.k8s.aws/nlb"
			change(c, w)
		}
	}
	nobody := func(*facts.Cluster, *Want) {}
	controller := func(flag string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) {
			c.Workloads = append(c.Workloads, facts.Workload{Containers: []facts.Container{{Image: "public.ecr.aws/eks/aws-load-balancer-controller:v2.13.0", Args: []string{flag}}}})
		}
	}
	run(t, communityCluster, alwaysRetired, []brokenSite{
		{"the cloud's own", on(aws, nil, awsAnnotation+"type", "nlb"), nil, "", false},
		{"the cloud's own, internal", on(aws, nil, awsAnnotation+"type", "nlb", awsAnnotation+"internal", "true"), only("ingress.scheme", failed), "aws-load-balancer-internal", true},
		{"the cloud's own knows no scheme", on(aws, nil, awsAnnotation+"type", "nlb", scheme, "internal"), nil, "", false},
		{"taken by AWS's controller", taken(nobody), only("ingress.scheme", failed), "aws-load-balancer-scheme", true},
		{"taken, and not internal in the old way", taken(nobody, awsAnnotation+"internal", "false"), nil, "", false},
		{"taken, on EKS", taken(func(c *facts.Cluster, _ *Want) { c.Nodes[0].Kubelet = "v1.33.1-eks-1" }), only("ingress.scheme", failed), "", true},
		{"taken by the annotation", on(aws, nil, awsAnnotation+"type", "external"), only("ingress.scheme", failed), "", true},
		{"internal by name", taken(nobody, scheme, "internal"), only("ingress.scheme", failed), "", true},
		{"internet-facing", taken(nobody, scheme, "internet-facing"), nil, "", false},
		{"internet-facing by default", taken(controller("--default-load-balancer-scheme=internet-facing")), nil, "", false},
		{"internal by default", taken(controller("--cluster-name=x")), only("ingress.scheme", failed), "", true},
		{"for a platform beside it", taken(func(_ *facts.Cluster, w *Want) { w.PrivatePlatform = true }), nil, "", false},
		{"owned by Helm", taken(func(c *facts.Cluster, _ *Want) { c.Services[0].Meta = marked(c.Services[0].Meta, facts.HelmOwner) }), only("ingress.scheme", failed),
			`--set 'controller.service.annotations.service\.beta\.kubernetes\.io/aws-load-balancer-scheme=internet-facing'`, false},
	})
}

// The page is written from the registry: a controller's rules are all on it.
func TestDocs(t *testing.T) {
	for _, c := range Controllers {
		var rules, looks []string
		for _, rule := range siteRules(c) {
			rules = append(rules, rule.ID)
		}
		for _, look := range c.Looks {
			looks = append(looks, look.Check)
		}
		slices.Sort(rules)
		slices.Sort(looks)
		if !slices.Equal(rules, looks) {
			t.Errorf("%s has the rules %q and describes %q", c.Name, rules, looks)
		}
	}
	const page = "../../docs/access.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(page)
	if err != nil || string(written) != Markdown() {
		t.Errorf("docs/access.md is stale (%v): UPDATE_GOLDEN=1 go test ./installer/access -run TestDocs", err)
	}
}

// siteRules are a controller's own.
func siteRules(c Controller) []Rule {
	var rules []Rule
	for _, rule := range append([]Rule{{ID: "ingress.bound", Judge: c.Bound}, {ID: "ingress.watched", Judge: c.Watches}, {ID: "ingress.status", Judge: c.Status}}, c.Extra...) {
		if rule.Judge != nil {
			rules = append(rules, rule)
		}
	}
	return rules
}
