package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func TestTraefikHTTPSEntryPoint(t *testing.T) {
	noTLS := traefikWith(setting{"entryPoints.websecure.http.tls", nil})
	cases := map[string]struct {
		settings []setting
		want     func(*Want)
		status   check.Status
		says     string
	}{
		"TLS of its own":        {traefikGood(), func(*Want) {}, check.Pass, "entrypoint websecure has TLS"},
		"TLS with options only": {traefikWith(setting{"entryPoints.websecure.http.tls", nil}, setting{"entryPoints.websecure.http.tls.options", "modern"}), func(*Want) {}, check.Pass, "websecure"},
		"none":                  {noTLS, func(*Want) {}, check.Warn, "--access.ingress.annotations traefik.ingress.kubernetes.io/router.tls=true"},
		"by the Secret":         {noTLS, func(w *Want) { w.TLSSecret = "tls" }, check.Pass, "the Ingress brings TLS"},
		"by the annotation":     {noTLS, func(w *Want) { w.Annotations = map[string]string{routerTLS: "true"} }, check.Pass, "the Ingress brings TLS"},
		"no port":               {traefikWith(setting{"entryPoints.websecure", nil}), func(*Want) {}, check.Warn, "has no entrypoint for https"},
		"only QUIC":             {traefikWith(setting{"entryPoints.websecure", nil}, setting{"entryPoints.websecure.address", ":8443/udp"}), func(*Want) {}, check.Warn, "has no entrypoint for https"},
		"another default":       {traefikWith(setting{"entryPoints.web.asDefault", true}), func(*Want) {}, check.Warn, "router.entrypoints=websecure"},
		"another, but named": {traefikWith(setting{"entryPoints.web.asDefault", true}), func(w *Want) { w.Annotations = map[string]string{routerEntryPoints: "websecure"} },
			check.Pass, "websecure has TLS"},
		"both default": {traefikWith(setting{"entryPoints.web.asDefault", true}, setting{"entryPoints.websecure.asDefault", true}), func(*Want) {}, check.Pass, "websecure has TLS"},
		"http":         {noTLS, func(w *Want) { w.Protocol = "http" }, check.Skip, "over http"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := traefikWant()
			want.TLSSecret = ""
			c.want(&want)
			got := judged(t, traefikByArguments(c.settings...), want)["ingress.https-entrypoint"]
			if got.Status != c.status || !strings.Contains(got.Title+got.Fix, c.says) {
				t.Errorf("%s: %s\n%s", got.Status, got.Title, got.Fix)
			}
		})
	}
	want := nginxWant()
	want.TLSSecret = ""
	byName := traefikByArguments(traefikWith(setting{"entryPoints.websecure", nil}, setting{"entryPoints.edge.address", ":4443"})...)
	byName.Services[0].Ports[1].Name = "edge"
	if got := judged(t, byName, traefikWant())["ingress.https-entrypoint"]; got.Title != "the Ingress brings TLS to entrypoint edge" {
		t.Errorf("by the name of the Service's port: %s", got.Title)
	}
	got := judged(t, traefikByArguments(append(noTLS, setting{nginxProvider, emptySection{}})...), want)["ingress.https-entrypoint"]
	if got.Status != check.Warn || strings.Contains(got.Fix, routerTLS) || !strings.Contains(got.Fix, "--access.ingress.tlsSecret") {
		t.Errorf("in the place of ingress-nginx: %+v", got)
	}
}

func TestTraefikDefaultCertificate(t *testing.T) {
	store := func(name string, spec map[string]any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, _ *Want) {
			c.Custom = map[string][]facts.Custom{"tlsstores.traefik.io": {{Meta: facts.Meta{Name: facts.Name{Namespace: "traefik", Name: name}}, Spec: spec}}}
		}
	}
	named := map[string]any{"defaultCertificate": map[string]any{"secretName": "wildcard"}}
	cases := map[string]struct {
		given  func(*facts.Cluster, *Want)
		status check.Status
	}{
		"nothing":       {func(*facts.Cluster, *Want) {}, check.Warn},
		"a Secret":      {func(_ *facts.Cluster, w *Want) { w.TLSSecret = "tls" }, check.Pass},
		"a store":       {store("default", named), check.Pass},
		"an empty one":  {store("default", nil), check.Warn},
		"another one":   {store("other", named), check.Warn},
		"generated":     {store("default", map[string]any{"defaultGeneratedCert": map[string]any{"resolver": "le"}}), check.Pass},
		"an annotation": {func(_ *facts.Cluster, w *Want) { w.Annotations = map[string]string{routerResolver: "le"} }, check.Pass},
		"a resolver": {func(c *facts.Cluster, _ *Want) {
			traefikProgram(c).Args = append(traefikProgram(c).Args, "--entrypoints.websecure.http.tls.certresolver=le")
		}, check.Pass},
		"not read": {func(c *facts.Cluster, _ *Want) {
			c.Unread = []facts.Unread{{What: "tlsstores.traefik.io", Reason: facts.NotAllowed}}
		}, check.Skip},
		"not read by Traefik": {func(c *facts.Cluster, w *Want) {
			store("default", named)(c, w)
			traefikProgram(c).Args = withoutWords(traefikProgram(c).Args, "providers.kubernetescrd")
		}, check.Warn},
		"http": {func(_ *facts.Cluster, w *Want) { w.Protocol = "http" }, check.Skip},
	}
	for name, c := range cases {
		cluster, want := traefikByArguments(traefikGood()...), traefikWant()
		want.TLSSecret = ""
		c.given(&cluster, &want)
		if got := judged(t, cluster, want)["ingress.default-certificate"]; got.Status != c.status {
			t.Errorf("%s: %s, %s", name, got.Status, got.Title)
		}
	}
}

func TestTraefikReplicasWithACME(t *testing.T) {
	resolver := setting{"certificatesResolvers.le.acme.email", "ops@example.com"}
	cases := map[string]struct {
		replicas int32
		image    string
		settings []setting
		status   check.Status
	}{
		"one":                {1, "traefik:v3.6.2", []setting{resolver}, check.Pass},
		"three":              {3, "traefik:v3.6.2", []setting{resolver}, check.Warn},
		"three, no ACME":     {3, "traefik:v3.6.2", nil, check.Pass},
		"three, Tailscale":   {3, "traefik:v3.6.2", []setting{{"certificatesResolvers.ts.tailscale", emptySection{}}}, check.Pass},
		"three of Hub":       {3, "traefik/traefik-hub:v3.19", []setting{resolver}, check.Pass},
		"three of Rancher's": {3, "rancher/mirrored-library-traefik:3.6.2", []setting{resolver}, check.Warn},
	}
	for name, c := range cases {
		cluster := traefikByArguments(traefikWith(c.settings...)...)
		cluster.Workloads[0].Wanted, cluster.Workloads[0].Ready, traefikProgram(&cluster).Image = c.replicas, c.replicas, c.image
		if got := judged(t, cluster, traefikWant())["ingress.acme"]; got.Status != c.status {
			t.Errorf("%s: %s, %s", name, got.Status, got.Title)
		}
	}
}
