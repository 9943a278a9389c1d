package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Whatever comes first in the list, an Ingress with the runtime's paths is
// worse than one with the host alone.
func TestHostFreeLooksAtEveryIngress(t *testing.T) {
	at := func(name string, paths ...string) facts.Ingress {
		return facts.Ingress{Meta: facts.Meta{Name: facts.Name{Namespace: "shop", Name: name}}, Rules: []facts.Rule{{Host: "runtime.example.com", Paths: paths}}}
	}
	other, home, proxy := facts.Ingress{Rules: []facts.Rule{{Host: "other.example.com", Paths: []string{"/app-proxy"}}}}, at("home", "/"), at("proxy", "/x", "/app-proxy/")
	for name, test := range map[string]struct {
		ingresses []facts.Ingress
		want      check.Status
		says      string
	}{
		"free":              {[]facts.Ingress{other}, check.Pass, "no other"},
		"shared":            {[]facts.Ingress{other, home}, check.Warn, "shop/home"},
		"taken":             {[]facts.Ingress{proxy}, check.Fail, "shop/proxy"},
		"shared, and taken": {[]facts.Ingress{home, other, proxy}, check.Fail, "shop/proxy"},
		"taken, and shared": {[]facts.Ingress{proxy, home}, check.Fail, "shop/proxy"},
	} {
		t.Run(name, func(t *testing.T) {
			got := hostFree(facts.Cluster{Ingresses: test.ingresses}, Want{Namespace: "codefresh", Host: "runtime.example.com"})
			if got.Status != test.want || !strings.Contains(got.Title, test.says) {
				t.Errorf("%s %s", got.Status, got.Title)
			}
		})
	}
}

// An internal load balancer of AWS is found behind every controller, and behind
// the mesh's gateway.
func TestAWSSchemeIsLookedAtEverywhere(t *testing.T) {
	onAWS := func(c facts.Cluster, w Want) (facts.Cluster, Want) {
		c.Nodes = []facts.Node{{Name: "one", ProviderID: "aws:///eu/i-1"}}
		for i := range c.Services {
			if c.Services[i].Type == "LoadBalancer" {
				c.Services[i].Class = "eks.amazonaws.com/nlb"
			}
		}
		return c, w
	}
	for name, test := range map[string]struct {
		fresh func() (facts.Cluster, Want)
		judge func(facts.Cluster, Want) []check.Check
		id    string
	}{
		"NGINX Community":  {communityCluster, Ingress, "ingress.scheme"},
		"NGINX Enterprise": {enterpriseCluster, Ingress, "ingress.scheme"},
		"Traefik":          {func() (facts.Cluster, Want) { return traefikByArguments(traefikGood()...), traefikWant() }, Ingress, "ingress.scheme"},
		"Ambassador":       {ambassadorCluster, Ingress, "ingress.scheme"},
		"Istio":            {istioCluster, Ingress, "ingress.scheme"},
		"mesh":             {meshCluster, Mesh, "mesh.scheme"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, want := onAWS(test.fresh())
			checks := test.judge(cluster, want)
			broken := checkOf(t, checks, test.id)
			if broken.Status != check.Fail || broken.Repair == nil || !broken.Repair.Asked || broken.Repair.Resource != "services" {
				t.Fatalf("%s %s, %v", broken.Status, broken.Title, broken.Repair)
			}
			for i, service := range cluster.Services {
				if service.Type == "LoadBalancer" {
					cluster.Services[i].Meta = marked(service.Meta, facts.HelmOwner)
				}
			}
			if owned := checkOf(t, test.judge(cluster, want), test.id); owned.Repair != nil || !strings.Contains(owned.Fix, "aws-load-balancer-scheme") {
				t.Errorf("for its owner: %s", owned.Fix)
			}
			if test.id == "ingress.scheme" {
				if tcp := checkOf(t, checks, "ingress.tcp"); tcp.Status != check.Pass {
					t.Errorf("a network load balancer: %s %s", tcp.Status, tcp.Title)
				}
			}
		})
	}
}
