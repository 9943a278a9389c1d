package e2e

import (
	"strings"
	"testing"
)

var gatewayRoutes = customKind{"httproutes", "HTTPRoute", "gateway.networking.k8s.io", "v1", "Namespaced"}

// The items of every way in, on one runtime: the answers say how it is reached,
// and the objects of that way are made and unmade by hand.
func TestChecklistOfEveryWayIn(t *testing.T) {
	t.Parallel()
	s := boot(t)
	s.must("cfwizard", "install", "-f", s.answers(""), "--yes")
	l := newLab(s)
	for _, controller := range []struct{ id, more string }{
		{"nginx", ""}, {"nginx-enterprise", "ingress-tls"}, {"traefik", ""}, {"alb", "dns-alias"}, {"istio", ""}, {"ambassador", ""},
	} {
		t.Run(controller.id, func(t *testing.T) { checklistIngress(t, s.within(t), controller.id, controller.more) })
	}
	t.Run("mesh", func(t *testing.T) { checklistMesh(t, s.within(t), l) })
	t.Run("gateway", func(t *testing.T) { checklistGateway(t, s.within(t), l) })
	t.Run("existing Argo CD, additional runtime", func(t *testing.T) {
		s := s.within(t)
		s.scenario("codefresh.name-taken=other")
		defer s.scenario("healthy")
		file := s.answers("argocd: {mode: existing, namespace: codefresh, server: argo-cd-server, repoServer: argo-cd-repo-server, auth: {env: ARGOCD_TOKEN}}\n")
		s.checklist("-f", file).holds(t, "rollouts")
	})
}

// checklistIngress makes the Ingress that the chart would, and gives it an
// address as its controller would.
func checklistIngress(t *testing.T, s *sandbox, controller, more string) {
	s.t = t
	file := s.answers("access: {mode: ingress, ingress: {host: " + runtimeHost + ", class: web, controller: " + controller + ", protocol: https}}\n")
	s.checklist("-f", file).expect(t, map[string]string{"ingress-status": "failed"})
	ingress := "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: codefresh-gitops-runtime, namespace: codefresh}\n" +
		"spec: {ingressClassName: web, rules: [{host: " + runtimeHost + "}]}"
	if r := s.runWith(ingress, "kubectl", "apply", "-f", "-"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	defer s.must("kubectl", "--namespace", "codefresh", "delete", "ingress", "codefresh-gitops-runtime")
	list := s.checklist("-f", file)
	list.holds(t, "shared-config argocd-admin-password ingress-status "+more)
	list.expect(t, map[string]string{"ingress-status": "waiting"})
	s.must("kubectl", "--namespace", "codefresh", "patch", "ingress", "codefresh-gitops-runtime", "--subresource=status", "--type=merge",
		"--patch", `{"status":{"loadBalancer":{"ingress":[{"hostname":"k8s-x-1.eu-west-1.elb.amazonaws.com"}]}}}`)
	list = s.checklist("-f", file)
	list.expect(t, map[string]string{"ingress-status": "done"})
	for _, item := range list.Items {
		if item.ID == "dns-alias" && (item.State != "to do" || !strings.Contains(item.Command, "--region eu-west-1")) {
			t.Errorf("the alias is %s: %s", item.State, item.Command)
		}
		if item.ID == "ingress-tls" && (item.State != "to do" || !strings.Contains(item.Command, "global.runtime.ingress.tls")) {
			t.Errorf("the certificate is %s: %s", item.State, item.Command)
		}
	}
}

func checklistMesh(t *testing.T, s *sandbox, l *lab) {
	l.serve(istioGateways, istioVirtualServices)
	f := loadFixture(t, "istio", with("mesh"))
	l.apply(f)
	t.Cleanup(func() { l.remove(f.objects...) })
	file := s.answers("access: " + meshOverHTTPS + "\n")
	list := s.checklist("-f", file)
	list.holds(t, "shared-config argocd-admin-password virtual-service dns")
	list.expect(t, map[string]string{"virtual-service": "to do", "dns": "to do"})
	s.scenario("codefresh.app-proxy-http-status=404")
	s.checklist("-f", file, "--do", "virtual-service", "--yes", "--every", "200ms", "--wait", "1s").expect(t, map[string]string{"virtual-service": "waiting"})
	s.scenario("healthy")
	s.checklist("-f", file).expect(t, map[string]string{"virtual-service": "done"})
	s.must("kubectl", "--namespace", "codefresh", "delete", "virtualservices.networking.istio.io", "internal-router")
	list = s.checklist("-f", file)
	list.expect(t, map[string]string{"virtual-service": "to do"})
	for _, item := range list.Items {
		if item.ID == "virtual-service" { // by hand, as it is printed
			if r := s.runWith(item.Command, "/bin/sh", "-s"); r.code != 0 {
				t.Fatalf("the printed command ended with %d\n%s\n%s", r.code, item.Command, r.stderr)
			}
		}
	}
	s.checklist("-f", file).expect(t, map[string]string{"virtual-service": "done"})
}

func checklistGateway(t *testing.T, s *sandbox, l *lab) {
	l.serve(gatewayClasses, gatewayGateways, gatewayRoutes)
	file := s.answers("access: {mode: gateway, gateway: {parent: infra/public, host: " + runtimeHost + "}}\n")
	list := s.checklist("-f", file)
	list.holds(t, "shared-config argocd-admin-password gateway-route dns")
	list.expect(t, map[string]string{"gateway-route": "failed"})
	route := func(conditions string) *fixture {
		f := &fixture{t: t}
		f.addText("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: codefresh-gitops-runtime, namespace: codefresh}\nspec: {}\nstatus: {parents: [" + conditions + "]}")
		return f
	}
	for _, c := range []struct{ conditions, want string }{
		{"", "waiting"},
		{"{conditions: [{type: Accepted, status: \"False\", message: no listener}]}", "failed"},
		{"{conditions: [{type: Accepted, status: \"True\"}, {type: ResolvedRefs, status: \"True\"}]}", "done"},
		{"{conditions: [{type: Accepted, status: \"True\"}, {type: ResolvedRefs, status: \"False\", message: no Service}]}", "failed"},
	} {
		l.apply(route(c.conditions))
		s.checklist("-f", file).expect(t, map[string]string{"gateway-route": c.want})
	}
	l.remove(route("").objects...)
}
