package access

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// unhappy are the checks that do not pass, with their status.
func unhappy(checks []check.Check) map[string]check.Status {
	bad := map[string]check.Status{}
	for _, c := range checks {
		if c.Status != check.Pass {
			bad[c.ID] = c.Status
		}
	}
	return bad
}

// checkOf finds a check by its ID.
func checkOf(t *testing.T, checks []check.Check, id string) check.Check {
	t.Helper()
	index := slices.IndexFunc(checks, func(c check.Check) bool { return c.ID == id })
	if index < 0 {
		t.Fatalf("there is no check %s", id)
	}
	return checks[index]
}

// expectOnly judges a cluster and compares all that does not pass.
func expectOnly(t *testing.T, cluster facts.Cluster, want Want, bad map[string]check.Status) []check.Check {
	t.Helper()
	checks := Ingress(cluster, want)
	if diff := cmp.Diff(bad, unhappy(checks)); diff != "" {
		t.Errorf("not the checks that should fail (-want +got):\n%s", diff)
	}
	for _, c := range checks {
		if (c.Status == check.Fail || c.Status == check.Warn) && c.Fix == "" {
			t.Errorf("%s has no fix: %s", c.ID, c.Title)
		}
	}
	return checks
}

// marked gives an object the marks of an owner.
func marked(m facts.Meta, owner string) facts.Meta {
	m.Labels, m.Annotations = maps.Clone(m.Labels), maps.Clone(m.Annotations)
	if m.Labels == nil {
		m.Labels = map[string]string{}
	}
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	switch owner {
	case facts.HelmOwner:
		m.Labels["app.kubernetes.io/managed-by"], m.Labels["helm.sh/chart"] = "Helm", "a-chart-4.11.3"
		m.Annotations["meta.helm.sh/release-name"], m.Annotations["meta.helm.sh/release-namespace"] = "edge", "web"
	case facts.ArgoCDOwner:
		m.Annotations["argocd.argoproj.io/tracking-id"] = "edge:apps/Deployment:web/edge"
	case facts.FluxOwner:
		m.Labels["helm.toolkit.fluxcd.io/name"], m.Labels["helm.toolkit.fluxcd.io/namespace"] = "edge", "flux-system"
	case facts.K3sOwner:
		m.Annotations["objectset.rio.cattle.io/owner-name"], m.Annotations["objectset.rio.cattle.io/id"] = "rke2-ingress-nginx", "helm"
	case facts.AddonOwner:
		m.Labels["addonmanager.kubernetes.io/mode"] = "Reconcile"
	case facts.AKSOwner:
		m.Labels["app.kubernetes.io/managed-by"] = "aks-app-routing-operator"
	}
	return m
}

func TestImageNameAndTag(t *testing.T) {
	for image, want := range map[string][2]string{
		"nginx/nginx-ingress:5.5.4": {"nginx/nginx-ingress", "5.5.4"},
		"registry.k8s.io/ingress-nginx/controller:v1.15.1@sha256:0123456789": {"registry.k8s.io/ingress-nginx/controller", "v1.15.1"},
		"localhost:5000/traefik":           {"localhost:5000/traefik", ""},
		"localhost:5000/traefik@sha256:01": {"localhost:5000/traefik", ""},
		"":                                 {"", ""},
	} {
		if name, tag := imageName(image), imageTag(image); name != want[0] || tag != want[1] {
			t.Errorf("%s is %q and %q", image, name, tag)
		}
	}
}

