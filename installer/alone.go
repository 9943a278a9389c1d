package installer

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/lease"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// alone makes sure that nobody else installs the same release now. A namespace
// that cannot be created the install itself tells.
func alone(ctx context.Context, c *cluster.Connection, p plan.Plan) (context.Context, func(), error) {
	if _, err := c.EnsureNamespace(ctx, p.Namespace); err != nil {
		return ctx, func() {}, nil
	}
	return hold(ctx, c, p.Namespace, p.Release)
}

// hold takes the release's lease. The context that it gives ends when the lease
// is taken away. Who may not use leases does without.
func hold(ctx context.Context, c *cluster.Connection, namespace, release string) (context.Context, func(), error) {
	ctx, cancel := context.WithCancelCause(ctx)
	held, err := lease.Acquire(ctx, c.Client, namespace, release, func() { cancel(takenOver(release)) })
	switch {
	case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
		return ctx, func() { cancel(nil) }, nil
	case err != nil:
		err = notHeld(ctx, c, release, err)
		cancel(nil)
		return ctx, func() {}, err
	}
	return ctx, func() {
		held.Release(ctx)
		cancel(nil)
	}, nil
}

func takenOver(release string) error {
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "taken-over", What: "somebody else works on release " + release + " by now",
		Why: "This run did not renew its lease for a while, as when the machine sleeps, and another took it.",
		Fix: "See who holds it, and wait for them: cfwizard doctor"}
}

// notHeld says why the lease is not to be had: who holds it, or what the
// cluster answered.
func notHeld(ctx context.Context, c *cluster.Connection, release string, err error) error {
	var told *problem.Problem
	var answered apierrors.APIStatus
	switch {
	case errors.As(err, &told):
		return err
	case ctx.Err() != nil:
		return &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: "stopped before anything was changed", Err: err}
	case !errors.As(err, &answered):
		return c.Unreachable(err)
	}
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "lease-failed", What: "it cannot be made sure that nobody else works on release " + release,
		Why: text.Line(err.Error()), Fix: "Run it again; nothing was changed.", Err: err}
}
