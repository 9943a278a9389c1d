package removal

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
)

func application(name, namespace string, finalizers ...string) cluster.Found {
	return cluster.Found{Kind: "Application", Namespace: namespace, Name: name, UID: types.UID(namespace + name), Finalizers: finalizers,
		API: schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}}
}

func crd(name string) cluster.Found {
	return cluster.Found{Kind: "CustomResourceDefinition", Name: name}
}

const waits = "resources-finalizer.argocd.argoproj.io"

func TestWhatStandsInTheWayOfARemoval(t *testing.T) {
	kept, gone := []cluster.Found{crd("applications.argoproj.io")}, []cluster.Found{crd("applications.argoproj.io")}
	for name, test := range map[string]struct {
		preview Preview
		options Options
		want    check.Status
		id      string
		says    string
	}{
		"nothing":                      {Preview{Status: "deployed"}, Options{CRDs: true, Namespace: true, Record: true}, check.Pass, "", ""},
		"a wrong release name":         {Preview{Others: []string{"mine"}}, Options{}, check.Fail, "removal.release", "--runtime.release mine"},
		"a runtime of Argo CD":         {Preview{Workloads: []cluster.Found{{Kind: "Deployment", Name: appProxy}}}, Options{}, check.Fail, "removal.not-by-helm", "Argo CD"},
		"another runtime beside it":    {Preview{Status: "deployed", Others: []string{"mine"}, Strangers: []string{"mine"}}, Options{}, check.Pass, "", ""},
		"an Application stays":         {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "codefresh", waits)}}, Options{}, check.Warn, "removal.staying", "kubectl delete applications.argoproj.io a --namespace codefresh"},
		"an Application without any":   {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "codefresh")}}, Options{CRDs: true, Namespace: true}, check.Pass, "", ""},
		"it holds the CRD":             {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "codefresh", waits)}}, Options{CRDs: true}, check.Fail, "removal.held", waits},
		"it holds the namespace":       {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "codefresh", waits)}}, Options{Namespace: true}, check.Fail, "removal.held", waits},
		"it holds a CRD that goes":     {Preview{Status: "deployed", Objects: gone, Resources: []cluster.Found{application("a", "codefresh", waits)}}, Options{}, check.Fail, "removal.held", waits},
		"the runtime's own":            {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "codefresh", waits)}, Applications: []cluster.Found{application("a", "codefresh", waits)}}, Options{CRDs: true}, check.Pass, "", ""},
		"elsewhere, and the CRD stays": {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "other", waits)}}, Options{Namespace: true}, check.Pass, "", ""},
		"elsewhere, and the CRD goes":  {Preview{Status: "deployed", Kept: kept, Resources: []cluster.Found{application("a", "other")}}, Options{CRDs: true}, check.Fail, "removal.crds", "in every namespace"},
		"a neighbour":                  {Preview{Status: "deployed", Workloads: []cluster.Found{{Kind: "Deployment", Name: "shop"}}}, Options{Namespace: true}, check.Fail, "removal.namespace", "Deployment shop"},
		"a neighbour that stays":       {Preview{Status: "deployed", Workloads: []cluster.Found{{Kind: "Deployment", Name: "shop"}}}, Options{}, check.Pass, "", ""},
		"another release":              {Preview{Status: "deployed", Strangers: []string{"shop"}}, Options{Namespace: true}, check.Fail, "removal.namespace", "release shop"},
	} {
		t.Run(name, func(t *testing.T) {
			test.preview.Release, test.preview.Namespace = "rt", "codefresh"
			checks := test.preview.Checks(test.options)
			if got := check.Worst(checks); got != test.want {
				t.Fatalf("is %s, want %s: %+v", got, test.want, checks)
			}
			for _, c := range checks {
				if c.Fix == "" || c.Why == "" {
					t.Errorf("%s has no why or no fix", c.ID)
				}
			}
			if test.id != "" && (checks[0].ID != test.id || !strings.Contains(checks[0].Why+checks[0].Fix, test.says)) {
				t.Errorf("says %+v, want %s with %q", checks[0], test.id, test.says)
			}
		})
	}
}

func TestANamespaceOfKubernetesStays(t *testing.T) {
	for _, name := range []string{"default", "kube-system"} {
		if got := check.Worst((Preview{Status: "deployed", Namespace: name}).Checks(Options{Namespace: true})); got != check.Fail {
			t.Errorf("%s may be deleted: %s", name, got)
		}
	}
}

func TestWhetherThereIsAnythingToRemove(t *testing.T) {
	left := []cluster.Found{crd("applications.argoproj.io")}
	for name, test := range map[string]struct {
		preview Preview
		options Options
		want    bool
	}{
		"nothing":                     {Preview{}, Options{Namespace: true, CRDs: true}, true},
		"a release":                   {Preview{Status: "failed"}, Options{}, false},
		"our Secret":                  {Preview{Ours: []cluster.Found{{Kind: "Secret", Name: "cfwizard-tokens"}}}, Options{}, false},
		"CRDs that are to stay":       {Preview{Kept: left}, Options{}, true},
		"CRDs that are to go as well": {Preview{Kept: left}, Options{CRDs: true}, false},
	} {
		if got := test.preview.Nothing(test.options); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// The Jobs of the chart would wait for ever for a Secret that is not there.
func TestWhichSecretsAHookNeeds(t *testing.T) {
	const job = `{apiVersion: batch/v1, kind: Job, metadata: {name: delete-runtime}, spec: {template: {spec: {containers: [{env: [
		{name: USER_TOKEN, valueFrom: {secretKeyRef: {name: cfwizard-tokens, key: a}}},
		{name: MAYBE, valueFrom: {secretKeyRef: {name: other, key: b, optional: true}}}, {name: URL, value: x}]}]}}}}`
	if got := secretsOf(job); len(got) != 1 || got[0] != "cfwizard-tokens" {
		t.Errorf("needs %v, want cfwizard-tokens", got)
	}
	if p := (Preview{Hooks: true, lacking: []string{"cfwizard-tokens"}}); p.HooksCanRun() {
		t.Error("hooks run without their Secret")
	}
	if p := (Preview{Hooks: true}); !p.HooksCanRun() {
		t.Error("hooks do not run though all is there")
	}
}
