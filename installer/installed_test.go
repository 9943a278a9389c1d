package installer

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func runtimeIn(namespace, release string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: runtimeMap, Namespace: namespace}, Data: map[string]string{"helmReleaseName": release}}
}

// The only runtime is meant; of several, the one that is named.
func TestFindRelease(t *testing.T) {
	one, two, old := runtimeIn("codefresh", "cf-gitops-runtime"), runtimeIn("team", "team-runtime"), runtimeIn("cli", "")
	for name, c := range map[string]struct {
		there              []*corev1.ConfigMap
		namespace, release string
		want, cause        string
	}{
		"the only one":              {[]*corev1.ConfigMap{one, old}, "", "", "codefresh/cf-gitops-runtime", ""},
		"none":                      {nil, "", "", "", "no-runtime"},
		"only one of the old CLI":   {[]*corev1.ConfigMap{old}, "", "", "", "no-runtime"},
		"several":                   {[]*corev1.ConfigMap{one, two}, "", "", "", "many-runtimes"},
		"several, namespace named":  {[]*corev1.ConfigMap{one, two}, "team", "", "team/team-runtime", ""},
		"several, release named":    {[]*corev1.ConfigMap{one, two}, "", "team-runtime", "team/team-runtime", ""},
		"both named":                {nil, "a", "b", "a/b", ""},
		"another namespace's":       {[]*corev1.ConfigMap{one}, "team", "", "", "no-runtime"},
		"a release that is not one": {[]*corev1.ConfigMap{one}, "", "other", "", "no-runtime"},
	} {
		client := fake.NewClientset()
		for _, each := range c.there {
			if err := client.Tracker().Add(each.DeepCopy()); err != nil {
				t.Fatal(err)
			}
		}
		found, err := findRelease(t.Context(), &cluster.Connection{Client: client}, c.namespace, c.release)
		switch {
		case c.cause != "" && (err == nil || problem.All(err)[0].Cause != c.cause || problem.All(err)[0].Fix == ""):
			t.Errorf("%s: %v, want cause %s", name, err, c.cause)
		case c.cause == "" && (err != nil || found.String() != c.want):
			t.Errorf("%s: %v, %v, want %s", name, found, err, c.want)
		case c.cause == "many-runtimes" && !strings.Contains(err.(*problem.Problem).Fix, "-n team --release team-runtime"):
			t.Errorf("%s: the fix names no choice: %v", name, err)
		}
	}
}
