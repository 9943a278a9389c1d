package access

import (
	"maps"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// Want is what the runtime asks of its access path.
type Want struct {
	Release           string
	Namespace         string
	NamespaceLabels   map[string]string
	NamespaceUnknown  bool // it could not be read; a new namespace has no labels
	RuntimeName       string
	Class             string
	Host              string
	Protocol          string
	Port              int64 // where the runtime's URL names one
	TLSSecret         string
	Labels            map[string]string // of the Ingress, beyond the chart's own
	Annotations       map[string]string
	PrivatePlatform   bool   // Codefresh runs beside the cluster and not on the internet
	Gateway           string // NAMESPACE/NAME, for mesh and gateway modes
	WorkflowsDisabled bool
}

// IngressLabels are the labels that the runtime's Ingress will have.
func (w Want) IngressLabels() map[string]string {
	labels := map[string]string{
		"app": "codefresh-gitops-runtime", "app.kubernetes.io/part-of": "codefresh-gitops-runtime",
		"app.kubernetes.io/managed-by": "Helm", "codefresh.io/runtime-name": w.RuntimeName,
	}
	maps.Copy(labels, w.Labels)
	return labels
}

// Site is one controller's workload as it would serve the runtime's Ingress:
// all that a rule looks at.
type Site struct {
	Cluster    facts.Cluster
	Want       Want
	Controller Controller
	Class      facts.IngressClass
	Workload   facts.Workload
	Container  int // which of its containers is the controller
	Flags      Flags
	Service    facts.Service // the one that carries its traffic
	HasService bool
}

// Program is the controller's container.
func (s Site) Program() facts.Container { return s.Workload.Containers[s.Container] }

// At names the workload, for people.
func (s Site) At() string { return s.Workload.Kind + " " + s.Workload.Meta.Name.String() }

// Owner is who takes care of the workload.
func (s Site) Owner() facts.Owner { return s.Cluster.Owner(s.Workload.Meta) }

// sitesOf finds the workloads of a controller.
func (c Controller) sitesOf(cluster facts.Cluster, want Want) []Site {
	var sites []Site
	for _, w := range cluster.Workloads {
		index, found := c.programOf(w)
		if !found {
			continue
		}
		site := Site{Cluster: cluster, Want: want, Controller: c, Workload: w, Container: index}
		site.Flags = parseFlags(w.Containers[index], w.Namespace, c.ID == "traefik")
		site.Service, site.HasService = site.service()
		sites = append(sites, site)
	}
	return sites
}

// programOf finds the controller's container in a workload.
func (c Controller) programOf(w facts.Workload) (int, bool) {
	if len(w.Containers) == 0 {
		return 0, false
	}
	for i, container := range w.Containers {
		name := imageName(container.Image)
		for _, image := range c.Images {
			if image.MatchString(name) {
				return i, true
			}
		}
	}
	return 0, c.Recognise != nil && c.Recognise(w)
}

// imageName is an image without its tag and digest.
func imageName(image string) string {
	name, _, _ := strings.Cut(image, "@")
	if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
		name = name[:colon]
	}
	return name
}

// imageTag is an image's tag, or nothing.
func imageTag(image string) string {
	name, _, _ := strings.Cut(image, "@")
	if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
		return name[colon+1:]
	}
	return ""
}

// selects reports whether a selector picks these labels. An empty one picks
// nothing.
func selects(selector, labels map[string]string) bool {
	if len(selector) == 0 {
		return false
	}
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// beside are parts of the names of Services that carry no traffic of Ingresses.
var beside = []string{"-admission", "-webhook", "-metrics", "-admin", "-defaultbackend", "-internal"}

// service finds the Service that carries the workload's traffic.
func (s Site) service() (facts.Service, bool) {
	if s.Controller.Service != nil {
		return s.Controller.Service(s)
	}
	return ServiceOf(s.Cluster, s.Workload.Meta.Namespace, s.Workload.PodLabels)
}

// ServiceOf finds the Service in front of pods: it selects them, carries web
// traffic, and is the most outward one.
func ServiceOf(cluster facts.Cluster, namespace string, podLabels map[string]string) (facts.Service, bool) {
	var found []facts.Service
	for _, service := range cluster.Services {
		if service.Namespace != namespace || !selects(service.Selector, podLabels) || !carriesWeb(service) {
			continue
		}
		if slices.ContainsFunc(beside, func(part string) bool { return strings.HasSuffix(service.Meta.Name.Name, part) }) {
			continue
		}
		found = append(found, service)
	}
	if len(found) == 0 {
		return facts.Service{}, false
	}
	return slices.MinFunc(found, func(a, b facts.Service) int { return outwardness(a) - outwardness(b) }), true
}

func carriesWeb(s facts.Service) bool {
	return slices.ContainsFunc(s.Ports, func(p facts.Port) bool {
		return p.Port == 80 || p.Port == 443 || slices.Contains([]string{"http", "https", "http2", "web", "websecure"}, p.Name)
	})
}

func outwardness(s facts.Service) int {
	switch {
	case s.Type == "LoadBalancer":
		return 0
	case s.Type == "NodePort":
		return 1
	case len(s.ExternalIPs) > 0:
		return 2
	}
	return 3
}