func TestServiceOfPicksTheMostOutward(t *testing.T) {
	pods := map[string]string{"app": "edge", "part": "proxy"}
	service := func(name, kind string, port int32, selector map[string]string) facts.Service {
		return facts.Service{Meta: facts.Meta{Name: facts.Name{Namespace: "web", Name: name}}, Type: kind, Selector: selector, Ports: []facts.Port{{Port: port, Protocol: "TCP"}}}
	}
	edge := map[string]string{"app": "edge"}
	all := []facts.Service{
		service("inside", "ClusterIP", 80, edge), service("node", "NodePort", 80, edge), service("edge", "LoadBalancer", 443, edge),
		service("edge-admission", "LoadBalancer", 443, edge), service("edge-metrics", "LoadBalancer", 80, edge),
		service("grpc", "LoadBalancer", 9000, edge), service("other", "LoadBalancer", 80, map[string]string{"app": "other"}), service("none", "LoadBalancer", 80, nil),
	}
	for _, test := range []struct {
		name string
		with []facts.Service
		want string
	}{
		{"all of them", all, "edge"}, {"no load balancer", slices.Concat(all[:2], all[3:]), "node"},
		{"only inside", slices.Concat(all[:1], all[3:]), "inside"}, {"none that carries the web", all[3:], ""},
	} {
		if found, _ := ServiceOf(facts.Cluster{Services: test.with}, "web", pods); found.Meta.Name.Name != test.want {
			t.Errorf("%s: %q, want %q", test.name, found.Meta.Name.Name, test.want)
		}
	}
	if _, found := ServiceOf(facts.Cluster{Services: all}, "elsewhere", pods); found {
		t.Error("a Service of another namespace was taken")
	}
}

// Two controllers may claim a class: the one that takes it is found, wherever
// it stands in the list.
func TestFindPrefersTheWorkloadThatTakesTheClass(t *testing.T) {
	cluster, want := communityCluster()
	second := cluster.Workloads[0]
	second.Meta.Name.Name = "second"
	second.Containers = slices.Clone(second.Containers)
	second.Containers[0].Args = withFlag(second.Containers[0].Args, "--controller-class=k8s.io/ingress-nginx-codefresh")
	cluster.Workloads = append(cluster.Workloads, second)
	cluster.IngressClasses = append(cluster.IngressClasses, facts.IngressClass{Meta: facts.Meta{Name: facts.Name{Name: "second"}}, Controller: "k8s.io/ingress-nginx-codefresh"})
	for class, workload := range map[string]string{"nginx": "ingress-nginx-controller", "second": "second"} {
		want.Class = class
		if finding, _ := Find(cluster, want); finding.Site.Workload.Meta.Name.Name != workload {
			t.Errorf("class %s is served by %q, want %q", class, finding.Site.Workload.Meta.Name.Name, workload)
		}
	}
}

func TestIngressLabelsTakeThePersonsOwn(t *testing.T) {
	labels := Want{RuntimeName: "one", Labels: map[string]string{"team": "a", "app": "mine"}}.IngressLabels()
	if labels["codefresh.io/runtime-name"] != "one" || labels["team"] != "a" || labels["app"] != "mine" {
		t.Errorf("labels are %v", labels)
	}
}

// What was not read is never a pass, and words from the cluster are safe to
// show.
func TestChecksOfTheUnreadAndTheStrange(t *testing.T) {
	cluster, want := communityCluster()
	for what, ids := range map[string][]string{
		facts.IngressClasses: {"ingress.class"}, facts.Workloads: {"ingress.controller"}, facts.Services: {"ingress.address", "ingress.status"}, facts.Ingresses: {"ingress.host-free"},
	} {
		unread := cluster
		unread.Unread = []facts.Unread{{What: what, Reason: facts.NotAllowed}}
		checks := Ingress(unread, want)
		for _, id := range ids {
			if got := checkOf(t, checks, id); got.Status != check.Skip {
				t.Errorf("without %s, %s is %s: %s", what, id, got.Status, got.Title)
			}
		}
	}
	cluster.Workloads[0].Containers[0].Args = append(cluster.Workloads[0].Containers[0].Args, "--controller-class=\x1b[2Jevil\u202e")
	for _, c := range Ingress(cluster, want) {
		for _, word := range []string{c.Title, c.Why, c.Fix, c.Evidence} {
			if slices.ContainsFunc([]rune(word), func(r rune) bool { return r == 0x1b || r == 0x202e }) {
				t.Errorf("%s shows %q", c.ID, word)
			}
		}
	}
}
