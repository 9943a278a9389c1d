package preflight

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// good is a cluster that nothing is wrong with.
func good() facts.Cluster {
	size := facts.Amount{MilliCPU: 4000, Memory: 16e9}
	return facts.Cluster{Context: "prod", Version: "v1.34.1", User: "ada", ClusterAdmin: true,
		Nodes:          []facts.Node{{Name: "a", Ready: true, OS: "linux", Arch: "amd64", Capacity: size, Allocatable: size}},
		Services:       []facts.Service{{Meta: named("kube-system", "kube-dns")}},
		StorageClasses: []facts.StorageClass{{Name: "fast", Default: true}}}
}

func named(namespace, name string) facts.Meta {
	return facts.Meta{Name: facts.Name{Namespace: namespace, Name: name}}
}

func workload(namespace, name, image string) facts.Workload {
	return facts.Workload{Meta: named(namespace, name), Kind: "Deployment", Containers: []facts.Container{{Image: image}}}
}

func ours(m facts.Meta) facts.Meta {
	m.Labels = map[string]string{"app.kubernetes.io/managed-by": "Helm"}
	m.Annotations = map[string]string{"meta.helm.sh/release-name": "cf-gitops-runtime", "meta.helm.sh/release-namespace": "codefresh"}
	return m
}

func TestAGoodClusterPasses(t *testing.T) {
	for _, c := range Cluster(good(), answers.Default(), nil) {
		if c.Status != check.Pass {
			t.Errorf("%s: %s %s", c.ID, c.Status, c.Title)
		}
	}
}

