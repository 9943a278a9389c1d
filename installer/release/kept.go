package release

import (
	"context"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/storage"
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
	last, err := recordsOf(c, namespace).Last(name)
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

func recordsOf(c *cluster.Connection, namespace string) *storage.Storage {
	return storage.Init(driver.NewSecrets(c.Client.CoreV1().Secrets(namespace)))
}

// setTimeout bounds an upgrade that only adds values; most of it are hooks.
const setTimeout = 5 * time.Minute

// SetValues upgrades a release with more values, and keeps the chart's version
// and all values that it has. It does not wait for workloads.
func SetValues(ctx context.Context, c *cluster.Connection, namespace, name, chart string, values map[string]any) error {
	kept, found, err := Last(c, namespace, name)
	switch {
	case err != nil:
		return err
	case !found:
		return &problem.Problem{Kind: problem.Invalid, Cause: "no-release", What: "there is no release " + name + " in namespace " + namespace, Fix: "Name it: --runtime.release, -n"}
	}
	fetched, err := FetchChart(ctx, chart, kept.Version)
	if err != nil {
		return err
	}
	client := kube.New(c.Getter)
	client.Namespace = namespace
	config := &action.Configuration{RESTClientGetter: c.Getter, KubeClient: client, Log: func(string, ...any) {}, Releases: recordsOf(c, namespace)}
	upgrade := action.NewUpgrade(config)
	upgrade.Namespace, upgrade.Timeout, upgrade.ReuseValues, upgrade.SkipCRDs = namespace, setTimeout, true, true
	if _, err := upgrade.RunWithContext(ctx, name, copyOf(fetched.Chart), values); err != nil {
		return &problem.Problem{Kind: problem.InstallFailed, Cause: "upgrade-failed", What: "release " + name + " could not be upgraded", Why: text.Line(err.Error()),
			Fix: "See why, and what helps: cfwizard doctor", Err: err}
	}
	return nil
}
