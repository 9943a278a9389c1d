// Package access knows the ingress controllers, meshes and gateways: one file
// each, and a line in the registry. Each says how it is recognised, what must
// hold for it to serve the runtime, how that is mended, and what values the
// chart needs. All of it is pure, over the facts of a cluster.
package access

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Controller is one kind of ingress controller.
type Controller struct {
	ID      string
	Name    string
	Classes []string // the spec.controller of its IngressClasses; a * at the end fits anything
	// Images are its programs, without registry and tag.
	Images []*regexp.Regexp
	// Recognise tells its workload where the image alone does not.
	Recognise func(facts.Workload) bool
	// Chart is the Helm chart that people install it with.
	Chart Chart
	// Annotates is the value of that chart that holds the annotations of the
	// Service, where it is known.
	Annotates string
	// Install is the command that brings it to a cluster without it.
	Install string

	// Annotations that the runtime's Ingress needs, for a protocol.
	Annotations func(protocol string) map[string]string
	// NeedsTLSSecret: without spec.tls it does not serve the host over https.
	NeedsTLSSecret bool
	// AddressAfterInstall: the host can answer only once the Ingress is there,
	// so that the chart's check of the host would fail.
	AddressAfterInstall bool
	// NoWorkload explains why there may be no workload for a class.
	NoWorkload func(facts.IngressClass) string

	// The rules. A rule that is nil does not apply to this controller.
	Bound   func(Site) Verdict // the workload takes Ingresses of the class
	Watches func(Site) Verdict // the workload sees the runtime's namespace and Ingress
	Service func(Site) (facts.Service, bool)
	Status  func(Site) Verdict // it reports the address on the Ingress
	Extra   []Rule
	// ConfigMaps are those that its workload reads its settings from.
	ConfigMaps func(Site) []facts.Name

	// After are the tasks that remain once the runtime is installed.
	After []string
	// Looks are the words for the documentation's table, by check.
	Looks []Look
}

// Look describes one check of a controller: what makes it pass, and what mends
// it otherwise.
type Look struct{ Check, Passes, Mends string }

// Rule is a check of one controller's own.
type Rule struct {
	ID    string
	Title string
	Judge func(Site) Verdict
}

// Chart is where a Helm chart comes from.
type Chart struct{ Name, Repository string }

// Verdict is what a rule says.
type Verdict struct {
	Status   check.Status
	Title    string
	Why      string
	Fix      string
	Evidence string
	Repair   *check.Repair
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
	index := slices.IndexFunc(Controllers, func(c Controller) bool { return c.claims(specController) })
	if index < 0 {
		return Controller{}, false
	}
	return Controllers[index], true
}

// claims reports whether classes of this spec.controller can be this
// controller's.
func (c Controller) claims(specController string) bool {
	name := strings.ToLower(specController)
	return slices.ContainsFunc(c.Classes, func(class string) bool {
		prefix, open := strings.CutSuffix(class, "*")
		return name == class || (open && strings.HasPrefix(name, prefix))
	})
}

// IDs lists the names, for messages.
func IDs() []string {
	ids := make([]string, len(Controllers))
	for i, c := range Controllers {
		ids[i] = c.ID
	}
	return ids
}

// Demanding are the controllers that need values of their own.
func Demanding() []string {
	return slices.DeleteFunc(IDs(), func(id string) bool { return !NeedsValues(id) })
}

// NeedsValues reports whether a controller needs values of its own.
func NeedsValues(id string) bool {
	c, known := ByID(id)
	return known && (c.Annotations != nil || c.AddressAfterInstall)
}
