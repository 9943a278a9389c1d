package e2e

import "testing"

// Each controller in turn on one cluster: what is broken is found, and nothing
// else; the fix mends it; undo restores what was there.
func TestAccessByController(t *testing.T) {
	t.Parallel()
	l := bootForAccess(t)
	l.serve(someOperator)
	t.Run("none", func(t *testing.T) { l.at(t).tryNothing(t) })
	for _, suite := range []struct {
		name string
		accessSuite
	}{
		{"NGINX Community", nginxSuite}, {"NGINX Enterprise", enterpriseSuite}, {"Traefik", traefikSuite}, {"AWS ALB", albSuite},
		{"Istio", istioSuite}, {"a mesh", meshSuite}, {"Ambassador", ambassadorSuite}, {"the Gateway API", gatewaySuite},
	} {
		t.Run(suite.name, func(t *testing.T) { l.tryAccess(t, suite.accessSuite) })
	}
}

// tryNothing looks at a cluster in which nobody serves anything.
func (l *lab) tryNothing(t *testing.T) {
	f := &fixture{t: t}
	f.addText(ingressClass("nginx", "k8s.io/ingress-nginx"))
	f.addText(ingressClass("haproxy", "haproxy.org/ingress-controller"))
	f.addText(ingress("shop", "web", "haproxy", "shop.acme.onion", "/webhooks"))
	l.apply(f)
	t.Cleanup(func() { l.remove(f.objects...) })
	for _, test := range []struct {
		name, access string
		bad          map[string]string
	}{
		{"a class without its controller", ingressOverHTTP, map[string]string{"ingress.controller": "fail"}},
		{"a controller that is not known", ofClass("haproxy"), map[string]string{"ingress.class": "warn", "ingress.controller": "skip"}},
		{"a controller that is not known, and its host", "{mode: ingress, ingress: {host: shop.acme.onion, class: haproxy, protocol: http}}",
			map[string]string{"ingress.class": "warn", "ingress.controller": "skip", "ingress.host-free": "fail"}},
		{"no such class", ofClass("traefik"), map[string]string{"ingress.class": "fail"}},
		{"no Istio", meshOverHTTPS, map[string]string{"mesh.installed": "fail"}},
		{"another mesh", "{mode: mesh, mesh: {url: \"https://" + runtimeHost + "\"}}", map[string]string{"mesh.installed": "warn"}},
		{"no Gateway API", gatewayOverHTTPS, map[string]string{"gateway.api": "fail"}},
	} {
		l.judge("check", "--file", l.accessAnswers(test.access, "")).expect(t, test.name, test.bad)
	}
}

// ofClass is access by plain http through an ingress class.
func ofClass(name string) string {
	return "{mode: ingress, ingress: {host: " + runtimeHost + ", class: " + name + ", protocol: http}}"
}
