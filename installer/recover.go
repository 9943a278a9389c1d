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
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/recovery"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/removal"
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
	return append(found.Checks(), e.onRecord(ctx, a, found)...), nil
}

// onRecord compares what Helm keeps with what Codefresh keeps. Why Codefresh
// does not answer, the checks of the account say.
func (e *Engine) onRecord(ctx context.Context, a answers.Answers, found recovery.Findings) []check.Check {
	runtime, known, err := e.Runtime(ctx, a)
	if err != nil {
		return nil
	}
	return found.OnRecord(a.Runtime.Name, known && runtime.Namespace == a.Runtime.Namespace, platform.RuntimesLink(a.Codefresh.URL, a.Codefresh.AccountID))
}

// Recover does one of the actions on a release, alone, and tells each step.
// Before anything is removed or rolled back, the evidence is kept; where says
// in which file.
func (e *Engine) Recover(ctx context.Context, a answers.Answers, r check.Repair, sink release.Sink) (where string, err error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", err
	}
	ctx, giveBack, err := hold(ctx, connection, r.Namespace, r.Name)
	if err != nil {
		return "", err
	}
	defer giveBack()
	switch r.Release {
	case recovery.ActionTakeOver:
		return "", recovery.TakeOver(connection, r.Namespace, r.Name)
	case recovery.ActionClean:
		return "", recovery.Clean(ctx, connection, r.Namespace, r.Name)
	}
	findings, err := recovery.Look(ctx, connection, r.Namespace, r.Name)
	if err != nil {
		return "", err
	}
	if where, err = e.evidence(ctx, connection, r.Namespace, "before cfwizard doctor did: "+r.Title); err != nil {
		return "", err
	}
	target := release.Target{Release: r.Name, Namespace: r.Namespace, Cluster: connection, Timeout: time.Duration(a.Options.Timeout), Sink: sink}
	switch back := findings.Earlier(); {
	case r.Release == recovery.ActionRollBack && back != nil:
		_, err = release.Rollback(ctx, target, back.Version)
	case r.Release == recovery.ActionUninstall:
		err = removeFailed(ctx, target)
	default:
		err = fmt.Errorf("there is no action %q on this release", r.Release)
	}
	return where, err
}

// removeFailed removes a release that was never deployed, and nothing beyond
// it.
func removeFailed(ctx context.Context, t release.Target) error {
	preview, err := removal.Look(ctx, t.Cluster, t.Namespace, t.Release)
	if err != nil {
		return err
	}
	if err := refusal(preview.Checks(removal.Options{})); err != nil {
		return err
	}
	t.KeepCRDs = true
	return removal.Run(ctx, t, preview, removal.Options{})
}

// refusal is what keeps a removal from being begun, if anything.
func refusal(checks []check.Check) error {
	var problems problem.List
	for _, c := range checks {
		if c.Status == check.Fail {
			problems = append(problems, &problem.Problem{Kind: problem.CheckFailed, Cause: c.ID, What: c.Title, Why: c.Why, Fix: c.Fix})
		}
	}
	return problems.OrNil()
}

// Bundle keeps the evidence of a failed install in an archive of its own.
func (e *Engine) Bundle(ctx context.Context, p plan.Plan, failure error) (path string, err error) {
	a := p.Answers()
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", err
	}
	secrets := []secret.Value{}
	if tokens, err := e.tokens(ctx, p); err == nil {
		for _, token := range tokens {
			secrets = append(secrets, token)
		}
	}
	return e.write(ctx, bundle.Request{Client: connection.Client, Namespace: a.Runtime.Namespace, Plan: p, Problem: failure.Error(), Secrets: secrets})
}

// evidence keeps what a namespace looks like before it is changed.
func (e *Engine) evidence(ctx context.Context, c *cluster.Connection, namespace, words string) (path string, err error) {
	return e.write(ctx, bundle.Request{Client: c.Client, Namespace: namespace, Problem: words})
}

func (e *Engine) write(ctx context.Context, r bundle.Request) (path string, err error) {
	dir, err := session.StateDir()
	if err != nil {
		return "", err
	}
	r.Version, r.Secrets = e.Version, append(r.Secrets, e.Vault.used()...)
	return bundle.Write(context.WithoutCancel(ctx), filepath.Join(dir, "bundles"), r, time.Now())
}