// Each case changes one thing and names the one check that must tell it.
func TestEachTroubleIsToldByItsCheck(t *testing.T) {
	type change func(*facts.Cluster, *answers.Answers)
	for name, test := range map[string]struct {
		change change
		id     string
		status check.Status
		says   string
	}{
		"too old":           {func(c *facts.Cluster, _ *answers.Answers) { c.Version = "v1.22.9" }, "cluster.version", check.Fail, "too old"},
		"oldest allowed":    {func(c *facts.Cluster, _ *answers.Answers) { c.Version = "v1.23.0-eks-1" }, "cluster.version", check.Warn, "older"},
		"newer than tested": {func(c *facts.Cluster, _ *answers.Answers) { c.Version = "v1.37.0+k3s1" }, "cluster.version", check.Warn, "newer"},
		"odd version":       {func(c *facts.Cluster, _ *answers.Answers) { c.Version = "edge" }, "cluster.version", check.Warn, "cannot be read"},
		"small nodes":       {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Capacity.Memory = 4e9 }, "cluster.nodes", check.Fail, "large enough"},
		"cordoned":          {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Closed = true }, "cluster.nodes", check.Fail, "large enough"},
		"tainted":           {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Taints = []string{"gpu=true:NoSchedule"} }, "cluster.nodes", check.Fail, "large enough"},
		"not ready":         {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Ready = false }, "cluster.nodes", check.Fail, "large enough"},
		"windows only":      {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].OS = "windows" }, "cluster.nodes", check.Fail, "large enough"},
		"kept by kubelet":   {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Allocatable.MilliCPU = 1900 }, "cluster.nodes", check.Warn, "not all"},
		"nearly full":       {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Requested.MilliCPU = 3000 }, "cluster.nodes", check.Warn, "nearly full"},
		"serverless":        {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes = nil }, "cluster.nodes", check.Warn, "no nodes"},
		"pods unread": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Unread = []facts.Unread{{What: facts.Pods, Reason: facts.NotAllowed}}
		},
			"cluster.nodes", check.Warn, "not known"},
		"nodes unread": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Unread = []facts.Unread{{What: facts.Nodes, Reason: facts.NotAllowed}}
		},
			"cluster.nodes", check.Skip, "not allowed to read nodes"},
		"slow API": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Unread = []facts.Unread{{What: facts.CRDs, Reason: facts.TooSlow}}
		},
			"cluster.read", check.Fail, "custom resource definitions"},
		"may not read": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Unread = []facts.Unread{{What: facts.CRDs, Reason: facts.NotAllowed}}
		},
			"cluster.read", check.Warn, "not allowed"},
		"odd architecture": {func(c *facts.Cluster, _ *answers.Answers) { c.Nodes[0].Arch = "s390x" }, "cluster.architecture", check.Fail, "s390x"},
		"broken API":       {func(c *facts.Cluster, _ *answers.Answers) { c.BrokenGroups = []string{"metrics.k8s.io/v1beta1"} }, "cluster.api", check.Warn, "metrics"},
		"no DNS service":   {func(c *facts.Cluster, _ *answers.Answers) { c.Services = nil }, "cluster.dns", check.Fail, "no Service"},
		"DNS of RKE2": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Services = []facts.Service{{Meta: named("kube-system", "rke2-coredns-rke2-coredns"), Ports: []facts.Port{{Port: 53}}}}
		}, "cluster.dns", check.Fail, "rke2-coredns"},
		"HA without storage": {func(c *facts.Cluster, a *answers.Answers) { c.StorageClasses, a.Options.HA = nil, true }, "cluster.storage", check.Fail, "storage class"},
		"Argo CD there": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads = []facts.Workload{workload("argocd", "argocd-server", "quay.io/argoproj/argocd:v3.1.0")}
		}, "argo.cd", check.Fail, "already"},
		"Argo CD wanted but missing": {func(_ *facts.Cluster, a *answers.Answers) { a.ArgoCD.Mode = "existing" }, "argo.cd", check.Fail, "no Argo CD"},
		"Workflows there": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads = []facts.Workload{workload("argo", "workflow-controller", "quay.io/argoproj/workflow-controller@sha256:abc")}
		}, "argo.workflows", check.Fail, "already"},
		"Rollouts there": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads = []facts.Workload{workload("argo", "argo-rollouts", "quay.io/argoproj/argo-rollouts:v1.8")}
		}, "argo.rollouts", check.Warn, "runs"},
		"Events there": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads = []facts.Workload{{Meta: facts.Meta{Labels: map[string]string{"app.kubernetes.io/part-of": "argo-events"}}}}
		}, "argo.events", check.Warn, "runs"},
		"Sealed Secrets there": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads = []facts.Workload{workload("kube-system", "sealed-secrets", "docker.io/bitnami/sealed-secrets-controller:0.30")}
		}, "sealed-secrets", check.Fail, "already"},
		"another runtime": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Runtimes = []facts.RuntimeRecord{{Namespace: "other", Release: "rt"}}
		}, "codefresh.runtime", check.Fail, "another"},
		"the release of another runtime": {func(c *facts.Cluster, a *answers.Answers) {
			c.Runtimes, a.Runtime.Name = []facts.RuntimeRecord{{Name: "payments", Namespace: "codefresh", Release: "cf-gitops-runtime"}}, "billing"
		}, "codefresh.runtime", check.Fail, "is the runtime payments"},
		"a runtime of the old CLI": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Runtimes = []facts.RuntimeRecord{{Namespace: "old"}}
		}, "codefresh.runtime", check.Fail, "old CLI"},
		"foreign CRDs": {func(c *facts.Cluster, _ *answers.Answers) {
			c.CRDs = []facts.Meta{named("", "applications.argoproj.io")}
		},
			"crds.owner", check.Fail, "1 CRDs"},
		"adopted CRDs": {func(c *facts.Cluster, a *answers.Answers) {
			c.CRDs, a.CRDs.Mode = []facts.Meta{named("", "applications.argoproj.io")}, "adopt"
		}, "crds.owner", check.Warn, "adopted"},
		"CRDs of OLM": {func(c *facts.Cluster, a *answers.Answers) {
			crd := named("", "applications.argoproj.io")
			crd.Labels = map[string]string{"olm.owner": "argocd-operator"}
			c.CRDs, a.CRDs.Mode = []facts.Meta{crd}, "adopt"
		}, "crds.owner", check.Fail, "managed by others"},
	} {
		t.Run(name, func(t *testing.T) {
			c, a := good(), answers.Default()
			test.change(&c, &a)
			judgeOne(t, Cluster(c, a, nil), test.id, test.status, test.says)
		})
	}
}

