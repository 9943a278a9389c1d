package access

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// serving gives the Gateway other servers.
func serving(servers ...any) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) { c.Custom[istioGateways][0].Spec["servers"] = servers }
}

func TestMeshServer(t *testing.T) {
	simple := map[string]any{"mode": "SIMPLE", "credentialName": "runtime-tls"}
	mode := func(mode string) map[string]any { return map[string]any{"mode": mode, "credentialName": "runtime-tls"} }
	refused := map[string]check.Status{"mesh.server": failed, "mesh.credential": skipped}
	plain := func(change func(*facts.Cluster, *Want)) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) { w.Protocol = "http"; change(c, w) }
	}
	onPort := func(port int64, change func(*facts.Cluster, *Want)) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			w.Port = port
			c.Services[1].Ports = append(c.Services[1].Ports, facts.Port{Port: int32(port), Protocol: "TCP"})
			change(c, w)
		}
	}
	runPaths(t, Mesh, meshCluster, []brokenPath{
		{"another host", serving(server(443, "HTTPS", simple, "*.example.org")), refused, `[{"op":"add","path":"/spec/servers/0/hosts/-","value":"codefresh/runtime.example.com"}]`},
		{"another namespace", serving(server(443, "HTTPS", simple, "web/*.example.com", "./*")), refused, "/spec/servers/0/hosts/-"},
		{"no servers", serving(), refused, `"op":"add","path":"/spec/servers/-"`},
		{"the namespace by name", serving(server(443, "HTTPS", simple, "codefresh/*")), nil, ""},
		{"http only", serving(server(80, "HTTP", nil, "*")), refused, `"protocol":"HTTPS"`},
		{"TLS ends in front", func(c *facts.Cluster, w *Want) {
			serving(server(80, "HTTP", nil, "*"))(c, w)
			c.Services[1].Annotations = map[string]string{awsAnnotation + "ssl-cert": "arn:aws:acm:1"}
		}, nil, ""},
		{"TLS is handed through", serving(server(443, "HTTPS", mode("PASSTHROUGH"), "*")), refused, "tls.mode SIMPLE"},
		{"TLS without a mode is handed through", serving(server(443, "HTTPS", mode(""), "*")), refused, "tls.mode SIMPLE"},
		{"TLS to other clusters", serving(server(15443, "TLS", mode("AUTO_PASSTHROUGH"), "*")), refused, "another Gateway"},
		{"a TLS port without http", serving(server(443, "TLS", simple, "*")), refused, "protocol HTTPS"},
		{"only callers of the mesh", serving(server(443, "HTTPS", mode("ISTIO_MUTUAL"), "*")), refused, "SIMPLE"},
		{"callers with certificates", serving(server(443, "HTTPS", mode("MUTUAL"), "*")), only("mesh.server", warned), "SIMPLE"},
		{"another port", serving(server(8443, "HTTPS", simple, "*")), only("mesh.server", warned), "443"},
		{"the URL's own port", onPort(8443, serving(server(443, "HTTPS", simple, "*"), server(8443, "HTTPS", simple, "*"))), nil, ""},
		{"not the URL's own port", onPort(8443, serving(server(443, "HTTPS", simple, "*"))), only("mesh.server", warned), "listen on 8443"},
		{"the better of two", serving(server(443, "HTTPS", mode("PASSTHROUGH"), "*"), server(443, "HTTPS", simple, "runtime.example.com")), nil, ""},
		{"http is asked for", plain(serving(server(80, "HTTP", nil, "*"))), nil, ""},
		{"http is redirected", plain(serving(server(80, "HTTP", map[string]any{"httpsRedirect": true}, "*"))), refused, "--access.mesh.url https://"},
		{"http on another port", plain(serving(server(8080, "HTTP2", nil, "*"))), only("mesh.server", warned), "80"},
		{"https where http is asked for", plain(serving(server(443, "HTTPS", simple, "*"))), refused, "--access.mesh.url https://"},
		{"http for another host", plain(serving(server(80, "HTTP", nil, "other.example.com"))), refused, "/spec/servers/0/hosts/-"},
		{"no URL yet", func(_ *facts.Cluster, w *Want) { w.Host = "" }, map[string]check.Status{"mesh.server": skipped, "mesh.credential": skipped, "mesh.host-free": skipped}, ""},
		{"the Secret is missing", func(c *facts.Cluster, _ *Want) { c.Secrets[inIstioSystem("runtime-tls")] = false }, only("mesh.credential", failed), "kubectl -n istio-system create secret tls runtime-tls"},
		{"the Secret is elsewhere", func(c *facts.Cluster, _ *Want) {
			c.Secrets = map[facts.Name]bool{{Namespace: "codefresh", Name: "runtime-tls"}: true, inIstioSystem("runtime-tls"): false}
		}, only("mesh.credential", failed), "create secret tls"},
		{"the Secret was not looked for", func(c *facts.Cluster, _ *Want) { c.Secrets = nil }, only("mesh.credential", skipped), ""},
		{"no certificate", serving(server(443, "HTTPS", map[string]any{"mode": "SIMPLE"}, "*")), only("mesh.credential", failed), "tls.credentialName"},
		{"a certificate in a file", serving(server(443, "HTTPS", map[string]any{"mode": "SIMPLE", "serverCertificate": "/etc/cert.pem"}, "*")), only("mesh.credential", skipped), ""},
		{"several certificates", serving(server(443, "HTTPS", map[string]any{"mode": "SIMPLE", "credentialNames": []any{"kubernetes://runtime-tls"}}, "*")), nil, ""},
	})
}

