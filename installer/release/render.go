package release

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release/trim"
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
	rendered, err := dryRun{plan: p, values: values}.render(trim.Chart(loaded, values))
	if err != nil {
		return "", err
	}
	return documents(rendered, !p.SkipCRDs()), nil
}

// documents are all objects of a rendered chart, in Helm's order: CRDs, the
// rest, hooks.
func documents(rendered *release.Release, crds bool) string {
	var out strings.Builder
	if crds {
		for _, crd := range rendered.Chart.CRDObjects() {
			fmt.Fprintf(&out, "---\n# Source: %s\n%s\n", crd.Filename, crd.File.Data)
		}
	}
	out.WriteString(rendered.Manifest)
	for _, hook := range rendered.Hooks {
		fmt.Fprintf(&out, "---\n# Source: %s\n%s\n", hook.Path, hook.Manifest)
	}
	return out.String()
}

// dryRun lets Helm render, and nothing else.
type dryRun struct {
	plan         plan.Plan
	values       map[string]any
	capabilities *chartutil.Capabilities // of the cluster; without them, Helm's defaults
	cluster      action.RESTClientGetter // where templates look things up, if anywhere
	revision     int                     // of an upgrade; zero is an install
}

// render changes the chart: it processes its dependencies.
func (d dryRun) render(c *chart.Chart) (*release.Release, error) {
	records := driver.NewMemory()
	records.SetNamespace(d.plan.Namespace)
	config := &action.Configuration{Capabilities: d.capabilities, RESTClientGetter: d.cluster, Releases: storage.Init(records),
		KubeClient: &fake.PrintingKubeClient{Out: io.Discard}, Log: func(string, ...any) {}}
	rendered, err := d.run(config, c)
	if err != nil {
		return nil, renderProblem(err)
	}
	return rendered, nil
}

func (d dryRun) run(config *action.Configuration, c *chart.Chart) (*release.Release, error) {
	option := "client"
	if d.cluster != nil {
		option = "server"
	}
	if d.revision == 0 {
		install := action.NewInstall(config)
		install.ReleaseName, install.Namespace = d.plan.Release, d.plan.Namespace
		install.DryRun, install.DryRunOption, install.ClientOnly = true, option, d.capabilities == nil
		return install.Run(c, d.values)
	}
	err := config.Releases.Create(&release.Release{Name: d.plan.Release, Namespace: d.plan.Namespace, Version: d.revision - 1,
		Chart: &chart.Chart{Metadata: c.Metadata}, Info: &release.Info{Status: release.StatusDeployed}})
	if err != nil {
		return nil, err
	}
	upgrade := action.NewUpgrade(config)
	upgrade.Namespace, upgrade.DryRun, upgrade.DryRunOption = d.plan.Namespace, true, option
	return upgrade.Run(d.plan.Release, c, d.values)
}

// RenderFailed is the cause of a chart that refuses its values.
const RenderFailed = "render-failed"

func renderProblem(err error) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: RenderFailed, What: "the chart refuses these values", Why: text.Line(err.Error()),
		Fix: "Correct the value that it names.", Err: err}
}
