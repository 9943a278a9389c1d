package release

import (
	"context"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/storage/driver"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Kept is what Helm keeps of a release's last revision.
type Kept struct {
	Status  string
	Version string         // of the chart
	Values  map[string]any // those that were given, without the chart's own
}

// Last reads what Helm keeps about a release, whoever installed it.
func Last(c *cluster.Connection, namespace, name string) (kept Kept, found bool, err error) {
	last, err := Records(c, namespace).Last(name)
	if errors.Is(err, driver.ErrReleaseNotFound) {
		return Kept{}, false, nil
	}
	if err != nil {
		return Kept{}, false, fmt.Errorf("reading release %s: %w", name, err)
	}
	kept = Kept{Status: last.Info.Status.String(), Values: last.Config}
	if last.Chart != nil && last.Chart.Metadata != nil {
		kept.Version = last.Chart.Metadata.Version
	}
	return kept, true, nil
}

// setTimeout bounds the hooks of an upgrade that only adds values.
const setTimeout = 5 * time.Minute

// SetValues upgrades a release with more values, and keeps the chart's version
// and all values that it has. It does not wait for workloads.
func SetValues(ctx context.Context, t Target, chart string, values map[string]any) error {
	kept, found, err := Last(t.Cluster, t.Namespace, t.Release)
	switch {
	case err != nil:
		return err
	case !found:
		return &problem.Problem{Kind: problem.Invalid, Cause: "not-installed", Field: "runtime.release",
			What: "there is no release " + t.Release + " in namespace " + t.Namespace, Fix: "Name it: -n NAMESPACE --release NAME"}
	}
	fetched, err := FetchChart(ctx, chart, kept.Version)
	if err != nil {
		return err
	}
	if got := fetched.Chart.Metadata.Version; got != kept.Version {
		return &problem.Problem{Kind: problem.Invalid, Cause: "chart-version-differs", Field: "runtime.chart",
			What: "the chart at " + text.Line(chart) + " is version " + text.Line(got) + ", and the release has " + text.Line(kept.Version),
			Fix:  "Name the chart of that version, or upgrade first: cfwizard upgrade"}
	}
	return t.run(ctx, Task{"the upgrade", "cfwizard checklist"}, func(config *action.Configuration) error {
		upgrade := action.NewUpgrade(config)
		upgrade.Namespace, upgrade.Timeout, upgrade.ReuseValues, upgrade.SkipCRDs, upgrade.MaxHistory = t.Namespace, setTimeout, true, true, keptRevisions
		_, err := upgrade.RunWithContext(context.WithoutCancel(ctx), t.Release, copyOf(fetched.Chart), values)
		return err
	})
}
