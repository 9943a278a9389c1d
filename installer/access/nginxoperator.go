package access

import (
	"encoding/json"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// nginxOperators are the two generations of the operator of NGINX Enterprise,
// by the kind that owns its workloads. Resources are named in full: Azure has
// a kind of the same name.
var nginxOperators = map[string]struct {
	resource string
	path     func(value string) string // of a value of the chart, in the spec
}{
	"NginxIngress":           {"nginxingresses.charts.nginx.org", func(value string) string { return value }},
	"NginxIngressController": {"nginxingresscontrollers.k8s.nginx.org", firstGeneration},
}

// firstGeneration translates a value of the chart for the operator up to 0.5.1,
// which had words of its own.
func firstGeneration(value string) string {
	path := strings.TrimPrefix(value, "controller.")
	if key, entry := strings.CutPrefix(path, "config.entries."); entry {
		return "configMapData." + key
	}
	switch path {
	case "ingressClass.name":
		return "ingressClass"
	case "reportIngressStatus.enable", "reportIngressStatus.externalService", "watchNamespace":
		return path
	}
	return ""
}

// operatorCommand is the change of the operator's own object that does what
// values of the chart do. It is empty where no operator owns the workload, or
// where it knows no such setting.
func operatorCommand(w facts.Workload, values map[string]string) string {
	kind, name, _ := strings.Cut(w.Meta.Controller, "/")
	operator, known := nginxOperators[kind]
	if !known {
		return ""
	}
	spec := map[string]string{}
	for key, value := range values {
		if path := operator.path(key); path != "" {
			spec[path] = value
		}
	}
	if len(spec) == 0 {
		return ""
	}
	return mergePatch(w.Namespace, operator.resource, name, map[string]any{"spec": nested(spec)})
}

// mergePatch is the command that merges a patch into an object.
func mergePatch(namespace, resource, name string, patch map[string]any) string {
	body, err := json.Marshal(patch)
	if err != nil {
		return ""
	}
	return strings.Join([]string{"kubectl -n", text.Quote(namespace), "patch", resource, text.Quote(name), "--type=merge -p", text.Quote(string(body))}, " ")
}
