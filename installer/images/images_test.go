package images_test

import (
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/images"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/release"
)

const standIn = "../../sandbox/chart/gitops-runtime"

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Helm's warnings about the chart
	os.Exit(m.Run())
}

func load(t *testing.T) *chart.Chart {
	t.Helper()
	fetched, err := release.FetchChart(t.Context(), standIn, "")
	if err != nil {
		t.Fatal(err)
	}
	return fetched.Chart
}

func build(t *testing.T, registry string, places []plan.ImagePlace, change func(*answers.Answers)) plan.Plan {
	t.Helper()
	a := answers.Default()
	a.Codefresh.AccountID, a.Runtime.Chart, a.Images.Registry = "64f0c0ffee00000000000001", standIn, registry
	change(&a)
	built, err := plan.Build(a, plan.Sources{Images: places})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func manifests(t *testing.T, p plan.Plan) string {
	t.Helper()
	rendered, err := release.Manifests(p, load(t))
	if err != nil {
		t.Fatal(err)
	}
	return rendered
}

// In every mode, no image stays outside the registry, and as many are found
// there as were found before.
func TestEveryImageMoves(t *testing.T) {
	const registry = "registry.example.com:5000/mirror"
	places := images.Places(load(t))
	for name, test := range map[string]struct {
		change func(*answers.Answers)
		count  int
	}{
		"tunnel": {func(*answers.Answers) {}, 18},
		"ingress": {func(a *answers.Answers) {
			a.Access.Mode, a.Access.Ingress.Host, a.Access.Ingress.Class = answers.IngressMode, "runtime.example.com", "nginx"
		}, 17},
		"high availability": {func(a *answers.Answers) { a.Options.HA = true }, 23},
		"an Argo CD is there": {func(a *answers.Answers) {
			a.ArgoCD.Mode, a.ArgoCD.Server, a.ArgoCD.RepoServer = "existing", "argocd-server", "argocd-repo"
		}, 15},
	} {
		t.Run(name, func(t *testing.T) {
			before := images.In(manifests(t, build(t, "", places, test.change)), places)
			if len(before) != test.count {
				t.Errorf("%d images, want %d: %s", len(before), test.count, strings.Join(before, " "))
			}
			after := images.In(manifests(t, build(t, registry, places, test.change)), places)
			if left := images.Outside(after, registry); len(left) > 0 {
				t.Errorf("%v stay outside", left)
			}
			var want []string
			for _, source := range before {
				want = append(want, images.Moved(source, registry))
			}
			want = slices.Compact(slices.Sorted(slices.Values(want)))
			// What no container names is found by its old place only.
			want = slices.DeleteFunc(want, func(image string) bool {
				return strings.Contains(image, "argoexec") || strings.Contains(image, "codefreshplugins")
			})
			if diff := cmp.Diff(want, after); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An image that no value moves is found out.
func TestAnImageThatStaysIsNamed(t *testing.T) {
	const rendered = `{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {initContainers: [{image: "docker.io/a/b:1"}], containers: [{image: "r.example.com/c:2"}]}}}}}}`
	if got := images.Outside(images.In(rendered, nil), "r.example.com"); len(got) != 1 || got[0] != "docker.io/a/b:1" {
		t.Errorf("outside are %v", got)
	}
}

func TestWhereValuesNameImages(t *testing.T) {
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "x"}, Values: map[string]any{
		"apart":  map[string]any{"registry": "quay.io", "repository": "a/b", "tag": "1"},
		"joined": map[string]any{"repository": "quay.io/a/c", "tag": ""},
		"hub":    map[string]any{"repository": "a/d", "tag": "1"},
		"word":   map[string]any{"image": "ghcr.io/a/e", "tag": "1"},
		"git":    map[string]any{"repository": "https://example.com/a.git"},
		"link":   map[string]any{"image": "https://example.com/a.png"},
	}}
	want := map[string]any{"apart": map[string]any{"registry": "r"}, "joined": map[string]any{"repository": "r/a/c"},
		"hub": map[string]any{"repository": "r/a/d"}, "word": map[string]any{"image": "r/a/e"}}
	if diff := cmp.Diff(want, plan.ImageValues(images.Places(c), "r/")); diff != "" {
		t.Error(diff)
	}
}

// The table for plans without a chart says nothing else than the chart does.
func TestTheTableIsTheCharts(t *testing.T) {
	const registry = "r.example.com"
	table := build(t, registry, nil, func(*answers.Answers) {})
	derived := build(t, registry, images.Places(load(t)), func(*answers.Answers) {})
	for _, path := range table.Paths() {
		if !slices.Contains(derived.Paths(), path) {
			t.Errorf("the chart has no %s", path)
		}
	}
	if left := images.Outside(images.In(manifests(t, table), images.Places(load(t))), registry); len(left) > 0 {
		t.Errorf("with the table %v stay outside", left)
	}
}
