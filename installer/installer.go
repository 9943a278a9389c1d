// Package installer is the engine behind every face of the program: what the
// full screen, the plain questions and the headless commands can ask for.
package installer

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// Engine does the work. Its zero value is ready.
type Engine struct {
	Vault    Vault
	Version  string // of this program
	Again    string // the command that goes on with an install that ends early
	verifier git.Verifier
}

// Contexts lists the contexts of a kubeconfig and the current one.
func (e *Engine) Contexts(kubeconfig string) ([]string, string, error) {
	return cluster.Contexts(kubeconfig)
}

// KeepSecret holds a typed secret until the program ends.
func (e *Engine) KeepSecret(field string, value secret.Value) { e.Vault.Keep(field, value) }

// SecretMissing says why a field's secret is not to be had on this machine. A
// secret in the cluster is looked for when it is used.
func (e *Engine) SecretMissing(ctx context.Context, a answers.Answers, field string) error {
	ref, err := answers.ParseSecretRef(a.Get(field))
	if err != nil || ref.SecretRef != nil {
		return err
	}
	value, err := e.Vault.Find(ctx, a, field, ref)
	if err == nil && value.Empty() {
		about, _ := answers.FieldAt(field)
		err = &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: field, What: "it is needed",
			Fix: about.Meaning}
	}
	return err
}

// Install does what the plan says and tells each step.
func (e *Engine) Install(ctx context.Context, p plan.Plan, sink release.Sink) (release.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	release.PullAhead(ctx, p)
	a := p.Answers()
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return release.Result{}, err
	}
	if err := connection.Ping(ctx); err != nil {
		return release.Result{}, err
	}
	tokens, err := e.tokens(ctx, p)
	if err != nil {
		return release.Result{}, err
	}
	if err := e.confirmAccount(ctx, p); err != nil {
		return release.Result{}, err
	}
	return apply(ctx, release.Request{Plan: p, Tokens: tokens, Cluster: connection, Sink: sink, Task: release.Task{Again: e.Again}}, writeDown)
}

// apply brings the cluster to what a plan says, alone, after what is to be done
// first.
func apply(ctx context.Context, r release.Request, before ...func(context.Context, release.Request)) (release.Result, error) {
	ctx, giveBack, err := alone(ctx, r.Cluster, r.Plan)
	if err != nil {
		return release.Result{}, err
	}
	defer giveBack()
	if err := keepWayBack(ctx, r.Cluster, r.Plan); err != nil {
		return release.Result{}, err
	}
	for _, first := range before {
		first(ctx, r)
	}
	return release.Install(ctx, r)
}

func (e *Engine) tokens(ctx context.Context, p plan.Plan) (map[string]secret.Value, error) {
	a := p.Answers()
	refs := map[string]answers.SecretRef{"codefresh.apiKey": a.Codefresh.APIKey, "git.runtimeToken": a.Git.RuntimeToken, "argocd.auth": a.ArgoCD.Auth}
	tokens := map[string]secret.Value{}
	for key, field := range p.TokenFields() {
		value, err := e.Vault.Find(ctx, a, field, refs[field])
		if err != nil {
			return nil, err
		}
		tokens[key] = value
	}
	return tokens, nil
}

// Status is what Helm keeps about the release of the answers.
func (e *Engine) Status(ctx context.Context, a answers.Answers) (status string, found bool, err error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", false, err
	}
	if err := connection.Ping(ctx); err != nil {
		return "", false, err
	}
	return release.Status(connection, a.Runtime.Namespace, a.Runtime.Release)
}
