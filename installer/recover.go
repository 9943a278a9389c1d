package installer

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/bundle"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/recovery"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/session"
)

// Leftovers says where the release stands and what earlier runs left behind.
func (e *Engine) Leftovers(ctx context.Context, a answers.Answers) ([]check.Check, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return nil, err
	}
	if err := connection.Ping(ctx); err != nil {
		return nil, err
	}
	found, err := recovery.Look(ctx, connection, a.Runtime.Namespace, a.Runtime.Release)
	if err != nil {
		return nil, err
	}
	return found.Checks(), nil
}

// recover does one of the safe actions.
func (e *Engine) recover(ctx context.Context, a answers.Answers, r check.Repair) error {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return err
	}
	switch r.Release {
	case recovery.ActionTakeOver:
		return recovery.TakeOver(connection, r.Namespace, r.Name)
	case recovery.ActionClean:
		return recovery.Clean(ctx, connection, r.Namespace, r.Name)
	}
	return fmt.Errorf("there is no action %q", r.Release)
}

// Bundle keeps the evidence of a failed install in an archive of its own.
func (e *Engine) Bundle(ctx context.Context, p plan.Plan, failure error) (path string, err error) {
	a := p.Answers()
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", err
	}
	dir, err := session.StateDir()
	if err != nil {
		return "", err
	}
	secrets := []secret.Value{}
	if tokens, err := e.tokens(ctx, p); err == nil {
		for _, token := range tokens {
			secrets = append(secrets, token)
		}
	}
	return bundle.Write(context.WithoutCancel(ctx), filepath.Join(dir, "bundles"), bundle.Request{Client: connection.Client, Namespace: a.Runtime.Namespace,
		Plan: p, Problem: failure.Error(), Version: e.Version, Secrets: secrets}, time.Now())
}
