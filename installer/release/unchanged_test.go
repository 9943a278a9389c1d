package release

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	restfake "k8s.io/client-go/rest/fake"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/release/trim"
)

// smallCluster shows one object, which is there or not, to who looks first.
// To Helm it prints.
type smallCluster struct {
	*fake.PrintingKubeClient
	looked, empty, neverReady bool
}

func (c *smallCluster) Build(manifest io.Reader, validate bool) (kube.ResourceList, error) {
	if c.looked {
		return c.PrintingKubeClient.Build(manifest, validate)
	}
	c.looked = true
	code := http.StatusOK
	if c.empty {
		code = http.StatusNotFound
	}
	client := &restfake.RESTClient{NegotiatedSerializer: scheme.Codecs.WithoutConversion(), Client: restfake.CreateHTTPClient(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m"}}`))}, nil
	})}
	mapping := &apimeta.RESTMapping{Resource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Scope: apimeta.RESTScopeNamespace}
	return kube.ResourceList{{Client: client, Mapping: mapping, Namespace: "codefresh", Name: "m"}}, nil
}

func (c *smallCluster) Wait(kube.ResourceList, time.Duration) error {
	if c.neverReady {
		return errors.New("not ready")
	}
	return nil
}

// demoPlan is the least that a plan needs.
func demoPlan(t *testing.T) plan.Plan {
	t.Helper()
	a := answers.Default()
	a.Codefresh.AccountID, a.Codefresh.APIKey = "64f0c0ffee00000000000001", answers.SecretRef{Env: "CF_API_KEY"}
	built, err := plan.Build(a, plan.Sources{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// revisionChart says in which way it was rendered.
func revisionChart() *chart.Chart {
	c := hookedChart()
	c.Templates = append(c.Templates, &chart.File{Name: "templates/r.yaml",
		Data: []byte("kind: ConfigMap\nmetadata: {name: r}\ndata: {revision: '{{ .Release.Revision }} {{ .Release.IsInstall }}'}")})
	return c
}

func operate(d *disk, p plan.Plan, c *chart.Chart, client kube.Interface) (Result, error) {
	small := trim.Chart(c, p.Merged())
	o := &operation{plan: p, values: p.Merged(), ready: &Prepared{Fetched: Fetched{Chart: c}, small: small}, chart: copyOf(small),
		discover: func(context.Context) *chartutil.Capabilities { return chartutil.DefaultCapabilities.Copy() }}
	o.config = &action.Configuration{KubeClient: client, Capabilities: chartutil.DefaultCapabilities.Copy(), Log: func(string, ...any) {},
		Releases: storage.Init(newRecords(d, o.chart, c, func(*release.Release) {}))}
	return o.run(context.Background())
}

func TestASecondInstallChangesNothing(t *testing.T) {
	d, p := newDisk(0), demoPlan(t)
	if _, err := operate(d, p, revisionChart(), printing()); err != nil {
		t.Fatal(err)
	}
	writes := d.writes
	for range 2 {
		got, err := operate(d, p, revisionChart(), &smallCluster{PrintingKubeClient: printing()})
		if err != nil || got.Revision != 1 || !got.Unchanged {
			t.Errorf("gives %+v (%v), want revision 1, unchanged", got, err)
		}
	}
	if d.writes != writes || statuses(t, d) != "deployed" {
		t.Errorf("%d more writes; on record is %s", d.writes-writes, statuses(t, d))
	}
}

func TestWhatIsNewIsInstalled(t *testing.T) {
	other := func(change func(*chart.Chart)) *chart.Chart {
		c := revisionChart()
		change(c)
		return c
	}
	changed := demoPlan(t)
	changed.Values["extra"] = "value"
	tests := map[string]struct {
		plan  plan.Plan
		chart *chart.Chart
		empty bool
	}{
		"values":   {plan: changed, chart: revisionChart()},
		"template": {plan: demoPlan(t), chart: other(func(c *chart.Chart) { c.Templates[0].Data = append(c.Templates[0].Data, "\n# new"...) })},
		"hook":     {plan: demoPlan(t), chart: other(func(c *chart.Chart) { c.Templates[3].Data = append(c.Templates[3].Data, "\nspec: {}"...) })},
		"version":  {plan: demoPlan(t), chart: other(func(c *chart.Chart) { c.Metadata.Version = "1.0.1" })},
		"file":     {plan: demoPlan(t), chart: other(func(c *chart.Chart) { c.Files[0].Data = append(c.Files[0].Data, "more"...) })},
		"default":  {plan: demoPlan(t), chart: other(func(c *chart.Chart) { c.Values["unused"] = 1 })},
		"object":   {plan: demoPlan(t), chart: revisionChart(), empty: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDisk(0)
			if _, err := operate(d, demoPlan(t), revisionChart(), printing()); err != nil {
				t.Fatal(err)
			}
			got, err := operate(d, test.plan, test.chart, &smallCluster{PrintingKubeClient: printing(), empty: test.empty, looked: !test.empty})
			if err != nil || got.Unchanged || got.Revision != 2 {
				t.Errorf("gives %+v (%v), want revision 2", got, err)
			}
		})
	}
}

// After an upgrade the same plan is rendered as that upgrade was.
func TestAfterAnUpgradeNothingChangesEither(t *testing.T) {
	d, p := newDisk(0), demoPlan(t)
	for _, c := range []*chart.Chart{hookedChart(), revisionChart()} {
		if _, err := operate(d, p, c, printing()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := operate(d, p, revisionChart(), printing())
	if err != nil || !got.Unchanged || got.Revision != 2 {
		t.Errorf("gives %+v (%v), want revision 2, unchanged", got, err)
	}
}

func TestAFailedReleaseIsTriedAgain(t *testing.T) {
	d, p := newDisk(0), demoPlan(t)
	failing := &fake.FailingKubeClient{PrintingKubeClient: *printing(), WatchUntilReadyError: errors.New("the hook failed")}
	if _, err := operate(d, p, hookedChart(), failing); err == nil {
		t.Fatal("the hook did not fail")
	}
	if got, err := operate(d, p, hookedChart(), printing()); err != nil || got.Unchanged || got.Revision != 2 {
		t.Errorf("gives %+v (%v), want revision 2", got, err)
	}
}

func TestWhatIsThereIsWaitedFor(t *testing.T) {
	d, p := newDisk(0), demoPlan(t)
	if _, err := operate(d, p, hookedChart(), printing()); err != nil {
		t.Fatal(err)
	}
	if got, err := operate(d, p, hookedChart(), &smallCluster{PrintingKubeClient: printing(), neverReady: true}); err == nil {
		t.Errorf("gives %+v although nothing is ready", got)
	}
}
