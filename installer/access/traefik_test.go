package access

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// traefikGood is what a Traefik is started with that serves the runtime.
func traefikGood() []setting {
	return []setting{
		{"entryPoints.web.address", ":8000/tcp"},
		{"entryPoints.websecure.address", ":8443/tcp"},
		{"entryPoints.websecure.http.tls", emptySection{}},
		{"providers.kubernetesCRD", emptySection{}},
		{ingressProvider + ".allowEmptyServices", true},
		{ingressProvider + ".ingressEndpoint.publishedService", "traefik/traefik"},
	}
}

// traefikWith changes settings: those of the same key are replaced, those
// without a value go, with all that stands below them.
func traefikWith(changes ...setting) []setting {
	settings := traefikGood()
	for _, change := range changes {
		settings = slices.DeleteFunc(settings, func(s setting) bool {
			return s.key == change.key || (change.value == nil && strings.HasPrefix(s.key, change.key+"."))
		})
		if change.value != nil {
			settings = append(settings, change)
		}
	}
	return settings
}

func traefikWant() Want {
	return Want{Namespace: "codefresh", RuntimeName: "production", Class: "traefik", Host: "runtime.example.com", Protocol: "https", TLSSecret: "runtime-tls"}
}

// traefikCluster runs a Traefik with a load balancer, without any settings.
func traefikCluster() facts.Cluster {
	meta := facts.Meta{Name: facts.Name{Namespace: "traefik", Name: "traefik"}}
	pods := map[string]string{"app": "traefik"}
	return facts.Cluster{
		Version: "v1.33.0",
		Nodes:   []facts.Node{{Name: "n1", ProviderID: "gce://p/z/n1", Inside: []string{"10.0.0.4"}}},
		IngressClasses: []facts.IngressClass{
			{Meta: facts.Meta{Name: facts.Name{Name: "traefik"}}, Controller: traefikClass},
			{Meta: facts.Meta{Name: facts.Name{Name: "nginx"}}, Controller: "k8s.io/ingress-nginx"},
		},
		Services: []facts.Service{{Meta: meta, Type: "LoadBalancer", Selector: pods, Addresses: []string{"34.1.2.3"},
			Ports: []facts.Port{{Name: "web", Port: 80, Protocol: "TCP"}, {Name: "websecure", Port: 443, Protocol: "TCP"}}}},
		Workloads: []facts.Workload{{Meta: meta, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: pods, Containers: []facts.Container{
			{Name: "proxy", Image: "docker.io/envoyproxy/envoy:v1.30"},
			{Name: "traefik", Image: "docker.io/traefik:v3.6.2", Env: map[string]string{}},
		}}},
	}
}

// traefikSources start Traefik with the same settings in each way.
var traefikSources = map[string]func(*facts.Cluster, []setting){
	"arguments": func(c *facts.Cluster, settings []setting) {
		for _, s := range settings {
			traefikProgram(c).Args = append(traefikProgram(c).Args, "--"+s.key+"="+s.words())
		}
	},
	"environment": func(c *facts.Cluster, settings []setting) {
		for _, s := range settings {
			traefikProgram(c).Env["TRAEFIK_"+strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))] = s.words()
		}
	},
	"yaml file": func(c *facts.Cluster, settings []setting) {
		traefikFile(c, "/etc/traefik", "traefik.yaml", treeYAML(settings))
	},
	"toml file": func(c *facts.Cluster, settings []setting) {
		traefikProgram(c).Args = []string{"--configFile=/config/static.toml"}
		traefikFile(c, "/config", "static.toml", treeTOML(settings))
	},
}

func traefikProgram(c *facts.Cluster) *facts.Container { return &c.Workloads[0].Containers[1] }

func traefikFile(c *facts.Cluster, folder, key, content string) {
	c.Workloads[0].Mounts = map[string]string{folder: "traefik-config"}
	c.ConfigMaps = map[facts.Name]map[string]string{{Namespace: "traefik", Name: "traefik-config"}: {key: content}}
}

func traefikByArguments(settings ...setting) facts.Cluster {
	cluster := traefikCluster()
	traefikSources["arguments"](&cluster, settings)
	return cluster
}

