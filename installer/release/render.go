package release

import (
	"maps"
	"slices"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Projects are the parts of a chart whose CRDs a value switches off.
func Projects(loaded *chart.Chart) []string {
	values, err := chartutil.CoalesceValues(loaded, map[string]any{})
	if err != nil {
		values = loaded.Values
	}
	projects := []string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		part, ok := values[name].(map[string]any)
		if !ok {
			continue
		}
		crds, ok := part["crds"].(map[string]any)
		if !ok {
			continue
		}
		if _, switchable := crds["install"]; switchable {
			projects = append(projects, name)
		}
	}
	return projects
}

// KeptCRDs are those of the charts' crds folders: Helm creates them where they
// are missing, and leaves them alone otherwise.
func KeptCRDs(loaded *chart.Chart) []string {
	var names []string
	for _, crd := range loaded.CRDObjects() {
		var object metav1.PartialObjectMetadata
		if err := yaml.Unmarshal(crd.File.Data, &object); err == nil && object.Name != "" {
			names = append(names, object.Name)
		}
	}
	return names
}

// Manifests gives the manifests of a plan without a cluster, hooks included, as
// `helm template` does.
func Manifests(p plan.Plan, loaded *chart.Chart) (string, error) {
	return manifestsOf(p.Merged(), p, loaded)
}

func manifestsOf(values map[string]any, p plan.Plan, loaded *chart.Chart) (string, error) {
	install := action.NewInstall(&action.Configuration{Log: func(string, ...any) {}})
	install.ClientOnly, install.DryRun, install.Replace = true, true, true
	install.ReleaseName, install.Namespace = p.Release, p.Namespace
	install.IncludeCRDs = !p.SkipCRDs()
	rendered, err := install.Run(loaded, values)
	if err != nil {
		return "", renderProblem(err)
	}
	out := rendered.Manifest
	for _, hook := range rendered.Hooks {
		out += "---\n# Source: " + hook.Path + "\n" + hook.Manifest + "\n"
	}
	return out, nil
}

func renderProblem(err error) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: "render-failed", What: "the chart refuses these values", Why: text.Line(err.Error()),
		Fix: "Correct the value that it names.", Err: err}
}