// judgeOne finds the check and holds it to its rules.
func judgeOne(t *testing.T, checks []check.Check, id string, status check.Status, says string) {
	t.Helper()
	seen := false
	for _, c := range checks {
		if (c.Status == check.Fail || c.Status == check.Warn) && (c.Fix == "" || c.Why == "") {
			t.Errorf("%s has no why or no fix", c.ID)
		}
		if c.ID != id {
			continue
		}
		seen = true
		if c.Status != status || !strings.Contains(c.Title, says) {
			t.Errorf("%s says %s %q, want %s with %q", id, c.Status, c.Title, status, says)
		}
	}
	if !seen {
		t.Errorf("there is no check %s", id)
	}
}

// An existing Argo CD has to be beside the runtime, with the Services of the
// answers, and of a version that the chart takes.
func TestAnExistingArgoCD(t *testing.T) {
	service := func(namespace, name, component string) facts.Service {
		s := facts.Service{Meta: named(namespace, name)}
		s.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd", "app.kubernetes.io/component": component}
		return s
	}
	for name, test := range map[string]struct {
		change func(*facts.Cluster, *answers.Answers)
		status check.Status
		says   string
	}{
		"good": {func(*facts.Cluster, *answers.Answers) {}, check.Pass, "v3.1.0 is used"},
		"newest": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads[0].Containers[0].Image = "quay.io/argoproj/argocd:v3.3.10@sha256:a"
		}, check.Pass, "v3.3.10"},
		"too new": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads[0].Containers[0].Image = "quay.io/argoproj/argocd:v3.4.0"
		}, check.Fail, "is v3.4.0"},
		"too old": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads[0].Containers[0].Image = "quay.io/argoproj/argocd:v2.14.2"
		}, check.Fail, "is v2.14.2"},
		"too old, and not checked": {func(c *facts.Cluster, a *answers.Answers) {
			c.Workloads[0].Containers[0].Image, a.Options.SkipValidation = "quay.io/argoproj/argocd:v2.14.2", true
		}, check.Warn, "is v2.14.2"},
		"no version": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Workloads[0].Containers[0].Image = "quay.io/argoproj/argocd@sha256:a"
		}, check.Warn, "not known"},
		"no repo server": {func(c *facts.Cluster, _ *answers.Answers) { c.Services = c.Services[:2] }, check.Fail, "no Service cd-repo-server"},
		"another name":   {func(_ *facts.Cluster, a *answers.Answers) { a.ArgoCD.Server = "argocd-server" }, check.Fail, "no Service argocd-server"},
		"elsewhere":      {func(c *facts.Cluster, _ *answers.Answers) { c.Workloads[0].Namespace = "argocd" }, check.Fail, "no Argo CD runs in namespace codefresh"},
		"Services unread": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Unread = []facts.Unread{{What: facts.Services, Reason: facts.NotAllowed}}
		}, check.Skip, "not allowed"},
		"Services of both": {func(c *facts.Cluster, _ *answers.Answers) {
			c.Services = append([]facts.Service{service("other", "x-server", "server")}, c.Services...)
		}, check.Pass, "is used"},
	} {
		t.Run(name, func(t *testing.T) {
			c, a := good(), answers.Default()
			a.ArgoCD = answers.ArgoCD{Mode: "existing", Namespace: "codefresh", Server: "cd-server", RepoServer: "cd-repo-server"}
			c.Workloads = []facts.Workload{workload("codefresh", "cd-server", "quay.io/argoproj/argocd:v3.1.0")}
			c.Services = append(c.Services, service("codefresh", "cd-server", "server"), service("codefresh", "cd-repo-server", "repo-server"))
			test.change(&c, &a)
			judgeOne(t, Cluster(c, a, nil), "argo.cd", test.status, test.says)
		})
	}
}

// The Services of an Argo CD are those of its namespace.
func TestFindArgoCDAmongSeveral(t *testing.T) {
	c := good()
	c.Workloads = []facts.Workload{workload("argocd", "argocd-server", "quay.io/argoproj/argocd:v3.1.0")}
	other := facts.Service{Meta: named("elsewhere", "their-server")}
	other.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd", "app.kubernetes.io/component": "server"}
	c.Services = append(c.Services, other)
	if found, ok := FindArgoCD(c, answers.Default()); !ok || found.Server != "argocd-server" {
		t.Errorf("found %+v", found)
	}
}

