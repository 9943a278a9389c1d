package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// charts are those of this process: what the rehearsal, the review and the
// install use is pulled once.
var charts = newOCISource(userCache())

// Fetched is a chart and what is to be known about it.
type Fetched struct {
	Chart  *chart.Chart
	Digest string // of its content
	Note   string // such as that the registry did not answer; mostly empty
}

// FetchChart gets the chart from an OCI registry, a .tgz or a folder. An empty
// version is the newest. What it gives belongs to the caller.
func FetchChart(ctx context.Context, reference, version string) (Fetched, error) {
	fetched, err := charts.fetchFrom(ctx, reference, version)
	if err == nil {
		err = action.CheckDependencies(fetched.Chart, fetched.Chart.Metadata.Dependencies)
	}
	if err != nil {
		return Fetched{}, chartProblem(reference, version, err)
	}
	return fetched, nil
}

func (s *ociSource) fetchFrom(ctx context.Context, reference, version string) (Fetched, error) {
	if !registry.IsOCI(reference) {
		return fromDisk(reference)
	}
	packed, err := s.get(ctx, reference, version)
	if err != nil {
		return Fetched{}, err
	}
	loaded, err := loader.LoadArchive(bytes.NewReader(packed.content))
	return Fetched{loaded, packed.digest, packed.note}, err
}

func fromDisk(path string) (Fetched, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Fetched{}, err
	case !info.IsDir():
		content, err := readAtMost(path, maxChartBytes)
		if err != nil {
			return Fetched{}, err
		}
		loaded, err := loader.LoadArchive(bytes.NewReader(content))
		return Fetched{Chart: loaded, Digest: digestOf(content)}, err
	}
	loaded, err := loader.LoadDir(path)
	if err != nil {
		return Fetched{}, err
	}
	sum := sha256.New()
	for _, file := range loaded.Raw {
		fmt.Fprintf(sum, "%s\n%d\n%s", file.Name, len(file.Data), file.Data)
	}
	return Fetched{Chart: loaded, Digest: fmt.Sprintf("sha256:%x", sum.Sum(nil))}, nil
}

func chartProblem(reference, version string, err error) error {
	p := &problem.Problem{Kind: problem.Invalid, Cause: "chart-unusable", Field: "runtime.chart",
		What: "the chart " + text.Line(reference) + " cannot be used", Why: text.Line(err.Error()), Err: err,
		Fix: "Check it with `helm show chart " + text.Quote(reference) + "`."}
	message := strings.ToLower(err.Error())
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
