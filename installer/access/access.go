// Package access knows the ingress controllers: one file each, and a line in
// the registry. A controller says what values the chart needs for it.
package access

import (
	"slices"
	"strings"
)

// Controller is one kind of ingress controller.
type Controller struct {
	ID      string
	Name    string
	Classes []string // the spec.controller of its IngressClasses
	// Annotations that the runtime's Ingress needs, for a protocol.
	Annotations func(protocol string) map[string]string
	// NeedsTLSSecret: without spec.tls it does not serve the host over https.
	NeedsTLSSecret bool
	// AddressAfterInstall: the host can answer only once the Ingress is there,
	// so that the chart's check of the host would fail.
	AddressAfterInstall bool
}

// Controllers is the registry.
var Controllers = []Controller{nginxCommunity, nginxEnterprise, traefik, alb, istio, ambassador}

// ByID finds a controller by its name in the answers.
func ByID(id string) (Controller, bool) {
	index := slices.IndexFunc(Controllers, func(c Controller) bool { return c.ID == id })
	if index < 0 {
		return Controller{}, false
	}
	return Controllers[index], true
}

// ByClass finds a controller by the spec.controller of an IngressClass. Two
// kinds may share one: this is a first guess, not proof.
func ByClass(specController string) (Controller, bool) {
	name := strings.ToLower(specController)
	for _, c := range Controllers {
		for _, class := range c.Classes {
			if name == class || (strings.HasSuffix(class, "*") && strings.HasPrefix(name, strings.TrimSuffix(class, "*"))) {
				return c, true
			}
		}
	}
	return Controller{}, false
}

// IDs lists the names, for messages.
func IDs() []string {
	ids := make([]string, len(Controllers))
	for i, c := range Controllers {
		ids[i] = c.ID
	}
	return ids
}
