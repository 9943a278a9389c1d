package release

import (
	"context"
	"encoding/json"
	"path"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"k8s.io/apimachinery/pkg/version"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/release/trim"
)

// Prepared is a plan for which all is done that can be done before anything is
// written: its chart is fetched, checked, and rendered as it would be for the
// cluster. An install of the same plan takes the chart from there; Helm renders
// it once more, against what the cluster has then.
type Prepared struct {
	Fetched
	Manifests string // of everything that Helm would create, hooks included

	small *chart.Chart // without the files that no template reads
}

// prepared holds what was prepared last: the wizard's answers change, and
// large charts are large.
var prepared shared[*Prepared]

// Prepare does ahead what an install of the plan needs. Without a connection
// it is rendered as for a cluster that Helm knows nothing of.
func Prepare(ctx context.Context, p plan.Plan, c *cluster.Connection) (*Prepared, error) {
	fetched, err := FetchChart(ctx, p.Chart, p.Version)
	if err != nil {
		return nil, err
	}
	key := keyOf(p, fetched, c)
	ready, err := prepared.get(ctx, key, func(ctx context.Context) (*Prepared, error) { return prepare(ctx, p, fetched, c) })
	if err == nil {
		prepared.keepOnly(key)
	}
	return ready, err
}

func prepare(ctx context.Context, p plan.Plan, fetched Fetched, c *cluster.Connection) (*Prepared, error) {
	values := p.Merged()
	ready := &Prepared{Fetched: fetched, small: trim.Chart(fetched.Chart, values)}
	dry := dryRun{plan: p, values: values}
	if c != nil {
		dry.capabilities = capabilitiesOf(ctx, c)
	}
	if dry.capabilities != nil {
		dry.cluster = c.Getter
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rendered, err := dry.render(copyOf(ready.small))
	if err != nil {
		return nil, err
	}
	ready.Manifests = documents(rendered, !p.SkipCRDs())
	return ready, nil
}

// gather gives what an install needs of the chart: from what was prepared, if
// it is of the same plan, and else now.
func gather(ctx context.Context, p plan.Plan, c *cluster.Connection) (*Prepared, error) {
	fetched, err := FetchChart(ctx, p.Chart, p.Version)
	if err != nil {
		return nil, err
	}
	if ready, found := prepared.made(keyOf(p, fetched, c)); found {
		return ready, nil
	}
	return &Prepared{Fetched: fetched, small: trim.Chart(fetched.Chart, p.Merged())}, nil
}

// keyOf tells plans apart by everything that changes what is rendered.
func keyOf(p plan.Plan, fetched Fetched, c *cluster.Connection) string {
	server := ""
	if c != nil {
		server = c.Server
	}
	content, err := json.Marshal([]any{p.Release, p.Namespace, fetched.Digest, p.Merged(), p.SkipCRDs(), server})
	if err != nil {
		return "" // values come from YAML and can be written as JSON
	}
	return digestOf(content)
}

// capabilitiesOf asks what the cluster serves, as Helm would. A cluster that
// does not say is not waited for: an install asks again.
func capabilitiesOf(ctx context.Context, c *cluster.Connection) *chartutil.Capabilities {
	var about version.Info
	raw, err := c.Client.Discovery().RESTClient().Get().AbsPath("/version").Do(ctx).Raw()
	if err != nil || json.Unmarshal(raw, &about) != nil {
		return nil
	}
	groups, err := c.Kinds(ctx)
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, group := range groups {
		for _, served := range group.Group.Versions {
			found[served.GroupVersion] = true
			for _, resource := range group.VersionedResources[served.Version] {
				found[path.Join(served.GroupVersion, resource.Kind)] = true
			}
		}
	}
	versions := make(chartutil.VersionSet, 0, len(found))
	for name := range found {
		versions = append(versions, name)
	}
	return &chartutil.Capabilities{APIVersions: versions, HelmVersion: chartutil.DefaultCapabilities.HelmVersion,
		KubeVersion: chartutil.KubeVersion{Version: about.GitVersion, Major: about.Major, Minor: about.Minor}}
}
