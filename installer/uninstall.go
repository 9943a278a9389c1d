package installer

import (
	"context"
	"time"

	"helm.sh/helm/v3/pkg/chartutil"
	helm "helm.sh/helm/v3/pkg/release"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/removal"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/installer/valuesfile"
)

// Removal is an uninstall that was not agreed to yet: what is in the cluster,
// and what Codefresh keeps of the runtime.
type Removal struct {
	removal.Preview
	Runtime string `json:"runtime"`           // its name in Codefresh
	Record  string `json:"record"`            // there, gone, or unknown
	Unasked string `json:"unasked,omitempty"` // why Codefresh could not be asked
	Link    string `json:"link"`              // where Codefresh lists it
	Named   bool   `json:"-"`                 // the person has named the runtime

	answers  answers.Answers
	platform *platform.Client
}

// What Codefresh says of the runtime.
const (
	RecordThere   = "there"
	RecordGone    = "gone"
	RecordUnknown = "unknown"
)

// PreviewUninstall reads all that an uninstall would take away. The runtime may
// have been installed by somebody else: what its release says counts.
func (e *Engine) PreviewUninstall(ctx context.Context, a answers.Answers) (Removal, error) {
	r := Removal{answers: a}
	connection, err := reachable(ctx, a)
	if err != nil {
		return r, err
	}
	if r.Preview, err = removal.Look(ctx, connection, a.Runtime.Namespace, a.Runtime.Release); err != nil {
		return r, err
	}
	history, err := release.History(connection, a.Runtime.Namespace, a.Runtime.Release)
	if err != nil {
		return r, err
	}
	if len(history) > 0 {
		if r.answers, err = asInstalled(a, history[0]); err != nil {
			return r, err
		}
	}
	r.Runtime = r.answers.Runtime.Name
	r.Link = platform.RuntimesLink(r.answers.Codefresh.URL, r.answers.Codefresh.AccountID)
	r.ask(ctx, e, a.Codefresh.APIKey)
	return r, nil
}

func reachable(ctx context.Context, a answers.Answers) (*cluster.Connection, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return nil, err
	}
	return connection, connection.Ping(ctx)
}

// asInstalled lays what a release's values say over answers.
func asInstalled(a answers.Answers, r *helm.Release) (answers.Answers, error) {
	values, err := yaml.Marshal(r.Config)
	if err != nil {
		return a, err
	}
	file, err := valuesfile.Parse("the values of release "+r.Name, values)
	if err != nil {
		return a, err
	}
	if a, err = file.ToAnswers(a); err != nil {
		return a, err
	}
	if token, err := chartutil.Values(r.Config).PathValue("global.codefresh.userToken.token"); err == nil && token != "" {
		// The chart keeps a token that was given in clear in a Secret of this name.
		a.Codefresh.APIKey = answers.SecretRef{SecretRef: &answers.KeyInSecret{Name: "codefresh-user-token", Key: "token"}}
	}
	return a, nil
}

// ask looks for the runtime's record, with the key that was given or else with
// the runtime's own, which is still there.
func (r *Removal) ask(ctx context.Context, e *Engine, given answers.SecretRef) {
	r.Record = RecordUnknown
	own := r.answers
	asked := own
	asked.Codefresh.APIKey = given
	var err error
	if r.platform, err = e.platform(ctx, asked); err != nil {
		r.platform, err = e.platform(ctx, own)
	}
	if err != nil {
		r.Unasked = problem.All(err).Error()
		return
	}
	r.Record, err = r.onRecord(ctx)
	if err != nil {
		r.Unasked = problem.All(err).Error()
	}
}

func (r *Removal) onRecord(ctx context.Context) (string, error) {
	runtime, found, err := r.platform.Runtime(ctx, r.Runtime)
	switch {
	case err != nil:
		return RecordUnknown, err
	case found && (runtime.Namespace == "" || runtime.Namespace == r.Namespace):
		return RecordThere, nil
	}
	return RecordGone, nil
}

// Checks are those of what is in the cluster, and whether Codefresh can be told
// where that is wanted: the runtime's own key goes with it.
func (r Removal) Checks(o removal.Options) []check.Check {
	checks := r.Preview.Checks(o)
	if o.Record && r.Record == RecordUnknown {
		checks = append(checks, check.Check{ID: "removal.record", Scope: "removal", Status: check.Fail, Field: "codefresh.apiKey",
			Title: "Codefresh cannot be asked for the record of the runtime " + r.Runtime, Why: r.Unasked,
			Fix: "Give a key that works: --codefresh.apiKey env:CF_API_KEY; or leave --platform out, and delete it at " + r.Link})
	}
	if o.Record && r.Record == RecordThere && r.Status == "" && !r.Named {
		checks = append(checks, check.Check{ID: "removal.elsewhere", Scope: "removal", Status: check.Fail, Field: "runtime.name",
			Title: "Codefresh knows a runtime " + r.Runtime + ", and this cluster has no release of it", Why: "It may run in another cluster, and nobody has named it here.",
			Fix: "If it is gone for good, name it: cfwizard uninstall --platform --runtime.name " + text.Quote(r.Runtime) + "; or look at " + r.Link})
	}
	return checks
}

// Nothing reports whether there is nothing to remove with these options.
func (r Removal) Nothing(o removal.Options) bool {
	return r.Preview.Nothing(o) && !(o.Record && r.Record == RecordThere)
}

// Uninstall removes what was previewed, alone, and gives back what Codefresh
// says of the runtime afterwards.
func (e *Engine) Uninstall(ctx context.Context, r Removal, o removal.Options, sink release.Sink) (record string, err error) {
	if err := refusal(r.Checks(o)); err != nil {
		return r.Record, err
	}
	connection, err := cluster.Connect(r.answers.Cluster, r.Namespace)
	if err != nil {
		return r.Record, err
	}
	ctx, giveBack, err := hold(ctx, connection, r.Namespace, r.Release)
	if err != nil {
		return r.Record, err
	}
	defer giveBack()
	target := release.Target{Release: r.Release, Namespace: r.Namespace, Cluster: connection, Timeout: time.Duration(r.answers.Options.Timeout), Sink: sink}
	if !r.Preview.Nothing(o) {
		if err := removal.Run(ctx, target, r.Preview, o); err != nil {
			return r.Record, err
		}
	}
	if o.Record && r.platform != nil {
		return r.deleteRecord(ctx)
	}
	return r.Record, nil
}

// deleteRecord makes sure of what the chart's hook tries without looking.
func (r *Removal) deleteRecord(ctx context.Context) (string, error) {
	record, err := r.onRecord(ctx)
	if err != nil || record == RecordGone {
		return record, err
	}
	if err := r.platform.DeleteRuntime(ctx, r.Runtime); err != nil {
		return record, err
	}
	return r.onRecord(ctx)
}
