package installer

import (
	"context"
	"errors"
	"os"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/reach"
	"github.com/cfwizard/cfwizard/installer/rehearsal"
	"github.com/cfwizard/cfwizard/installer/release"
)

// Cluster reads the cluster of the answers.
func (e *Engine) Cluster(ctx context.Context, a answers.Answers) (facts.Cluster, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return facts.Cluster{}, err
	}
	return connection.Read(ctx, cluster.Options{ConfigMaps: access.ConfigMapsWanted, Secrets: func(c facts.Cluster) []facts.Name {
		return access.SecretsWanted(c, preflight.Wanted(facts.Namespace{}, a))
	}})
}

// Namespace reads the namespace that the runtime goes into.
func (e *Engine) Namespace(ctx context.Context, a answers.Answers) (facts.Namespace, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return facts.Namespace{}, err
	}
	return connection.ReadNamespace(ctx, a.Runtime.Namespace), nil
}

// Reach looks from this machine whether the runtime's host can be reached: its
// name, its ports and its certificate.
func (e *Engine) Reach(ctx context.Context, a answers.Answers, c facts.Cluster) []check.Check {
	question, applies := preflight.Question(c, a)
	if !applies {
		return nil
	}
	if a.TLS.PlatformCA != "" {
		question.ExtraRoots, _ = os.ReadFile(a.TLS.PlatformCA) // a file that cannot be read is told where it is used
	}
	checks := reach.Look(ctx, question).Checks()
	if a.Access.Mode != answers.IngressMode {
		return checks
	}
	if a.Access.Ingress.TLSSecret != "" {
		checks = append(checks, e.tlsSecret(ctx, a, c, question))
	}
	if a.Access.Ingress.SkipValidation {
		forgive(checks)
	}
	return checks
}

// forgive makes warnings of failures: who skips the chart's own check of the
// host says that it will answer later.
func forgive(checks []check.Check) {
	for i := range checks {
		if checks[i].Status == check.Fail {
			checks[i].Status = check.Warn
		}
	}
}

// Prepare does ahead what an install of the answers needs: the chart is fetched
// and rendered. What it says is only what the person should know; answers that
// are not complete are waited for.
func (e *Engine) Prepare(ctx context.Context, a answers.Answers) []check.Check {
	built, err := e.Plan(ctx, a, false)
	if err != nil {
		return nil
	}
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		connection = nil // it is rendered without one
	}
	ready, err := release.Prepare(ctx, built, connection)
	if err != nil {
		return notPrepared(err)
	}
	return aboutChart(ready)
}

// notPrepared tells a chart that is not to be had from one that refuses.
func notPrepared(err error) []check.Check {
	var p *problem.Problem
	if errors.As(err, &p) && p.Cause == release.RenderFailed {
		return check.FromError("rehearsal.render", "rehearsal", err)
	}
	return check.FromError("rehearsal.chart", "rehearsal", err)
}

func aboutChart(ready *release.Prepared) []check.Check {
	if ready.Note == "" {
		return nil
	}
	return []check.Check{{ID: "rehearsal.chart", Scope: "rehearsal", Status: check.Warn, Field: "runtime.chart", Title: "the chart comes from this machine's cache", Why: ready.Note,
		Fix: "Go on if that version is right, or start again when the registry answers."}}
}

// Rehearse renders the chart and tries it on the API server without writing.
func (e *Engine) Rehearse(ctx context.Context, a answers.Answers, c facts.Cluster, n facts.Namespace) []check.Check {
	built, err := e.Plan(ctx, a, false)
	if err != nil {
		return []check.Check{{ID: "rehearsal.objects", Scope: "rehearsal", Status: check.Skip, Title: "not rehearsed: the answers are not complete"}}
	}
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return check.FromError("cluster.reachable", "cluster", problem.All(err))
	}
	ready, err := release.Prepare(ctx, built, connection)
	if err != nil {
		return notPrepared(err)
	}
	checks := rehearsal.Run(ctx, connection, rehearsal.Script{Release: built.Release, Namespace: built.Namespace, NamespaceExists: n.Exists,
		Manifests: ready.Manifests, Spared: append(built.AdoptCRDs(), release.KeptCRDs(ready.Chart)...), User: c.User, ClusterAdmin: c.ClusterAdmin})
	return append(aboutChart(ready), checks...)
}
