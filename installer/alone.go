package installer

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/lease"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// alone makes sure that nobody else installs the same release now. A namespace that cannot be
// created, and leases that one may not use, the install itself tells or does
// without.
func alone(ctx context.Context, c *cluster.Connection, p plan.Plan) (context.Context, func(), error) {
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.Namespace}}
	if _, err := c.Client.CoreV1().Namespaces().Create(ctx, wanted, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return ctx, func() {}, nil
	}
	return hold(ctx, c, p.Namespace, p.Release)
}

// hold takes the release's lease. The context that it gives ends when the lease
// is taken away.
func hold(ctx context.Context, c *cluster.Connection, namespace, release string) (context.Context, func(), error) {
	ctx, cancel := context.WithCancel(ctx)
	held, err := lease.Acquire(ctx, c.Client, namespace, release, cancel)
	var told *problem.Problem
	switch {
	case errors.As(err, &told):
		cancel()
		return ctx, func() {}, err
	case err != nil:
		return ctx, cancel, nil
	}
	return ctx, func() {
		held.Release(ctx)
		cancel()
	}, nil
}
