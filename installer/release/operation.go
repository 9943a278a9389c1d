package release

import (
	"context"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	"helm.sh/helm/v3/pkg/storage/driver"

	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// operation is what Helm has to do for a plan.
type operation struct {
	plan   plan.Plan
	values map[string]any
	ready  *Prepared
	chart  *chart.Chart // what Helm renders
	config *action.Configuration
	// discover asks what the cluster serves; nothing means that it did not say.
	discover func(context.Context) *chartutil.Capabilities
}

// newOperation gives Helm our client, and records that it need not know of.
func newOperation(r Request, w *watcher, ready *Prepared) *operation {
	o := &operation{plan: r.Plan, values: r.Plan.Merged(), ready: ready, chart: copyOf(ready.small)}
	o.discover = func(ctx context.Context) *chartutil.Capabilities { return capabilitiesOf(ctx, r.Cluster) }
	secrets := driver.NewSecrets(r.Cluster.Client.CoreV1().Secrets(r.Plan.Namespace))
	o.config = &action.Configuration{RESTClientGetter: r.Cluster.Getter, KubeClient: newKubeClient(r, w), Log: func(string, ...any) {},
		Releases: newStorage(newRecords(secrets, o.chart, ready.Chart, w.tellHooks))}
	return o
}

// run chooses what there is to do from what is there: nothing, wait for what
// was left, install, install again over a failed first try, or upgrade.
func (o *operation) run(ctx context.Context) (Result, error) {
	history, err := o.config.Releases.History(o.plan.Release)
	if err != nil && !errors.Is(err, driver.ErrReleaseNotFound) {
		return Result{}, err
	}
	releaseutil.Reverse(history, releaseutil.SortByRevision)
	if o.unchanged(ctx, history) {
		journal.Note("decided", "what", "nothing: the release is as it would be", "revision", history[0].Version)
		return o.nothing(history[0])
	}
	if o.applied(ctx, history) {
		return o.reattach(history[0])
	}
	if err := releasePending(o.config, history); err != nil {
		return Result{}, err
	}
	done, err := o.act(ctx, history)
	if err != nil {
		return Result{}, err
	}
	return resultOf(done), nil
}

func resultOf(r *release.Release) Result {
	return Result{Release: r.Name, Revision: r.Version, Version: r.Chart.Metadata.Version, Notes: r.Info.Notes}
}

func (o *operation) act(ctx context.Context, history []*release.Release) (*release.Release, error) {
	ctx = context.WithoutCancel(ctx)
	options := o.plan.Answers().Options
	timeout := time.Duration(options.Timeout)
	journal.Note("decided", "upgrade", everDeployed(history), "records", len(history), "timeout", timeout)
	if everDeployed(history) {
		upgrade := action.NewUpgrade(o.config)
		upgrade.Namespace, upgrade.Timeout, upgrade.Wait = o.plan.Namespace, timeout, options.Wait
		upgrade.SkipCRDs, upgrade.MaxHistory = o.plan.SkipCRDs(), keptRevisions
		return upgrade.RunWithContext(ctx, o.plan.Release, o.chart, o.values)
	}
	install := action.NewInstall(o.config)
	install.ReleaseName, install.Namespace = o.plan.Release, o.plan.Namespace
	install.Timeout, install.Wait, install.Replace = timeout, options.Wait, len(history) > 0
	install.SkipCRDs = o.plan.SkipCRDs()
	return install.RunWithContext(ctx, o.chart, o.values)
}

// releasePending marks what a killed run left behind as failed, so that Helm
// goes on. Helm itself would refuse for ever.
func releasePending(config *action.Configuration, history []*release.Release) error {
	for _, r := range history {
		if !r.Info.Status.IsPending() {
			continue
		}
		r.SetStatus(release.StatusFailed, "interrupted; taken over by cfwizard")
		if err := config.Releases.Update(r); err != nil {
			return fmt.Errorf("marking the interrupted release: %w", err)
		}
	}
	return nil
}

func everDeployed(history []*release.Release) bool {
	for _, r := range history {
		if r.Info.Status == release.StatusDeployed {
			return true
		}
	}
	return false
}
