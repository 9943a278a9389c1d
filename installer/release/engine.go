package release

import (
	"context"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// Request is one installation.
type Request struct {
	Plan    plan.Plan
	Tokens  map[string]secret.Value // by the keys of our Secret
	Cluster *cluster.Connection
	Sink    Sink
}

// Result is what came of it.
type Result struct {
	Release  string
	Revision int
	Version  string // of the chart
	Notes    string
}

// Install brings the cluster to what the plan says. Cancelling the context
// stops it at the next step that can be stopped; what is there stays, and the
// release says that it failed.
func Install(ctx context.Context, r Request) (Result, error) {
	t := &teller{sink: r.Sink}
	result, err := install(ctx, r, t)
	if err != nil {
		t.tell(Event{Type: PhaseEvent, State: Failed, Message: err.Error()})
		return result, err
	}
	t.leave("")
	return result, nil
}

func install(ctx context.Context, r Request, t *teller) (Result, error) {
	t.enter(Fetch, r.Plan.Chart)
	loaded, err := LoadChart(r.Plan.Chart, r.Plan.Version)
	if err != nil {
		return Result{}, err
	}
	t.enter(Setup, "")
	if err := prepareNamespace(ctx, r, t); err != nil {
		return Result{}, err
	}
	if err := adoptCRDs(ctx, r, t); err != nil {
		return Result{}, err
	}
	w := watch(ctx, r, t)
	defer w.stop()
	t.enter(Render, loaded.Metadata.Version)
	done, err := run(ctx, configuration(ctx, r, t), r, loaded)
	if err != nil {
		return Result{}, w.explain(err)
	}
	return Result{Release: done.Name, Revision: done.Version, Version: loaded.Metadata.Version, Notes: done.Info.Notes}, nil
}

// configuration is Helm's own, with our client in it.
func configuration(ctx context.Context, r Request, t *teller) *action.Configuration {
	helm := kube.New(r.Cluster.Getter)
	helm.Namespace = r.Plan.Namespace
	client := &kubeClient{Client: helm, ctx: ctx, client: r.Cluster.Client, tell: t}
	secrets := driver.NewSecrets(r.Cluster.Client.CoreV1().Secrets(r.Plan.Namespace))
	return &action.Configuration{
		RESTClientGetter: r.Cluster.Getter, KubeClient: client, Releases: storage.Init(secrets),
		Log: func(string, ...any) {},
	}
}

// run chooses what Helm has to do from what is there: install, install again
// over a failed first try, or upgrade.
func run(ctx context.Context, config *action.Configuration, r Request, loaded *chart.Chart) (*release.Release, error) {
	history, err := config.Releases.History(r.Plan.Release)
	if err != nil && !errors.Is(err, driver.ErrReleaseNotFound) {
		return nil, err
	}
	if err := releasePending(config, history); err != nil {
		return nil, err
	}
	values := r.Plan.Merged()
	options := r.Plan.Answers().Options
	timeout := time.Duration(options.Timeout)
	if everDeployed(history) {
		upgrade := action.NewUpgrade(config)
		upgrade.Namespace, upgrade.Timeout, upgrade.Wait = r.Plan.Namespace, timeout, options.Wait
		upgrade.SkipCRDs = r.Plan.SkipCRDs()
		return upgrade.RunWithContext(context.WithoutCancel(ctx), r.Plan.Release, loaded, values)
	}
	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace = r.Plan.Release, r.Plan.Namespace
	install.Timeout, install.Wait, install.Replace = timeout, options.Wait, len(history) > 0
	install.SkipCRDs = r.Plan.SkipCRDs()
	return install.RunWithContext(context.WithoutCancel(ctx), loaded, values)
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

// Status reads what Helm keeps about a release.
func Status(c *cluster.Connection, namespace, name string) (status string, found bool, err error) {
	store := storage.Init(driver.NewSecrets(c.Client.CoreV1().Secrets(namespace)))
	last, err := store.Last(name)
	if errors.Is(err, driver.ErrReleaseNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return last.Info.Status.String(), true, nil
}
