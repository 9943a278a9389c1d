package access

import (
	"maps"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// The annotations by which an Ingress tells Traefik about TLS.
const (
	routerTLS         = "traefik.ingress.kubernetes.io/router.tls"
	routerEntryPoints = "traefik.ingress.kubernetes.io/router.entrypoints"
	routerResolver    = "traefik.ingress.kubernetes.io/router.tls.certresolver"
)

// entryPoint is a port that Traefik listens on.
type entryPoint struct {
	name     string
	port     string
	tls      bool // routers have TLS without asking for it
	standard bool // routers that name none get it
	resolver string
}

func entryPoints(c staticConfig) []entryPoint {
	names := map[string]bool{}
	for key := range c.values {
		if rest, found := strings.CutPrefix(key, "entrypoints."); found {
			name, _, _ := strings.Cut(rest, ".")
			names[name] = true
		}
	}
	var points []entryPoint
	for _, name := range slices.Sorted(maps.Keys(names)) {
		key := "entrypoints." + name
		address, protocol, _ := strings.Cut(c.text(key+".address"), "/")
		if strings.EqualFold(protocol, "udp") {
			continue
		}
		points = append(points, entryPoint{name: name, port: address[strings.LastIndex(address, ":")+1:], tls: c.has(key + ".http.tls"),
			standard: c.on(key + ".asDefault"), resolver: c.text(key + ".http.tls.certResolver")})
	}
	return points
}

// secure picks the entrypoints that https arrives at: by TLS, by port, or by
// the name of the Service's port. Only of standard ones, where there are any.
func secure(s Site, c staticConfig) (points []entryPoint, hidden []entryPoint) {
	all := entryPoints(c)
	chosen := slices.ContainsFunc(all, func(e entryPoint) bool { return e.standard })
	for _, e := range all {
		byName := slices.ContainsFunc(s.Service.Ports, func(p facts.Port) bool { return p.Port == 443 && strings.EqualFold(p.Name, e.name) })
		switch {
		case !e.tls && e.port != "443" && e.port != "8443" && !byName:
		case chosen && !e.standard:
			hidden = append(hidden, e)
		default:
			points = append(points, e)
		}
	}
	return points, hidden
}

func httpsEntryPoint(s Site, c staticConfig) Verdict {
	if s.Want.Protocol == "http" {
		return skip("the runtime is served over http")
	}
	points, hidden := secure(s, c)
	named := s.Want.Annotations[routerEntryPoints] != ""
	if named {
		points = slices.Concat(points, hidden)
	}
	withTLS := slices.IndexFunc(points, func(e entryPoint) bool { return e.tls })
	switch {
	case len(points) == 0 && len(hidden) > 0:
		return warn("entrypoint %s is not one that routes get by default", hidden[0].name).why("The runtime would answer on other ports only, and with 404 over https.").evidence("%s", c).
			fix("Name the entrypoint: --access.ingress.annotations %s=%s", routerEntryPoints, hidden[0].name)
	case len(points) == 0:
		return warn("%s has no entrypoint for https", s.At()).why("Nothing answers on port 443.").evidence("%s", c).
			fix("Add one, and let port 443 of its Service lead to it: --entrypoints.websecure.address=:8443 --entrypoints.websecure.http.tls=true")
	case withTLS >= 0:
		return pass("entrypoint %s has TLS", points[withTLS].name).evidence("port %s; %s", points[withTLS].port, c)
	case s.Want.TLSSecret != "" || s.Want.Annotations[routerTLS] == "true":
		return pass("the Ingress brings TLS to entrypoint %s", points[0].name).evidence("port %s; %s", points[0].port, c)
	case byNginx(s, c):
		return warn("entrypoint %s has no TLS by itself", points[0].name).why("The runtime would answer with 404 over https.").evidence("%s", c).
			fix("Name the Secret with its certificate: --access.ingress.tlsSecret SECRET")
	}
	return warn("entrypoint %s has no TLS by itself", points[0].name).why("The runtime would answer with 404 over https.").evidence("%s", c).
		fix("Let the Ingress ask for it: --access.ingress.annotations %s=true; or name the Secret with its certificate: --access.ingress.tlsSecret SECRET", routerTLS)
}

// emptyServices warns of a gap that closes by itself.
func emptyServices(s Site, c staticConfig) Verdict {
	key := ingressProvider + ".allowEmptyServices"
	switch {
	case byNginx(s, c):
		return pass("routes without endpoints answer with 503")
	case !c.has(ingressProvider):
		return skip("%s takes no Ingresses at all", s.At())
	case c.on(key):
		return pass("routes without endpoints answer with 503").evidence("%s", c)
	}
	return mendTraefik(s, c, warn("the runtime answers with 404 until its router is ready").
		why("%s skips routes without endpoints. That passes by itself.", s.At()),
		traefikChange{title: "let Traefik keep routes without endpoints", static: []setting{{key, true}}, chart: []setting{{key, true}}})
}

// defaultCertificate tells which certificate the host gets where its Ingress
// names none.
func defaultCertificate(s Site, c staticConfig) Verdict {
	if s.Want.Protocol == "http" {
		return skip("the runtime is served over http")
	}
	points, hidden := secure(s, c)
	points = slices.Concat(points, hidden)
	resolving := slices.IndexFunc(points, func(e entryPoint) bool { return e.resolver != "" })
	missing, read := s.Cluster.Could("tlsstores.traefik.io")
	store, found := defaultStore(s, c)
	switch {
	case s.Want.TLSSecret != "":
		return pass("the Ingress brings the certificate of Secret %s", s.Want.TLSSecret)
	case s.Want.Annotations[routerResolver] != "":
		return pass("resolver %s gets the certificate", s.Want.Annotations[routerResolver])
	case resolving >= 0:
		return pass("resolver %s gets the certificate", points[resolving].resolver).evidence("entrypoint %s", points[resolving].name)
	case found:
		return pass("the certificate is that of TLSStore %s", store.Meta.Name)
	case !read:
		return unread(missing)
	}
	return warn("%s may serve its own certificate, TRAEFIK DEFAULT CERT", s.At()).why("Neither the Ingress, nor a resolver, nor a TLSStore called default brings one; Codefresh trusts only a certificate of a public authority.").
		fix("Name the Secret with the certificate: --access.ingress.tlsSecret SECRET; or give Traefik a TLSStore called default. A load balancer that ends TLS itself needs neither.")
}

// defaultStore finds the TLSStore with Traefik's default certificate, which is
// read only with the provider for its own kinds.
func defaultStore(s Site, c staticConfig) (facts.Custom, bool) {
	for _, store := range s.Cluster.Custom["tlsstores.traefik.io"] {
		given := digText(store.Spec, "defaultCertificate", "secretName") != "" || len(dig[map[string]any](store.Spec, "defaultGeneratedCert")) > 0
		if store.Meta.Name.Name == "default" && given && c.has("providers.kubernetesCRD") {
			return store, true
		}
	}
	return facts.Custom{}, false
}

// acmeReplicas warns of replicas that get certificates each for itself. Only
// Traefik's other editions share them.
func acmeReplicas(s Site, c staticConfig) Verdict {
	replicas := max(s.Workload.Wanted, s.Workload.Ready)
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		rest, resolver := strings.CutPrefix(key, "certificatesresolvers.")
		name, acme, _ := strings.Cut(rest, ".")
		if !resolver || !strings.HasPrefix(acme, "acme") || replicas < 2 || !strings.HasSuffix(imageName(s.Program().Image), "traefik") {
			continue
		}
		return warn("%d replicas get certificates by resolver %s, each for itself", replicas, name).why("Traefik does not share them among replicas: challenges fail, and the authority's limits are soon reached.").
			fix("Let cert-manager get the certificate, and name its Secret: --access.ingress.tlsSecret SECRET; or run one replica.").evidence("%s", c)
	}
	return pass("no replicas compete for certificates")
}