// What a check asks a values file for is enough.
func TestValuesFilesAreHeard(t *testing.T) {
	router := func(entries map[string]any) map[string]any { return map[string]any{"internal-router": entries} }
	sealed := func(on bool) map[string]any { return map[string]any{"sealed-secrets": map[string]any{"enabled": on}} }
	for name, test := range map[string]struct {
		values map[string]any
		id     string
		status check.Status
		says   string
	}{
		"the DNS service that is there":  {router(map[string]any{"dnsService": "dns-default", "dnsNamespace": "openshift-dns"}), "cluster.dns", check.Pass, "openshift-dns/dns-default"},
		"one that is not there":          {router(map[string]any{"dnsService": "coredns"}), "cluster.dns", check.Fail, "not kube-system/coredns"},
		"a resolver":                     {router(map[string]any{"resolver": "10.0.0.10"}), "cluster.dns", check.Pass, "10.0.0.10"},
		"nothing about DNS":              {sealed(true), "cluster.dns", check.Fail, "not kube-system/kube-dns"},
		"without its own Sealed Secrets": {sealed(false), "sealed-secrets", check.Pass, "leaves"},
		"with its own Sealed Secrets":    {sealed(true), "sealed-secrets", check.Fail, "already"},
	} {
		t.Run(name, func(t *testing.T) {
			c := good()
			c.Services = []facts.Service{{Meta: named("openshift-dns", "dns-default"), Ports: []facts.Port{{Port: 53}}}}
			c.Workloads = []facts.Workload{workload("kube-system", "sealed-secrets", "docker.io/bitnami/sealed-secrets-controller:0.30")}
			judgeOne(t, Cluster(c, answers.Default(), test.values), test.id, test.status, test.says)
		})
	}
}

func TestOurOwnReleaseIsNotInTheWay(t *testing.T) {
	c := good()
	server := workload("codefresh", "argo-cd-server", "quay.io/argoproj/argocd:v3.3.10")
	server.Meta = ours(server.Meta)
	c.Workloads = []facts.Workload{server}
	c.CRDs = []facts.Meta{ours(named("", "applications.argoproj.io"))}
	c.Runtimes = []facts.RuntimeRecord{{Name: "codefresh", Namespace: "codefresh", Release: "cf-gitops-runtime"}}
	for _, got := range Cluster(c, answers.Default(), nil) {
		if got.Status != check.Pass {
			t.Errorf("%s: %s %s", got.ID, got.Status, got.Title)
		}
	}
}

func TestNamespace(t *testing.T) {
	for name, test := range map[string]struct {
		namespace facts.Namespace
		id        string
		status    check.Status
		says      string
	}{
		"new":         {facts.Namespace{Name: "a"}, "namespace.state", check.Pass, "will be created"},
		"there":       {facts.Namespace{Name: "a", Exists: true}, "namespace.state", check.Pass, "exists"},
		"terminating": {facts.Namespace{Name: "a", Exists: true, Terminating: true}, "namespace.state", check.Fail, "being deleted"},
		"unread": {facts.Namespace{Name: "a", Unread: []facts.Unread{{What: "namespace a", Reason: facts.NotAllowed}}},
			"namespace.state", check.Skip, "not allowed"},
		"restricted": {facts.Namespace{Name: "a", Exists: true, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}},
			"namespace.pod-security", check.Fail, "restricted"},
		"tight quota": {facts.Namespace{Name: "a", Exists: true, Quotas: []facts.Quota{{Name: "q", Resource: "pods", Hard: 4000}}},
			"namespace.quota", check.Fail, "too small"},
		"wide quota": {facts.Namespace{Name: "a", Exists: true, Quotas: []facts.Quota{{Name: "q", Resource: "pods", Hard: 100_000}}},
			"namespace.quota", check.Pass, "enough"},
		"limit range": {facts.Namespace{Name: "a", Exists: true, Limits: []facts.Limit{{Name: "l", Resource: "memory", Max: "64Mi"}}},
			"namespace.limits", check.Warn, "64Mi"},
	} {
		t.Run(name, func(t *testing.T) { judgeOne(t, Namespace(test.namespace), test.id, test.status, test.says) })
	}
}
