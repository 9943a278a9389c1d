package release

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// Changes are what an upgrade would do to the objects of a release.
type Changes struct {
	Version    string   `json:"version"` // of the chart that it brings
	Added      []Object `json:"added"`
	Changed    []Object `json:"changed"`
	Removed    []Object `json:"removed"`
	Relabelled int      `json:"relabelled"` // objects that only name another chart version
	CRDs       []string `json:"crds"`       // added or changed ones
	LeftCRDs   []string `json:"leftCrds"`   // of crds folders, which Helm never upgrades, and those that the chart has no more
	Hooks      []Object `json:"hooks"`      // added or changed ones
}

// Empty reports whether nothing of the release would change.
func (c Changes) Empty() bool {
	return len(c.Added)+len(c.Changed)+len(c.Removed)+c.Relabelled+len(c.CRDs)+len(c.Hooks) == 0
}

// Compare renders the plan as the upgrade of a record, and tells what differs.
// Where it renders to the record itself, under the record's own number, there
// is no upgrade to be made.
func Compare(ctx context.Context, p plan.Plan, c *cluster.Connection, last *release.Release) (Changes, error) {
	ready, err := gather(ctx, p, c)
	if err != nil {
		return Changes{}, err
	}
	dry := dryRun{plan: p, values: p.Merged(), capabilities: capabilitiesOf(ctx, c)}
	if dry.capabilities != nil {
		dry.cluster = c.Getter
	}
	var changes Changes
	for _, revision := range revisions(ready, last) {
		dry.revision = revision
		rendered, err := dry.render(copyOf(ready.small))
		if err != nil {
			return Changes{}, err
		}
		if changes = compare(last, rendered); changes.Empty() {
			break
		}
	}
	changes.Version, changes.LeftCRDs = ready.Chart.Metadata.Version, append(KeptCRDs(ready.Chart), changes.LeftCRDs...)
	return changes, nil
}

// revisions are those to render as: for the chart that is there already first
// as it was, by an install or an upgrade.
func revisions(ready *Prepared, last *release.Release) []int {
	next := last.Version + 1
	if last.Chart == nil || last.Chart.Metadata == nil || last.Chart.Metadata.Version != ready.Chart.Metadata.Version {
		return []int{next}
	}
	if last.Version == 1 {
		return []int{0, next}
	}
	var back int
	if _, err := fmt.Sscanf(last.Info.Description, "Rollback to %d", &back); err == nil && back > 1 {
		return []int{back, 0, next} // it was rendered long ago
	}
	return []int{last.Version, 0, next}
}

func compare(before, after *release.Release) Changes {
	c := Changes{Added: []Object{}, Changed: []Object{}, Removed: []Object{}, CRDs: []string{}, LeftCRDs: []string{}, Hooks: []Object{}}
	old, now := parsed(before.Namespace, before.Manifest), parsed(after.Namespace, after.Manifest)
	for object, content := range now {
		was, known := old[object]
		isCRD := object.Kind == "CustomResourceDefinition"
		switch {
		case known && reflect.DeepEqual(was, content):
		case known && reflect.DeepEqual(unversioned(was), unversioned(content)):
			c.Relabelled++
		case isCRD:
			c.CRDs = append(c.CRDs, object.Name)
		case known:
			c.Changed = append(c.Changed, object)
		default:
			c.Added = append(c.Added, object)
		}
	}
	for object := range old {
		switch _, stays := now[object]; {
		case stays:
		case object.Kind == "CustomResourceDefinition":
			c.LeftCRDs = append(c.LeftCRDs, object.Name)
		default:
			c.Removed = append(c.Removed, object)
		}
	}
	slices.Sort(c.LeftCRDs)
	c.Hooks = changedHooks(before, after)
	slices.Sort(c.CRDs)
	for _, list := range [][]Object{c.Added, c.Changed, c.Removed, c.Hooks} {
		slices.SortFunc(list, func(a, b Object) int {
			return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
		})
	}
	return c
}

func changedHooks(before, after *release.Release) []Object {
	changed := []Object{}
	old, now := parsed(before.Namespace, hooksOf(before)), parsed(after.Namespace, hooksOf(after))
	for object, content := range now {
		if !reflect.DeepEqual(unversioned(old[object]), unversioned(content)) {
			changed = append(changed, object)
		}
	}
	return changed
}

func hooksOf(r *release.Release) string {
	var all strings.Builder
	for _, hook := range r.Hooks {
		all.WriteString("---\n" + hook.Manifest + "\n")
	}
	return all.String()
}

// parsed reads the objects of a manifest.
func parsed(namespace, manifest string) map[Object]any {
	found := map[Object]any{}
	for _, document := range releaseutil.SplitManifests(manifest) {
		var about metav1.PartialObjectMetadata
		var content any
		if yaml.Unmarshal([]byte(document), &about) != nil || about.Name == "" || yaml.Unmarshal([]byte(document), &content) != nil {
			continue
		}
		found[Object{Kind: about.Kind, Namespace: cmp.Or(about.Namespace, namespace), Name: about.Name}] = content
	}
	return found
}

// unversioned leaves out the labels that name the chart's version: they differ
// on every object of every upgrade.
func unversioned(node any) any {
	switch n := node.(type) {
	case map[string]any:
		copied := make(map[string]any, len(n))
		for key, value := range n {
			if key != "helm.sh/chart" && key != "app.kubernetes.io/version" {
				copied[key] = unversioned(value)
			}
		}
		return copied
	case []any:
		copied := make([]any, len(n))
		for i, value := range n {
			copied[i] = unversioned(value)
		}
		return copied
	}
	return node
}
