package release

import (
	"regexp"
	"time"
)

var ownershipCauses = []cause{
	{ID: "release-pending", Reasons: []string{fromHelm}, Says: []string{"another operation (install/upgrade/rollback) is in progress"},
		Field: "runtime.release",
		What:  "release {release} is being changed by someone else, or a run was cut off",
		Fix:   "Go on with `{again}`, which takes an interrupted release over."},
	{ID: "release-name-taken", Reasons: []string{fromHelm}, Says: []string{"cannot re-use a name that is still in use"},
		Field: "runtime.release",
		What:  "there is a release {release} in namespace {namespace} already",
		Fix:   "Choose another release name, or remove it: `helm uninstall {release} --namespace {namespace}`."},
	{ID: "crd-owned-by-another", Reasons: []string{fromHelm}, Says: []string{"invalid ownership metadata"},
		Only:  func(s symptom) bool { return says(s.Message, []string{"CustomResourceDefinition"}) },
		Field: "crds.mode", Finds: regexp.MustCompile(`CustomResourceDefinition "(?P<crd>[^"]+)"`),
		What: "CRD {crd} belongs to another release",
		Fix:  "Set crds.mode to adopt, to take it over, or to skip, to leave it alone."},
	{ID: "owned-by-another", Reasons: []string{fromHelm}, Says: []string{"invalid ownership metadata"},
		Finds: regexp.MustCompile(`(?P<found>[A-Z][A-Za-z]+ "[^"]+")`),
		What:  "{found} belongs to another release",
		Fix:   "Remove the other release, or install into another cluster: two runtimes share a cluster only with the values for several runtimes."},
	{ID: "crd-names-taken", Reasons: []string{namesRefused},
		Named: time.Second,
		What:  "CRD {name} is not served, for another CRD has its names",
		Fix:   "Remove the other CRD, whose kind or plural name is the same: `kubectl get crds`."},
	{ID: "name-collision", Reasons: []string{fromHelm}, Says: []string{"already exists"},
		Finds: regexp.MustCompile(`(?P<found>[a-z.0-9-]+ "[^"]+") already exists`),
		What:  "{found} exists already, and the chart would create it",
		Fix:   "Remove it, or let Helm own it: label it app.kubernetes.io/managed-by=Helm and annotate it with meta.helm.sh/release-name={release} and meta.helm.sh/release-namespace={namespace}."},
}
