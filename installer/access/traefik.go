package access

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// The spec.controller of Traefik's own classes, and its two providers that
// take Ingresses, in its own spelling.
const (
	traefikClass    = "traefik.io/ingress-controller"
	ingressProvider = "providers.kubernetesIngress"
	nginxProvider   = "providers.kubernetesIngressNGINX"
)

// traefik takes its own classes, and those of ingress-nginx through a provider
// that stands in for it.
var traefik = Controller{
	ID: "traefik", Name: "Traefik",
	Classes: []string{traefikClass, "k8s.io/ingress-nginx*"},
	Images: []*regexp.Regexp{
		regexp.MustCompile(`(^|/)(mirrored-library-|hardened-)?traefik$`),
		regexp.MustCompile(`(^|/)(traefik-hub|traefikee)$`),
	},
	Recognise:  startedAsTraefik,
	Chart:      Chart{Name: "traefik", Repository: "https://traefik.github.io/charts"},
	Annotates:  "service.annotations",
	Install:    "helm upgrade --install traefik traefik --repo https://traefik.github.io/charts --namespace traefik --create-namespace",
	Bound:      withStaticConfig(traefikBound),
	Watches:    withStaticConfig(traefikWatches),
	Service:    traefikService,
	Status:     withStaticConfig(traefikStatus),
	ConfigMaps: traefikConfigMaps,
	Extra: []Rule{
		{ID: "ingress.https-entrypoint", Title: "An entrypoint for https", Judge: withStaticConfig(httpsEntryPoint)},
		{ID: "ingress.empty-services", Title: "Routes without endpoints", Judge: withStaticConfig(emptyServices)},
		{ID: "ingress.default-certificate", Title: "The certificate without a Secret", Judge: withStaticConfig(defaultCertificate)},
		{ID: "ingress.acme", Title: "Certificates of several replicas", Judge: withStaticConfig(acmeReplicas)},
	},
	Looks: traefikLooks,
}

var traefikLooks = []Look{
	{"ingress.bound", "the provider `kubernetesIngress` is on, reads IngressClasses and takes the class; for a class of ingress-nginx, `kubernetesIngressNGINX` is on and takes it", "its arguments, file or variables, the chart's `providers.kubernetesIngress`, or another class"},
	{"ingress.watched", "its `namespaces` and its `labelSelector` let the runtime's Ingress through", "the namespace on the list; `access.ingress.labels`"},
	{"ingress.status", "it reports an address: that of a Service which exists, is watched and has one, or one that is written down", "`ingressEndpoint.publishedService`, or `ip` where no Service has an address; the chart's `publishedService.enabled`"},
	{"ingress.https-entrypoint", "an entrypoint for https has TLS, or the Ingress brings it", "`access.ingress.annotations` or `access.ingress.tlsSecret`"},
	{"ingress.empty-services", "`allowEmptyServices` is on: the runtime answers 503 and not 404 while it starts", "`providers.kubernetesIngress.allowEmptyServices`"},
	{"ingress.default-certificate", "the Ingress, a resolver or the TLSStore `default` brings a certificate", "`access.ingress.tlsSecret`, or a TLSStore"},
	{"ingress.acme", "no two replicas get certificates by ACME", "cert-manager, or one replica"},
}

// startedAsTraefik recognises images of people's own.
func startedAsTraefik(w facts.Workload) bool {
	flags := parseFlags(w.Containers[0], w.Namespace, true)
	return slices.ContainsFunc(flags.list, func(f flag) bool {
		return strings.HasPrefix(strings.ToLower(f.name), strings.ToLower(ingressProvider))
	})
}

// byNginx reports whether the class is served by the provider that stands in
// for ingress-nginx. It can be given Traefik's own classes too.
func byNginx(s Site, c staticConfig) bool {
	return s.Class.Controller != traefikClass || (!c.has(ingressProvider) && c.has(nginxProvider) && nginxTakes(s, c))
}

func traefikBound(s Site, c staticConfig) Verdict {
	class, only := s.Class.Meta.Name.Name, c.text(ingressProvider+".ingressClass")
	switch {
	case byNginx(s, c):
		return nginxBound(s, c)
	case !c.has(ingressProvider):
		return mendTraefik(s, c, fail("%s takes no Ingresses", s.At()).why("Its provider kubernetesIngress is off."), traefikChange{
			title: "let Traefik take Ingresses", static: []setting{{ingressProvider, emptySection{}}}, chart: []setting{{ingressProvider + ".enabled", true}}})
	case only != "" && only != class:
		return otherClass(s, c, only)
	case c.on(ingressProvider + ".disableClusterScopeResources"), c.on(ingressProvider + ".disableIngressClassLookup"):
		return classesUnread(s, c)
	}
	return pass("%s takes Ingresses of class %s", s.At(), class).evidence("%s", c)
}

// otherClass tells of a Traefik that takes one class only. To open it is safe
// where no other Traefik could be meant.
func otherClass(s Site, c staticConfig, only string) Verdict {
	v := fail("%s takes the class %s only", s.At(), only).why("Its ingressClass says so; Ingresses of %s are passed over.", s.Class.Meta.Name.Name)
	other, found := s.Cluster.Class(only)
	if found && other.Controller == traefikClass {
		return v.fix("Choose that class: --access.ingress.class %s", only).evidence("%s", c)
	}
	if len(s.Controller.sitesOf(s.Cluster, s.Want)) > 1 {
		return v.fix("Make an IngressClass %s with the controller %s and choose it: --access.ingress.class %s", only, traefikClass, only).evidence("%s", c)
	}
	return mendTraefik(s, c, v, traefikChange{title: "let Traefik take all of its classes",
		static: []setting{{ingressProvider + ".ingressClass", nil}}, chart: []setting{{ingressProvider + ".ingressClass", ""}}})
}

func classesUnread(s Site, c staticConfig) Verdict {
	v := fail("%s reads no IngressClasses", s.At()).why("It then passes over every Ingress that names its class, as the runtime's does.")
	change := traefikChange{title: "let Traefik read IngressClasses", chart: []setting{{"rbac.namespaced", false}},
		also: "Its service account must be allowed to read IngressClasses and nodes of the cluster."}
	for _, key := range []string{".disableClusterScopeResources", ".disableIngressClassLookup"} {
		if c.on(ingressProvider + key) {
			change.static = append(change.static, setting{ingressProvider + key, nil})
		}
	}
	return mendTraefik(s, c, v, change)
}

// traefikService prefers the Service whose address Traefik reports.
func traefikService(s Site) (facts.Service, bool) {
	if c, err := readStaticConfig(s); err == nil {
		for _, key := range []string{ingressProvider + ".ingressEndpoint.publishedService", nginxProvider + ".publishService"} {
			if service, found := s.Cluster.Service(facts.ParseName(c.text(key), s.Workload.Namespace)); found {
				return service, true
			}
		}
	}
	return ServiceOf(s.Cluster, s.Workload.Namespace, s.Workload.PodLabels)
}

var versionTag = regexp.MustCompile(`^v?(\d{1,4})\.(\d{1,4})`)

// traefikSince reports whether Traefik is of a version or newer. Tags without
// a minor version and the numbers of its other editions tell nothing.
func traefikSince(s Site, major, minor int) (since, known bool) {
	image := s.Program().Image
	found := versionTag.FindStringSubmatch(imageTag(image))
	if found == nil || !strings.HasSuffix(imageName(image), "traefik") {
		return false, false
	}
	gotMajor, _ := strconv.Atoi(found[1])
	gotMinor, _ := strconv.Atoi(found[2])
	return gotMajor > major || (gotMajor == major && gotMinor >= minor), true
}
