// Package removal says what an uninstall takes away and what it leaves, does
// it, and looks afterwards whether anything is left.
package removal

import (
	"context"
	"fmt"
	"slices"

	helm "helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// ChartName is the chart whose releases are runtimes.
const ChartName = "gitops-runtime"

// Preview is what is there of a runtime, and what becomes of it.
type Preview struct {
	Release      string          `json:"release"`
	Namespace    string          `json:"namespace"`
	Status       string          `json:"status,omitempty"` // none: Helm knows no such release
	Revision     int             `json:"revision,omitempty"`
	Version      string          `json:"version,omitempty"` // of the chart
	Objects      []cluster.Found `json:"objects"`           // go with the release
	Leftovers    []cluster.Found `json:"leftovers"`         // of hooks
	Ours         []cluster.Found `json:"ours"`              // made by this program
	Made         []cluster.Found `json:"made"`              // made by hooks and by the runtime while it ran
	Kept         []cluster.Found `json:"kept"`              // CRDs and what else the chart keeps
	Applications []cluster.Found `json:"applications"`      // the runtime's own, which lose their finalizers
	Resources    []cluster.Found `json:"-"`                 // custom resources of all those CRDs
	Workloads    []cluster.Found `json:"-"`                 // in the namespace, and not of the release
	Others       []string        `json:"-"`                 // other runtimes in the namespace
	Strangers    []string        `json:"-"`                 // other Helm releases in the namespace
	Hooks        bool            `json:"hooks"`             // the chart works before a removal

	awaited []string // the Secrets that the chart's hooks need
	lacking []string // those of them that are not there
	argoCD  bool     // the release brings its own Argo CD
}

// Nothing reports whether there is nothing in the cluster to remove. A namespace
// goes only with a runtime.
func (p Preview) Nothing(o Options) bool {
	return p.Status == "" && len(p.Ours) == 0 && !(o.CRDs && len(p.Kept) > 0)
}

// Look reads what is there of a release.
func Look(ctx context.Context, c *cluster.Connection, namespace, name string) (Preview, error) {
	p := Preview{Release: name, Namespace: namespace}
	history, err := release.History(c, namespace, name)
	if err != nil {
		return p, err
	}
	finder, err := c.Finder(ctx)
	if err != nil {
		return p, err
	}
	l := look{Preview: &p, ctx: ctx, cluster: c, finder: finder}
	if len(history) > 0 {
		l.record(history)
	}
	l.others(c)
	l.secrets()
	l.definitions()
	l.custom()
	l.workloads()
	return p, l.err
}

// look reads one thing after the other until one cannot be read.
type look struct {
	*Preview
	ctx     context.Context
	cluster *cluster.Connection
	finder  *cluster.Finder
	err     error
}

func (l *look) find(manifests ...string) []cluster.Found {
	if l.err != nil {
		return nil
	}
	var found []cluster.Found
	found, l.err = l.finder.Find(l.ctx, l.Namespace, manifests...)
	return found
}

func (l *look) list(group, resource, namespace string) []cluster.Found {
	if l.err != nil {
		return nil
	}
	var found []cluster.Found
	found, l.err = l.finder.List(l.ctx, schema.GroupResource{Group: group, Resource: resource}, namespace, "")
	return found
}

// record reads what the newest record and the one that is deployed name: a
// failed upgrade may have left objects of both.
func (l *look) record(history []*helm.Release) {
	last := history[0]
	l.Status, l.Revision = last.Info.Status.String(), last.Version
	if last.Chart != nil && last.Chart.Metadata != nil {
		l.Version = text.Line(last.Chart.Metadata.Version)
	}
	going, staying := split(last.Manifest)
	if i := slices.IndexFunc(history, func(r *helm.Release) bool { return r.Info.Status == helm.StatusDeployed }); i > 0 {
		more, _ := split(history[i].Manifest)
		going = append(going, more...)
	}
	found := l.find(going...)
	l.argoCD = slices.ContainsFunc(going, isArgoSecret) &&
		!slices.ContainsFunc(found, func(o cluster.Found) bool { return o.Kind == "Secret" && o.Name == argoSecret && l.foreign(o) })
	l.Objects = distinct(slices.DeleteFunc(found, l.foreign))
	l.Kept = distinct(slices.DeleteFunc(l.find(staying...), l.foreign))
	var hooks []string
	for _, hook := range last.Hooks {
		hooks = append(hooks, hook.Manifest)
		if slices.Contains(hook.Events, helm.HookPreDelete) {
			l.Hooks = true
			l.awaited = append(l.awaited, secretsOf(hook.Manifest)...)
		}
	}
	if l.err == nil {
		l.Leftovers, l.err = l.cluster.OfHooks(l.ctx, l.Namespace, hooks...)
	}
}

// foreign reports an object that belongs to no release or to another one: Helm
// would delete it by its name.
func (l *look) foreign(o cluster.Found) bool {
	return !facts.OfRelease(o.Annotations, l.Namespace, l.Release)
}

// split sorts the manifests by whether Helm deletes or keeps the object.
func split(manifest string) (going, staying []string) {
	for _, content := range releaseutil.SplitManifests(manifest) {
		var object metav1.PartialObjectMetadata
		if yaml.Unmarshal([]byte(content), &object) == nil && object.Annotations["helm.sh/resource-policy"] == "keep" {
			staying = append(staying, content)
			continue
		}
		going = append(going, content)
	}
	return going, staying
}

func distinct(objects []cluster.Found) []cluster.Found {
	seen := map[string]bool{}
	return slices.DeleteFunc(objects, func(o cluster.Found) bool {
		key := o.Resource() + "/" + o.Namespace + "/" + o.Name
		known := seen[key]
		seen[key] = true
		return known
	})
}

// others are the other releases of the namespace.
func (l *look) others(c *cluster.Connection) {
	if l.err != nil {
		return
	}
	all, err := release.Records(c, l.Namespace).ListReleases()
	if err != nil {
		l.err = fmt.Errorf("reading Helm's records: %w", err)
		return
	}
	for _, r := range all {
		if r.Name == l.Release || slices.Contains(l.Strangers, r.Name) {
			continue
		}
		l.Strangers = append(l.Strangers, text.Line(r.Name))
		if r.Chart != nil && r.Chart.Metadata != nil && r.Chart.Metadata.Name == ChartName {
			l.Others = append(l.Others, text.Line(r.Name))
		}
	}
}
