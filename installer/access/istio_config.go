package access

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

var (
	istiodImage     = regexp.MustCompile(`(^|/)(pilot|istiod)(-(distroless|fips|debug))*$`)
	istioProxyImage = regexp.MustCompile(`(^|/)proxyv2(-(distroless|fips|debug))*$`)
)

// istiods are the mesh's control planes.
func istiods(cluster facts.Cluster) []facts.Workload {
	var found []facts.Workload
	for _, w := range cluster.Workloads {
		if slices.ContainsFunc(w.Containers, func(c facts.Container) bool { return istiodImage.MatchString(imageName(c.Image)) }) {
			found = append(found, w)
		}
	}
	return found
}

// isIstioGateway tells a gateway from a sidecar: it is started as a router, or
// is an empty shell that Istio fills in.
func isIstioGateway(w facts.Workload) bool {
	return slices.ContainsFunc(w.Containers, func(c facts.Container) bool {
		return c.Image == "auto" || istioProxyImage.MatchString(imageName(c.Image)) && slices.Contains(c.Args, "router")
	})
}

// istiodVariable is a variable of istiod's container.
func istiodVariable(istiod facts.Workload, name string) string {
	for _, c := range istiod.Containers {
		if value := c.Env[name]; value != "" && istiodImage.MatchString(imageName(c.Image)) {
			return text.Line(expand("$("+name+")", c, istiod.Namespace))
		}
	}
	return ""
}

// ingressNamespace is where istiod looks for the gateway's Service.
func ingressNamespace(istiod facts.Workload) string {
	return cmp.Or(istiodVariable(istiod, "K8S_INGRESS_NS"), "istio-system")
}

// meshSettings are the parts of the mesh's configuration that decide over
// Ingresses and namespaces.
type meshSettings struct {
	Service   string           `yaml:"ingressService"`
	Selector  string           `yaml:"ingressSelector"`
	Mode      string           `yaml:"ingressControllerMode"`
	Discovery []map[string]any `yaml:"discoverySelectors"`
	Export    []string         `yaml:"defaultVirtualServiceExportTo"`
}

// meshConfigName is where the configuration of a control plane is kept: one
// for each revision.
func meshConfigName(istiod facts.Workload) facts.Name {
	name := "istio"
	if revision := cmp.Or(istiodVariable(istiod, "REVISION"), istiod.Labels["istio.io/rev"], "default"); revision != "default" {
		name += "-" + revision
	}
	return facts.Name{Namespace: istiod.Namespace, Name: name}
}

// meshSettingsOf reads them, with Istio's defaults. missing says why they are
// not known.
func meshSettingsOf(cluster facts.Cluster, istiod facts.Workload) (settings meshSettings, missing string) {
	settings.Service = "istio-ingressgateway"
	name := meshConfigName(istiod)
	if unseen, all := cluster.Could("config map " + name.String()); !all {
		return settings, unseen.String()
	}
	data, _ := cluster.ConfigMap(name)
	var written meshSettings
	if err := yaml.Unmarshal([]byte(data["mesh"]), &written); err != nil {
		return settings, "the mesh's configuration in ConfigMap " + name.String() + " could not be understood"
	}
	written.Service, written.Selector = cmp.Or(text.Line(written.Service), settings.Service), text.Line(written.Selector)
	return written, ""
}

// gatewayLabel is the value of the label istio by which Istio's own Gateway for
// Ingresses selects pods.
func (m meshSettings) gatewayLabel() string {
	if m.Selector != "" {
		return m.Selector
	}
	if m.Service != "istio-ingressgateway" {
		return m.Service
	}
	return "ingressgateway"
}

// meshWatches says whether the control plane looks into the runtime's
// namespace. Selectors that are listed count one by one.
func meshWatches(cluster facts.Cluster, want Want, istiod facts.Workload) Verdict {
	settings, missing := meshSettingsOf(cluster, istiod)
	switch {
	case missing != "":
		return skip("%s", missing)
	case len(settings.Discovery) == 0:
		return pass("istiod sees all namespaces")
	case want.NamespaceUnknown:
		return skip("not allowed to read the labels of namespace %s, which the mesh selects by", want.Namespace)
	}
	for _, selector := range settings.Discovery {
		if selectsNamespace(want, selector) {
			return pass("istiod sees namespace %s", want.Namespace).evidence("discoverySelectors %s", selectorWords(selector))
		}
	}
	return fail("istiod does not look into namespace %s", want.Namespace).why("meshConfig.discoverySelectors leave it out.").
		fix("%s", joinSelector(want, settings.Discovery[0])).evidence("discoverySelectors %s", selectorWords(settings.Discovery[0]))
}

// changeMesh tells how settings of the mesh are changed, in its owner's way.
func changeMesh(s Site, settings map[string]string) string {
	values, lines := map[string]string{}, []string{}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		values["meshConfig."+key] = settings[key]
		lines = append(lines, key+": "+settings[key])
	}
	if owner := s.Owner(); owner.Kind != "" {
		title := "set in the mesh's configuration " + strings.Join(lines, ", ")
		return Change{Chart: s.Controller.Chart, Values: values, Repair: check.Repair{Title: title}}.forOwner(owner)
	}
	name := meshConfigName(s.Workload)
	return "Set " + strings.Join(lines, " and ") + " under the key mesh: " + kubectl("edit", "configmap", name)
}

// setVariable says how a variable of a workload is set, or taken away where it
// ends with a dash: by whoever takes care of it, else by a command.
func setVariable(s Site, variable string) string {
	if owner := s.Owner(); owner.Kind != "" {
		return Change{Repair: check.Repair{Title: "set the variable " + variable + " of " + s.At()}}.forOwner(owner)
	}
	target := strings.ToLower(s.Workload.Kind) + "/" + s.Workload.Meta.Name.Name
	return "kubectl -n " + text.Quote(s.Workload.Namespace) + " set env " + text.Quote(target) + " " + text.Quote(variable)
}
