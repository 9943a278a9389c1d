package release

import (
	"context"
	"errors"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/release"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// ErrDetach is the cause of a context that ends because the person leaves: what
// was applied goes on in the cluster, and a later run takes it up again.
var ErrDetach = errors.New("detached, goes on in the cluster")

// left is what the person is told who stops a run or leaves it.
func (w *watcher) left(err error) *problem.Problem {
	var taken *problem.Problem
	if errors.As(context.Cause(w.stopped), &taken) {
		return taken
	}
	if errors.Is(context.Cause(w.stopped), ErrDetach) {
		return &problem.Problem{Kind: problem.Interrupted, Cause: "detached", What: "left " + w.task.name(), Err: err,
			Why: w.goesOn(), Fix: "Come back to it with `" + w.task.again() + "`, or on another machine with `cfwizard resume`."}
	}
	return &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: w.task.name() + " was stopped", Err: err,
		Why: "What is in the cluster stays as it is.", Fix: "Go on with `" + w.task.again() + "`."}
}

// goesOn says what becomes of a run that is left.
func (w *watcher) goesOn() string {
	switch w.tell.now() {
	case Apply, Wait, Verify:
		return "What was applied goes on in the cluster."
	}
	return "The workloads of the release were not applied yet; nothing more happens until somebody goes on."
}

// applied reports whether a first install that was left or killed had created
// everything already, so that nothing but the waiting is left to do. Of an
// upgrade that cannot be told: its objects were there before.
func (o *operation) applied(ctx context.Context, history []*release.Release) bool {
	if len(history) != 1 || history[0].Version != 1 || hasHooks(history[0], release.HookPostInstall) {
		return false
	}
	last := history[0]
	waiting := last.Info.Status == release.StatusPendingInstall ||
		last.Info.Status == release.StatusFailed && strings.Contains(last.Info.Description, ErrDetach.Error())
	return waiting && same(last.Config, o.values) && o.rendersTo(ctx, last) && o.allThere(last)
}

func hasHooks(r *release.Release, event release.HookEvent) bool {
	for _, hook := range r.Hooks {
		for _, at := range hook.Events {
			if at == event {
				return true
			}
		}
	}
	return false
}

// reattach waits for what an earlier run has applied, and completes its record.
func (o *operation) reattach(last *release.Release) (Result, error) {
	err := o.waitFor(last)
	if err != nil {
		last.SetStatus(release.StatusFailed, "Release \""+last.Name+"\" failed: "+err.Error())
	} else {
		last.SetStatus(release.StatusDeployed, "Install complete")
	}
	if unwritten := o.config.Releases.Update(last); unwritten != nil {
		return Result{}, errors.Join(err, unwritten)
	}
	return resultOf(last), err
}

// waitFor waits until the objects of a release are ready, if it is to wait.
func (o *operation) waitFor(r *release.Release) error {
	options := o.plan.Answers().Options
	if !options.Wait {
		return nil
	}
	objects, err := o.objects(r)
	if err != nil {
		return err
	}
	return o.config.KubeClient.Wait(objects, time.Duration(options.Timeout))
}
