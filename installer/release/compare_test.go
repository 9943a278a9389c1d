package release

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/release"
)

func TestWhatAnUpgradeChanges(t *testing.T) {
	before := &release.Release{Namespace: "codefresh", Manifest: `
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: same, labels: {helm.sh/chart: x-1}}, data: {a: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: relabelled, labels: {helm.sh/chart: x-1}}, data: {a: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: changed, labels: {helm.sh/chart: x-1}}, data: {a: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: removed}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.example.com}, spec: {group: a}}
`, Hooks: []*release.Hook{{Manifest: "{apiVersion: batch/v1, kind: Job, metadata: {name: hook}, spec: {a: 1}}"}}}
	after := &release.Release{Namespace: "codefresh", Manifest: `
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: same, labels: {helm.sh/chart: x-1}}, data: {a: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: relabelled, labels: {helm.sh/chart: x-2}}, data: {a: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: changed, labels: {helm.sh/chart: x-2}}, data: {a: c}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: added, namespace: other}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.example.com}, spec: {group: b}}
`, Hooks: []*release.Hook{{Manifest: "{apiVersion: batch/v1, kind: Job, metadata: {name: hook}, spec: {a: 2}}"}}}
	want := Changes{
		Added: []Object{{"ConfigMap", "other", "added"}}, Changed: []Object{{"ConfigMap", "codefresh", "changed"}}, Removed: []Object{{"ConfigMap", "codefresh", "removed"}},
		Relabelled: 1, CRDs: []string{"a.example.com"}, LeftCRDs: []string{}, Hooks: []Object{{"Job", "codefresh", "hook"}},
	}
	got := compare(before, after)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Empty() || !compare(before, before).Empty() {
		t.Error("what changes is not told from what does not")
	}
}