// judged runs all checks and holds what every one of them owes a person.
func judged(t *testing.T, cluster facts.Cluster, want Want) map[string]check.Check {
	t.Helper()
	byID := map[string]check.Check{}
	for _, c := range Ingress(cluster, want) {
		if (c.Status == check.Fail || c.Status == check.Warn) && c.Fix == "" {
			t.Errorf("%s has no fix: %s", c.ID, c.Title)
		}
		if c.Title == "" || strings.Contains(c.Title+c.Why+c.Fix+c.Evidence, "%!") {
			t.Errorf("%s is badly worded: %+v", c.ID, c)
		}
		byID[c.ID] = c
	}
	return byID
}

func TestTraefikServesTheRuntime(t *testing.T) {
	for source, start := range traefikSources {
		t.Run(source, func(t *testing.T) {
			cluster := traefikCluster()
			start(&cluster, traefikGood())
			checks := judged(t, cluster, traefikWant())
			for _, id := range slices.Sorted(maps.Keys(checks)) {
				if checks[id].Status != check.Pass {
					t.Errorf("%s is %s: %s (%s)", id, checks[id].Status, checks[id].Title, checks[id].Why)
				}
			}
			if len(checks) != 12 {
				t.Errorf("%d checks: %v", len(checks), slices.Sorted(maps.Keys(checks)))
			}
		})
	}
}

// traefikHidden are the ways to hide the runtime's Ingress, or its address.
var traefikHidden = map[string]struct {
	change []setting
	check  string
	says   string
	mends  bool // by a change to Traefik, and not to the answers
}{
	"no provider":          {[]setting{{ingressProvider, nil}}, "ingress.bound", "takes no Ingresses", true},
	"another class":        {[]setting{{ingressProvider + ".ingressClass", "internal"}}, "ingress.bound", "takes the class internal only", true},
	"no cluster scope":     {[]setting{{ingressProvider + ".disableClusterScopeResources", true}}, "ingress.bound", "reads no IngressClasses", true},
	"no class lookup":      {[]setting{{ingressProvider + ".disableIngressClassLookup", true}}, "ingress.bound", "reads no IngressClasses", true},
	"other namespaces":     {[]setting{{ingressProvider + ".namespaces", []string{"traefik", "shop"}}}, "ingress.watched", "does not watch namespace codefresh", true},
	"labels":               {[]setting{{ingressProvider + ".labelSelector", "team=edge"}}, "ingress.watched", "does not pick the runtime's Ingress", false},
	"a broken selector":    {[]setting{{ingressProvider + ".labelSelector", "=="}}, "ingress.watched", "cannot be read", false},
	"no endpoint":          {[]setting{{ingressProvider + ".ingressEndpoint", nil}}, "ingress.status", "does not report an address", true},
	"no such service":      {[]setting{{ingressProvider + ".ingressEndpoint.publishedService", "traefik/gone"}}, "ingress.status", "which does not exist", true},
	"no namespace":         {[]setting{{ingressProvider + ".ingressEndpoint.publishedService", "traefik"}}, "ingress.status", "names the Service to report as traefik", true},
	"an unwatched service": {[]setting{{ingressProvider + ".namespaces", []string{"codefresh"}}}, "ingress.status", "whose namespace it does not watch", true},
	"empty services":       {[]setting{{ingressProvider + ".allowEmptyServices", nil}}, "ingress.empty-services", "404 until its router is ready", true},
}

func TestTraefikHidesTheIngress(t *testing.T) {
	for source, start := range traefikSources {
		for name, hidden := range traefikHidden {
			t.Run(source+"/"+name, func(t *testing.T) {
				cluster := traefikCluster()
				start(&cluster, traefikWith(hidden.change...))
				got := judged(t, cluster, traefikWant())[hidden.check]
				if got.Status != check.Fail && hidden.check != "ingress.empty-services" || got.Status == check.Pass {
					t.Errorf("%s is %s: %s", got.ID, got.Status, got.Title)
				}
				if !strings.Contains(got.Title, hidden.says) {
					t.Errorf("it says %q, not %q", got.Title, hidden.says)
				}
				if offered := got.Repair != nil; offered != (hidden.mends && source == "arguments") {
					t.Errorf("a repair is offered: %v", offered)
				}
				if !strings.Contains(got.Evidence, strings.Fields(source)[len(strings.Fields(source))-1]) {
					t.Errorf("the evidence does not name the source: %s", got.Evidence)
				}
			})
		}
	}
}

