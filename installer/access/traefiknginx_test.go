package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func nginxWant() Want {
	want := traefikWant()
	want.Class, want.NamespaceLabels = "nginx", map[string]string{"team": "edge"}
	return want
}

func asNginx(changes ...setting) []setting {
	return append(traefikWith(setting{nginxProvider, emptySection{}}, setting{nginxProvider + ".publishService", "traefik/traefik"}), changes...)
}

func TestTraefikStandsInForNginx(t *testing.T) {
	if first, _ := ByClass("k8s.io/ingress-nginx"); first.ID != "nginx" {
		t.Errorf("the class is first of all %s", first.ID)
	}
	for source, start := range traefikSources {
		cluster := traefikCluster()
		start(&cluster, asNginx())
		finding, _ := Find(cluster, nginxWant())
		if finding.Controller.ID != "traefik" || !finding.Running {
			t.Errorf("%s: found %s, running %v", source, finding.Controller.ID, finding.Running)
		}
		for id, c := range judged(t, cluster, nginxWant()) {
			if c.Status != check.Pass {
				t.Errorf("%s: %s is %s: %s", source, id, c.Status, c.Title)
			}
		}
	}
}

func TestNginxItselfGoesFirst(t *testing.T) {
	cluster := traefikByArguments(asNginx()...)
	cluster.Workloads = append(cluster.Workloads, facts.Workload{Meta: facts.Meta{Name: facts.Name{Namespace: "ingress-nginx", Name: "ingress-nginx-controller"}}, Kind: "Deployment", Ready: 1, Wanted: 1,
		Containers: []facts.Container{{Name: "controller", Image: "registry.k8s.io/ingress-nginx/controller:v1.15.1", Args: []string{"/nginx-ingress-controller", "--controller-class=k8s.io/ingress-nginx"}}}})
	if finding, _ := Find(cluster, nginxWant()); finding.Controller.ID != "nginx" {
		t.Errorf("found %s", finding.Controller.ID)
	}
}

func TestTraefikInThePlaceOfNginx(t *testing.T) {
	cases := map[string]struct {
		settings []setting
		image    string
		check    string
		status   check.Status
		says     string
		mends    bool
	}{
		"provider off":           {traefikGood(), "traefik:v3.6", "ingress.bound", check.Fail, "the provider that stands in for it is off", false},
		"too old":                {asNginx(), "traefik:v3.4.1", "ingress.bound", check.Fail, "Only from version 3.5", false},
		"another controller":     {asNginx(setting{nginxProvider + ".controllerClass", "k8s.io/ingress-nginx-codefresh"}), "traefik:v3.6", "ingress.bound", check.Fail, "of the controller k8s.io/ingress-nginx-codefresh", false},
		"by its name":            {asNginx(setting{nginxProvider + ".controllerClass", "example.com/x"}, setting{nginxProvider + ".ingressClassByName", true}), "traefik:v3.6", "ingress.bound", check.Pass, "", false},
		"another namespace":      {asNginx(setting{nginxProvider + ".watchNamespace", "traefik"}), "traefik:v3.6", "ingress.watched", check.Fail, "does not watch namespace codefresh", true},
		"labels that fit":        {asNginx(setting{nginxProvider + ".watchNamespaceSelector", "team=edge"}), "traefik:v3.6", "ingress.watched", check.Pass, "", false},
		"labels that do not":     {asNginx(setting{nginxProvider + ".watchNamespaceSelector", "team=core"}), "traefik:v3.6", "ingress.watched", check.Fail, "rollout restart deployment/traefik", false},
		"no status":              {traefikWith(setting{nginxProvider, emptySection{}}), "traefik:v3.6", "ingress.status", check.Fail, "does not report an address", true},
		"written down":           {asNginx(setting{nginxProvider + ".publishStatusAddress", []string{"34.1.1.1", "edge.example"}}), "traefik:v3.6", "ingress.status", check.Pass, "34.1.1.1, edge.example", false},
		"no such service":        {traefikWith(setting{nginxProvider + ".publishService", "traefik/gone"}), "traefik:v3.6", "ingress.status", check.Fail, "which does not exist", true},
		"not a name":             {traefikWith(setting{nginxProvider + ".publishService", "traefik"}), "traefik:v3.6", "ingress.status", check.Fail, "names the Service to report as traefik", true},
		"a service out of sight": {asNginx(setting{nginxProvider + ".watchNamespace", "codefresh"}), "traefik:v3.6", "ingress.status", check.Fail, "whose namespace it does not watch", true},
		"empty services":         {asNginx(), "traefik:v3.6", "ingress.empty-services", check.Pass, "", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := traefikByArguments(c.settings...)
			traefikProgram(&cluster).Image = c.image
			got := judged(t, cluster, nginxWant())[c.check]
			if got.Status != c.status || !strings.Contains(got.Title+got.Why+got.Fix, c.says) || (got.Repair != nil) != c.mends {
				t.Fatalf("%s: %s (%s)\n%s\nrepair %v", got.Status, got.Title, got.Why, got.Fix, got.Repair)
			}
			if got.Repair == nil {
				return
			}
			before := deploymentJSON(t, cluster)
			after := withArgsOf(t, cluster, patched(t, before, got.Repair.Patch))
			if again := judged(t, after, nginxWant())[c.check]; again.Status != check.Pass {
				t.Errorf("after the repair it is %s: %s", again.Status, again.Title)
			}
		})
	}
}

func TestTraefikNginxReportsInnerAddresses(t *testing.T) {
	cluster := traefikByArguments(asNginx()...)
	cluster.Services[0].Type, cluster.Services[0].Addresses = "ClusterIP", nil
	if got := judged(t, cluster, nginxWant())["ingress.status"]; got.Status != check.Warn || !strings.Contains(got.Title, "inside the cluster") {
		t.Errorf("%s: %s", got.Status, got.Title)
	}
}

func TestTraefikNginxUnknownLabels(t *testing.T) {
	want := nginxWant()
	want.NamespaceUnknown = true
	cluster := traefikByArguments(asNginx(setting{nginxProvider + ".watchNamespaceSelector", "team=edge"})...)
	if got := judged(t, cluster, want)["ingress.watched"]; got.Status != check.Skip {
		t.Errorf("%s: %s", got.Status, got.Title)
	}
}

// Version 40 of the chart renamed the provider's values.
func TestTraefikNginxChartValues(t *testing.T) {
	for chart, part := range map[string]string{
		"traefik-39.0.8": "providers.kubernetesIngressNginx.publishService.enabled=true", "traefik-40.0.0": "providers.kubernetesIngressNGINX.publishService.enabled=true",
	} {
		cluster := traefikByArguments(traefikWith(setting{nginxProvider, emptySection{}})...)
		marks := helmMarks(chart, "traefik")
		cluster.Workloads[0].Labels, cluster.Workloads[0].Annotations = marks.Labels, marks.Annotations
		if fix := judged(t, cluster, nginxWant())["ingress.status"].Fix; !strings.HasSuffix(fix, "--set "+part) {
			t.Errorf("%s: %s", chart, fix)
		}
	}
}

// The provider can be given Traefik's own classes too.
func TestTraefikOwnClassByTheNginxProvider(t *testing.T) {
	cluster := traefikByArguments(traefikWith(setting{ingressProvider, nil}, setting{nginxProvider + ".controllerClass", traefikClass}, setting{nginxProvider + ".publishService", "traefik/traefik"})...)
	for id, c := range judged(t, cluster, traefikWant()) {
		if c.Status != check.Pass {
			t.Errorf("%s is %s: %s", id, c.Status, c.Title)
		}
	}
}
