package release

import (
	"context"
	"testing"

	"helm.sh/helm/v3/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/cfwizard/cfwizard/installer/facts"
)

func namedInfo(group, kind, name string) *resource.Info {
	return &resource.Info{Name: name, Mapping: &meta.RESTMapping{GroupVersionKind: schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}}}
}

// A CRD that the chart has no more stays: its resources are others'.
func TestAnUpgradeRemovesNoCRD(t *testing.T) {
	crd, old, same := namedInfo("apiextensions.k8s.io", "CustomResourceDefinition", "products.codefresh.io"), namedInfo("", "Service", "old"), namedInfo("", "Service", "same")
	k := &kubeClient{watcher: speaker(t)}
	left := k.withoutCRDs(kube.ResourceList{crd, old, same}, kube.ResourceList{same})
	if len(left) != 2 || left[0] != old || left[1] != same {
		t.Errorf("Helm sees %v, want all but the CRD", left)
	}
	if whole := k.withoutCRDs(kube.ResourceList{crd}, kube.ResourceList{crd}); len(whole) != 1 {
		t.Error("a CRD that stays in the chart is not upgraded")
	}
}

func TestWhoseAnObjectIs(t *testing.T) {
	w := speaker(t)
	for name, test := range map[string]struct {
		annotations map[string]string
		owns, kept  bool
	}{
		"ours":             {map[string]string{facts.ReleaseNameMark: w.release, facts.ReleaseNamespaceMark: w.namespace}, true, false},
		"ours, to be kept": {map[string]string{facts.ReleaseNameMark: w.release, facts.ReleaseNamespaceMark: w.namespace, kube.ResourcePolicyAnno: kube.KeepPolicy}, true, true},
		"another's":        {map[string]string{facts.ReleaseNameMark: w.release, facts.ReleaseNamespaceMark: "staging"}, false, false},
		"nobody's":         {nil, false, false},
	} {
		live := &unstructured.Unstructured{Object: map[string]any{}}
		live.SetAnnotations(test.annotations)
		if w.owns(live) != test.owns || kept(live) != test.kept {
			t.Errorf("%s: owned %v, kept %v", name, w.owns(live), kept(live))
		}
	}
}

// Helm reads the result of an update also when it failed.
func TestAStoppedUpdateHasAResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := speaker(t)
	w.ctx, w.stopped = ctx, ctx
	cancel()
	k := &kubeClient{watcher: w}
	if result, err := k.Update(nil, nil, false); result == nil || err == nil {
		t.Errorf("gave %v, %v", result, err)
	}
	if result, err := k.Create(nil); result == nil || err == nil {
		t.Errorf("gave %v, %v", result, err)
	}
}