func TestTraefikProviderSetToFalse(t *testing.T) {
	for _, source := range []string{"arguments", "environment"} {
		cluster := traefikCluster()
		traefikSources[source](&cluster, traefikWith(setting{ingressProvider, false}))
		if got := judged(t, cluster, traefikWant())["ingress.bound"]; got.Status != check.Fail {
			t.Errorf("%s: %s, %s", source, got.Status, got.Title)
		}
	}
}

func TestTraefikLabelsAreAnAnswer(t *testing.T) {
	cases := []struct{ selector, fix string }{
		{"team=edge", "--access.ingress.labels cost=42,team=edge"},
		{"team in (edge,core),public", "--access.ingress.labels cost=42,public=true,team=core"},
		{"app=shop", "Let providers.kubernetesIngress.labelSelector pick"},
		{"app!=codefresh-gitops-runtime", "Let providers.kubernetesIngress.labelSelector pick"},
	}
	for _, c := range cases {
		want := traefikWant()
		want.Labels = map[string]string{"cost": "42"}
		cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".labelSelector", c.selector})...)
		got := judged(t, cluster, want)["ingress.watched"]
		if got.Status != check.Fail || !strings.Contains(got.Fix, c.fix) {
			t.Errorf("%s: %s, %s", c.selector, got.Status, got.Fix)
		}
		_, flag, possible := strings.Cut(got.Fix, "--access.ingress.labels ")
		if !possible {
			continue
		}
		want.Labels = map[string]string{}
		for pair := range strings.SplitSeq(flag, ",") {
			key, value, _ := strings.Cut(pair, "=")
			want.Labels[key] = value
		}
		if again := judged(t, cluster, want)["ingress.watched"]; again.Status != check.Pass {
			t.Errorf("%s: the labels do not help: %s", c.selector, again.Title)
		}
	}
}

func TestTraefikChoosesItsOtherClass(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressClass", "edge"})...)
	cluster.IngressClasses = append(cluster.IngressClasses, facts.IngressClass{Meta: facts.Meta{Name: facts.Name{Name: "edge"}}, Controller: traefikClass})
	got := judged(t, cluster, traefikWant())["ingress.bound"]
	if got.Repair != nil || got.Fix != "Choose that class: --access.ingress.class edge" {
		t.Errorf("%+v", got)
	}
}

func TestTraefikOfTwoIsTheOneThatTakesTheClass(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider + ".ingressClass", "internal"})...)
	second := traefikByArguments(traefikGood()...).Workloads[0]
	second.Meta.Name.Name = "traefik-public"
	cluster.Workloads = append(cluster.Workloads, second)
	finding, found := Find(cluster, traefikWant())
	if !found || finding.Site.Workload.Meta.Name.Name != "traefik-public" {
		t.Errorf("found %v in %s", found, finding.Site.At())
	}
	want := traefikWant()
	want.Class = "traefik"
	cluster.Workloads = cluster.Workloads[:1]
	cluster.Workloads = append(cluster.Workloads, cluster.Workloads[0])
	if got := judged(t, cluster, want)["ingress.bound"]; got.Repair != nil || !strings.Contains(got.Fix, "Make an IngressClass internal") {
		t.Errorf("with two of them, one is opened: %+v", got)
	}
}

func TestTraefikIsRecognised(t *testing.T) {
	cases := map[string]bool{
		"traefik:v3": true, "docker.io/traefik/traefik:v2.11.5": true, "rancher/mirrored-library-traefik:3.3.6": true,
		"ghcr.io/traefik/traefik-hub:v3.19.0": true, "store/traefikee:v2.12": true, "host:5000/traefik@sha256:ab": true,
		"traefik/whoami:v1": false, "acme/traefik-errors:1": false, "": false,
	}
	for image, is := range cases {
		w := facts.Workload{Containers: []facts.Container{{Image: "busybox"}, {Image: image}}}
		if index, found := traefik.programOf(w); found != is || (found && index != 1) {
			t.Errorf("%q: %v, container %d", image, found, index)
		}
	}
	own := facts.Workload{Containers: []facts.Container{{Image: "acme/edge:7", Args: []string{"--providers.kubernetesIngress"}}}}
	if _, found := traefik.programOf(own); !found {
		t.Error("an image of people's own is not recognised by its arguments")
	}
}
