package release

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// Target is a release that is there, whoever installed it.
type Target struct {
	Release   string
	Namespace string
	Cluster   *cluster.Connection
	Timeout   time.Duration // of each hook and each wait
	Sink      Sink
	KeepCRDs  bool // an uninstall leaves all CRDs
}

// Records are what Helm keeps of the releases of a namespace.
func Records(c *cluster.Connection, namespace string) *storage.Storage {
	return newStorage(driver.NewSecrets(c.Client.CoreV1().Secrets(namespace)))
}

// keptRevisions is how many records of a release Helm keeps, as its own command
// does.
const keptRevisions = 10

func newStorage(d driver.Driver) *storage.Storage {
	s := storage.Init(d)
	s.MaxHistory = keptRevisions
	return s
}

// History gives the records of a release, the newest first; none is no error.
func History(c *cluster.Connection, namespace, name string) ([]*release.Release, error) {
	history, err := Records(c, namespace).History(name)
	if err != nil && !errors.Is(err, driver.ErrReleaseNotFound) {
		return nil, fmt.Errorf("reading Helm's records: %w", err)
	}
	slices.SortFunc(history, func(a, b *release.Release) int { return b.Version - a.Version })
	return history, nil
}

// Rollback brings the release back to an earlier revision and waits until that
// is ready.
func Rollback(ctx context.Context, t Target, revision int) (Result, error) {
	var result Result
	err := t.run(ctx, Task{"the rollback", "cfwizard doctor --fix"}, func(config *action.Configuration) error {
		back := action.NewRollback(config)
		back.Version, back.Wait, back.Timeout, back.MaxHistory = revision, true, t.Timeout, keptRevisions
		if err := back.Run(t.Release); err != nil {
			return err
		}
		last, err := config.Releases.Last(t.Release)
		if err == nil {
			result = resultOf(last)
		}
		return err
	})
	return result, err
}

// Uninstall removes what the release brought, but for what its chart says to
// keep, and waits until it is gone. Without hooks, the chart's own work before
// a removal is left out. Helm's record stays until Forget.
func Uninstall(ctx context.Context, t Target, hooks bool) error {
	deletes := false
	err := t.run(ctx, Task{"the uninstall", "cfwizard uninstall"}, func(config *action.Configuration) error {
		remove := action.NewUninstall(config)
		remove.Wait, remove.Timeout, remove.DisableHooks, remove.KeepHistory = true, t.Timeout, !hooks, true
		_, err := remove.Run(t.Release)
		deletes = config.KubeClient.(*kubeClient).tell.now() == Remove
		return err
	})
	if err != nil && hooks && !deletes {
		return &HooksFailed{err}
	}
	return err
}

// HooksFailed is an uninstall that has deleted nothing: the chart's own work
// before it failed.
type HooksFailed struct{ error }

func (h *HooksFailed) Unwrap() error { return h.error }

// Forget deletes Helm's records of a release, when nothing of it is left.
func Forget(t Target) error {
	history, err := History(t.Cluster, t.Namespace, t.Release)
	if err != nil {
		return err
	}
	for _, r := range history {
		if _, err := Records(t.Cluster, t.Namespace).Delete(r.Name, r.Version); err != nil {
			return fmt.Errorf("deleting Helm's record: %w", err)
		}
	}
	return nil
}

// run lets Helm act on the release with our client: it tells what happens, ends
// with the context, and knows causes that no waiting mends.
func (t Target) run(ctx context.Context, task Task, act func(*action.Configuration) error) error {
	r := Request{Plan: plan.Plan{Release: t.Release, Namespace: t.Namespace}, Cluster: t.Cluster, Sink: t.Sink, Task: task}
	tell := newTeller(r)
	defer tell.close()
	history, err := History(t.Cluster, t.Namespace, t.Release)
	if err != nil {
		return err
	}
	w := watch(ctx, r, tell)
	defer w.stop()
	client := newKubeClient(r, w)
	client.keepCRDs = t.KeepCRDs
	config := &action.Configuration{RESTClientGetter: t.Cluster.Getter, KubeClient: client, Log: func(string, ...any) {},
		Releases: Records(t.Cluster, t.Namespace)}
	if err := releasePending(config, history); err != nil {
		return err
	}
	if err := act(config); err != nil {
		err = w.explain(err)
		tell.tell(Event{Type: PhaseEvent, State: Failed, Message: err.Error()})
		return err
	}
	tell.leave("")
	return nil
}
