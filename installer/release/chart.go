package release

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// LoadChart gets the chart from an OCI registry, a .tgz or a folder. An empty
// version is the newest.
func LoadChart(reference, version string) (*chart.Chart, error) {
	loaded, err := load(reference, version)
	if err == nil {
		err = action.CheckDependencies(loaded, loaded.Metadata.Dependencies)
	}
	if err != nil {
		return nil, chartProblem(reference, version, err)
	}
	return loaded, nil
}

func load(reference, version string) (*chart.Chart, error) {
	if !registry.IsOCI(reference) {
		return loader.Load(reference)
	}
	options := []registry.ClientOption{registry.ClientOptWriter(io.Discard)}
	if plan.PlainHTTP(reference) {
		options = append(options, registry.ClientOptPlainHTTP())
	}
	client, err := registry.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("preparing the registry client: %w", err)
	}
	repository := strings.TrimPrefix(reference, registry.OCIScheme+"://")
	tags, err := client.Tags(repository)
	if err != nil {
		return nil, err
	}
	tag, err := registry.GetTagMatchingVersionOrConstraint(tags, version)
	if err != nil {
		return nil, err
	}
	pulled, err := client.Pull(repository + ":" + tag)
	if err != nil {
		return nil, err
	}
	return loader.LoadArchive(bytes.NewReader(pulled.Chart.Data))
}

func chartProblem(reference, version string, err error) error {
	p := &problem.Problem{Kind: problem.Invalid, Cause: "chart-unusable", Field: "runtime.chart",
		What: "the chart " + text.Line(reference) + " cannot be used", Why: text.Line(err.Error()), Err: err,
		Fix: "Check it with `helm show chart " + text.Quote(reference) + "`."}
	message := err.Error()
	switch {
	case errors.Is(err, os.ErrNotExist) || strings.Contains(message, "no such file"):
		p.Cause, p.What, p.Why = "chart-missing", "there is no chart at "+text.Line(reference), ""
		p.Fix = "Correct the path, or use oci://quay.io/codefresh/gitops-runtime."
	case version != "" && (strings.Contains(message, "not found") || strings.Contains(message, "could not locate a version")):
		p.Cause, p.Field, p.What = "chart-version-missing", "runtime.version", "the chart has no version "+text.Line(version)
		p.Fix = "Leave the version empty for the newest."
	}
	return p
}
