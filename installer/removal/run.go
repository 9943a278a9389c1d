package removal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	helm "helm.sh/helm/v3/pkg/release"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Run removes what the preview shows and waits until it is gone. Helm's record
// goes last, so that a removal that was stopped can be taken up again.
func Run(ctx context.Context, t release.Target, p Preview, o Options) error {
	finder, err := t.Cluster.Finder(ctx)
	if err != nil {
		return err
	}
	if err := finder.Free(ctx, p.Applications...); err != nil {
		return failed(err)
	}
	if p.Status != "" && p.Status != helm.StatusUninstalled.String() {
		if err := uninstall(ctx, t, o.Record && p.HooksCanRun()); err != nil {
			return err
		}
	}
	// What Helm's last record does not name, and what nobody else takes away.
	rest := slices.Concat(p.Objects, p.Leftovers, p.Made, p.Ours)
	if t.KeepCRDs {
		rest = slices.DeleteFunc(rest, func(o cluster.Found) bool { return o.Kind == "CustomResourceDefinition" })
	}
	if o.CRDs {
		rest = append(rest, p.Kept...)
	}
	if o.Namespace {
		rest = append(rest, finder.Namespace(p.Namespace))
	}
	if err := finder.Delete(ctx, rest...); err != nil {
		return failed(err)
	}
	if err := gone(ctx, finder, rest, t); err != nil {
		return err
	}
	return release.Forget(t)
}

// uninstall goes on without the chart's hooks where they fail: what they do,
// this program does too.
func uninstall(ctx context.Context, t release.Target, hooks bool) error {
	err := release.Uninstall(ctx, t, hooks)
	var early *release.HooksFailed
	if !errors.As(err, &early) || ctx.Err() != nil {
		return err
	}
	t.Sink(release.Event{Time: time.Now(), Type: release.LogEvent, Phase: release.Hooks, Message: text.Line("the chart's hooks failed, and are left out: " + err.Error())})
	return release.Uninstall(ctx, t, false)
}

// HooksCanRun reports whether the chart's work before a removal would end: its
// Jobs wait for ever for a Secret that is not there.
func (p Preview) HooksCanRun() bool { return p.Hooks && len(p.lacking) == 0 }

func failed(err error) error {
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "delete-failed", What: "not everything could be deleted", Why: text.Line(err.Error()), Err: err,
		Fix: "Mend what the cluster says and run `cfwizard uninstall` again."}
}

const (
	pause     = 250 * time.Millisecond
	heartbeat = 10 * time.Second
)

// gone waits until none of the objects is there any more, and says for what.
// Another of the same name, such as a Secret that a controller makes anew, is
// not the same object.
func gone(ctx context.Context, finder *cluster.Finder, objects []cluster.Found, t release.Target) error {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	spoken := time.Now()
	for left := objects; ; {
		var err error
		if left, err = stillThere(ctx, finder, left); err != nil {
			return failed(err)
		}
		if len(left) == 0 {
			return nil
		}
		if time.Since(spoken) > heartbeat {
			spoken = time.Now()
			t.Sink(release.Event{Time: spoken, Type: release.PhaseEvent, Phase: release.Remove, State: release.Started, Message: "waits for " + describe(left)})
		}
		select {
		case <-ctx.Done():
			return notGone(ctx, left, t.Timeout)
		case <-time.After(pause):
		}
	}
}

func stillThere(ctx context.Context, finder *cluster.Finder, objects []cluster.Found) ([]cluster.Found, error) {
	var left []cluster.Found
	for _, o := range objects {
		again, err := finder.Again(ctx, o)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if ctx.Err() != nil || again != nil && (o.UID == "" || again.UID == o.UID) {
			left = append(left, o)
		}
	}
	return left, nil
}

func notGone(ctx context.Context, left []cluster.Found, timeout time.Duration) error {
	if context.Cause(ctx) == context.Canceled {
		return &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: "the uninstall was stopped", Why: "What was deleted stays deleted.",
			Fix: "Go on with `cfwizard uninstall`."}
	}
	return &problem.Problem{Kind: problem.TimedOut, Cause: "not-gone", What: fmt.Sprintf("%s not gone after %s", text.Plural(len(left), "object"), timeout),
		Why: "Waited for " + describe(left) + ".", Fix: "See what holds it with `" + command("get", left[0]) + " --output yaml`, then run `cfwizard uninstall` again."}
}
