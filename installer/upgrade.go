package installer

import (
	"context"
	"fmt"

	helm "helm.sh/helm/v3/pkg/release"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/removal"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Installed is a release that is there, and the answers that its values amount
// to.
type Installed struct {
	Answers answers.Answers
	record  *helm.Release
}

// Upgrade is another chart version for a release, not agreed to yet.
type Upgrade struct {
	Release   string          `json:"release"`
	Namespace string          `json:"namespace"`
	Status    string          `json:"status"`
	Revision  int             `json:"revision"`
	From      string          `json:"from"`
	To        string          `json:"to"`
	Values    []string        `json:"values"` // that change
	Changes   release.Changes `json:"changes"`
	Plan      plan.Plan       `json:"-"`
}

// Nothing reports whether it would bring nothing new.
func (u Upgrade) Nothing() bool {
	return u.From == u.To && u.Status == helm.StatusDeployed.String() && u.Changes.Empty() && len(u.Values)+len(u.Plan.TokenFields()) == 0
}

// Downgrade reports whether the chart would be an older one.
func (u Upgrade) Downgrade() bool {
	from, err := version.ParseSemantic(u.From)
	if err != nil {
		return false
	}
	to, err := version.ParseSemantic(u.To)
	return err == nil && to.LessThan(from)
}

// Installed finds the release that answers name.
func (e *Engine) Installed(ctx context.Context, a answers.Answers) (Installed, error) {
	connection, err := reachable(ctx, a)
	if err != nil {
		return Installed{}, err
	}
	history, err := release.History(connection, a.Runtime.Namespace, a.Runtime.Release)
	if err != nil {
		return Installed{}, err
	}
	if len(history) == 0 || history[0].Info.Status == helm.StatusUninstalled {
		return Installed{}, notInstalled(ctx, connection, a)
	}
	base := answers.Default()
	base.Cluster, base.Runtime.Namespace, base.Runtime.Release = a.Cluster, a.Runtime.Namespace, a.Runtime.Release
	base, err = asInstalled(base, history[0])
	return Installed{Answers: base, record: history[0]}, err
}

func notInstalled(ctx context.Context, c *cluster.Connection, a answers.Answers) error {
	p := &problem.Problem{Kind: problem.Invalid, Cause: "not-installed", Field: "runtime.release", Fix: "Install it: cfwizard install",
		What: fmt.Sprintf("there is no release %s in namespace %s", a.Runtime.Release, a.Runtime.Namespace)}
	if found, err := removal.Look(ctx, c, a.Runtime.Namespace, a.Runtime.Release); err == nil && len(found.Others) > 0 {
		p.Why, p.Fix = "The runtime there is of release "+found.Others[0]+".", "Name it: --runtime.release "+text.Quote(found.Others[0])
	}
	return p
}

// PreviewUpgrade renders what an upgrade to the given answers would bring.
func (e *Engine) PreviewUpgrade(ctx context.Context, i Installed, given answers.Answers) (Upgrade, error) {
	u := Upgrade{Release: i.record.Name, Namespace: i.record.Namespace, Status: i.record.Info.Status.String(), Revision: i.record.Version}
	if i.record.Chart != nil && i.record.Chart.Metadata != nil {
		u.From = text.Line(i.record.Chart.Metadata.Version)
	}
	sources, err := e.Sources(ctx, given, false)
	if err != nil {
		return u, err
	}
	if u.Plan, err = plan.Upgrade(i.record.Config, i.Answers, given, sources); err != nil {
		return u, err
	}
	connection, err := cluster.Connect(given.Cluster, given.Runtime.Namespace)
	if err != nil {
		return u, err
	}
	u.Values = u.Plan.Paths()
	u.Changes, err = release.Compare(ctx, u.Plan, connection, i.record)
	u.To = text.Line(u.Changes.Version)
	return u, err
}

// Upgrade does what was previewed and tells each step.
func (e *Engine) Upgrade(ctx context.Context, u Upgrade, sink release.Sink) (release.Result, error) {
	a := u.Plan.Answers()
	connection, err := reachable(ctx, a)
	if err != nil {
		return release.Result{}, err
	}
	tokens, err := e.tokens(ctx, u.Plan)
	if err != nil {
		return release.Result{}, err
	}
	p := u.Plan
	if len(tokens) > 0 {
		if p, err = keepTokens(ctx, connection, p, tokens); err != nil {
			return release.Result{}, err
		}
	}
	return apply(ctx, release.Request{Plan: p, Tokens: tokens, Cluster: connection, Sink: sink, Task: release.Task{Name: "the upgrade", Again: "cfwizard upgrade"}})
}

// keepTokens takes the keys of our Secret that are not given anew from where
// they are.
func keepTokens(ctx context.Context, c *cluster.Connection, p plan.Plan, tokens map[string]secret.Value) (plan.Plan, error) {
	found, err := c.Client.CoreV1().Secrets(p.Namespace).Get(ctx, plan.SecretName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("reading the Secret %s: %w", plan.SecretName, err)
	}
	for key, value := range found.Data {
		if _, given := tokens[key]; !given {
			tokens[key] = secret.New(string(value))
			journal.Hide(tokens[key])
			p = p.Keeping(key)
		}
	}
	return p, nil
}