func TestVirtualService(t *testing.T) {
	cluster, want := meshCluster()
	route := func(path string) map[string]any {
		return map[string]any{"match": []any{map[string]any{"uri": map[string]any{"prefix": path}}},
			"route": []any{map[string]any{"destination": map[string]any{"host": "internal-router", "port": map[string]any{"number": int64(80)}}}}}
	}
	expected := map[string]any{
		"apiVersion": "networking.istio.io/v1", "kind": "VirtualService", "metadata": map[string]any{"name": "internal-router", "namespace": "codefresh"},
		"spec": map[string]any{"hosts": []any{"runtime.example.com"}, "gateways": []any{"istio-system/public"}, "http": []any{route("/webhooks"), route("/workflows"), route("/app-proxy")}},
	}
	if diff := cmp.Diff(expected, VirtualService(cluster, want)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want.WorkflowsDisabled = true
	cluster.Custom = nil
	meshSays(`defaultVirtualServiceExportTo: ["."]`)(&cluster, &want)
	got := VirtualService(cluster, want)
	spec := dig[map[string]any](got, "spec")
	if got["apiVersion"] != "networking.istio.io/v1beta1" || len(digList(spec, "http")) != 2 || !slices.Equal(digTexts(spec, "exportTo"), []string{"*"}) {
		t.Errorf("%v", got)
	}
	// The route that was built is not in its own way, and takes every path.
	cluster, want = meshCluster()
	built := VirtualService(cluster, want)
	cluster.Custom[istioVirtualServices] = []facts.Custom{{Meta: facts.Meta{Name: facts.Name{Namespace: "web", Name: "copy"}}, Version: "v1", Spec: dig[map[string]any](built, "spec")}}
	if got := checkOf(t, Mesh(cluster, want), "mesh.host-free"); got.Status != check.Fail {
		t.Errorf("a copy of the route in another namespace is %s", got.Status)
	}
}

func TestMeshOffers(t *testing.T) {
	cluster, _ := meshCluster()
	cluster.Custom[istioGateways] = append(cluster.Custom[istioGateways], meshGatewayOf("edge/none", map[string]any{"istio": "edge"}))
	expected := []Offer{{"edge/none", "no hosts"}, {"istio-system/public", "*.example.com, 203.0.113.7"}}
	if diff := cmp.Diff(expected, MeshGateways(cluster)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cluster.Custom[istioGateways] = append(cluster.Custom[istioGateways], meshGatewayOf("web/second", map[string]any{"istio": "ingressgateway"},
		server(443, "HTTPS", map[string]any{"credentialName": "b"}, "*"), server(444, "HTTPS", map[string]any{"credentialName": "b"}, "*")))
	if diff := cmp.Diff([]facts.Name{inIstioSystem("b"), inIstioSystem("runtime-tls")}, MeshSecretsWanted(cluster)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
