package access

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Cloud is how NGINX Community comes to one cloud or distribution.
type Cloud struct {
	ID, Name   string
	Documented []string // as Codefresh's documentation has it
	Today      []string // as it works today
	Notes      []string
	Tested     bool // by Codefresh
	install    string
}

// cloud is a row of the table; the commands follow from it.
type cloud struct {
	ids        []string // of facts.Provider
	name       string
	documented string // the manifest's folder in the documentation
	branch     string // where the documentation does not take the release
	today      string // the folder in the last release, where it differs
	addon      string // the command that takes the place of a manifest
	look       string // the command that shows the result of an add-on
	notes      []string
	untested   bool
}

// documentedRelease is what the documentation installs.
const documentedRelease = "controller-v1.1.1"

// showService is how the documentation verifies the address.
const showService = "kubectl get svc ingress-nginx-controller -n ingress-nginx"

// release is one of ingress-nginx, with its chart, and the first minor version
// of Kubernetes that it was tested with.
type release struct {
	Controller, Chart string
	since             uint
}

// releases are the last ones for each version of Kubernetes, newest first.
// All of them are retired.
var releases = []release{
	{"1.15.1", "4.15.1", 31}, {"1.14.5", "4.14.5", 30}, {"1.13.9", "4.13.9", 29}, {"1.12.8", "4.12.8", 28},
	{"1.11.8", "4.11.8", 26}, {"1.9.6", "4.9.1", 25}, {"1.6.4", "4.5.2", 0},
}

// ingressNginxFor picks the release that was tested with a version of
// Kubernetes. A version that cannot be read gets the newest.
func ingressNginxFor(server string) release {
	parsed, err := version.ParseGeneric(server)
	if err != nil || parsed.Major() > 1 {
		return releases[0]
	}
	return releases[slices.IndexFunc(releases, func(r release) bool { return parsed.Minor() >= r.since })]
}

// CloudOf gives the commands for the cluster's cloud.
func CloudOf(cluster facts.Cluster) (Cloud, bool) {
	provider := cluster.Provider().ID
	for _, c := range clouds {
		if slices.Contains(c.ids, provider) {
			return c.commands(ingressNginxFor(cluster.Version), placeOf(cluster.Context)), true
		}
	}
	return Cloud{}, false
}

// commands writes the row out.
func (c cloud) commands(last release, place gkePlace) Cloud {
	out := Cloud{ID: c.ids[0], Name: c.name, Notes: c.notes, Tested: !c.untested}
	if c.addon != "" {
		out.install = c.addon
		out.Documented = []string{c.addon, showService}
		out.Today = []string{c.addon, c.look}
		return out
	}
	out.install = apply("controller-v"+last.Controller, c.folder(last))
	out.Documented = []string{apply(cmp.Or(c.branch, documentedRelease), c.documented), showService}
	out.Today = []string{out.install, showService}
	if out.ID == "gke" {
		out.Documented = slices.Concat(place.documented(), out.Documented)
		out.Today = slices.Concat(place.today(), out.Today)
	}
	return out
}

// folder is where today's manifest is. Newer folders are in the last release
// only.
func (c cloud) folder(last release) string {
	if c.today != "" && last == releases[0] {
		return c.today
	}
	return c.documented
}

func apply(branch, folder string) string {
	return fmt.Sprintf("kubectl apply -f https://raw.githubusercontent.com/kubernetes/ingress-nginx/%s/deploy/static/provider/%s/deploy.yaml", branch, folder)
}

// installGuide is the command that brings a controller to the cluster's cloud.
func installGuide(cluster facts.Cluster) string {
	if found, ok := CloudOf(cluster); ok {
		return found.install
	}
	return helmInstall(communityChart, ingressNginxFor(cluster.Version).Chart)
}

// installCommand is the command that brings a controller to a cluster.
func installCommand(cluster facts.Cluster, c Controller) string {
	switch {
	case c.Install != "":
		return c.Install
	case c.Chart == communityChart:
		return helmInstall(c.Chart, ingressNginxFor(cluster.Version).Chart)
	case c.Chart.Name != "":
		return helmInstall(c.Chart, "")
	}
	return "see the documentation of " + c.Name
}

// helmInstall installs a chart into a namespace of its own, both named after
// it.
func helmInstall(chart Chart, chartVersion string) string {
	name := path.Base(chart.Name)
	command := []string{"helm upgrade --install", text.Quote(name), text.Quote(chart.Name)}
	if chart.Repository != "" {
		command = append(command, "--repo", chart.Repository)
	}
	command = append(command, "--namespace", text.Quote(name), "--create-namespace")
	if chartVersion != "" {
		command = append(command, "--version", chartVersion)
	}
	return strings.Join(command, " ")
}
