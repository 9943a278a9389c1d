package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
	helmtime "helm.sh/helm/v3/pkg/time"

	"github.com/cfwizard/cfwizard/installer/release/trim"
)

// disk keeps records as text, as a cluster does, until the process dies: from
// a given write on, nothing arrives any more.
type disk struct {
	*driver.Memory
	writes, dies int
}

var errDead = errors.New("the process is dead")

func newDisk(dies int) *disk {
	d := &disk{Memory: driver.NewMemory(), dies: dies}
	d.SetNamespace("codefresh")
	return d
}

func (d *disk) Create(key string, r *release.Release) error { return d.keep(key, r, d.Memory.Create) }
func (d *disk) Update(key string, r *release.Release) error { return d.keep(key, r, d.Memory.Update) }

func (d *disk) keep(key string, r *release.Release, store func(string, *release.Release) error) error {
	if d.writes++; d.dies > 0 && d.writes >= d.dies {
		return errDead
	}
	return store(key, reread(r))
}

func (d *disk) Query(labels map[string]string) ([]*release.Release, error) {
	found, err := d.Memory.Query(labels)
	for i, r := range found {
		found[i] = reread(r)
	}
	return found, err
}

func reread(r *release.Release) *release.Release {
	var copied release.Release
	encoded, err := json.Marshal(r)
	if err = errors.Join(err, json.Unmarshal(encoded, &copied)); err != nil {
		panic(err)
	}
	return &copied
}

// records are what is on a disk, the oldest first.
func (d *disk) records(t *testing.T) []*release.Release {
	t.Helper()
	all, err := d.List(func(*release.Release) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	sorted := make([]*release.Release, len(all))
	for _, r := range all {
		sorted[r.Version-1] = reread(r)
	}
	return sorted
}

// hookedChart has hooks, and files that no template reads.
func hookedChart() *chart.Chart {
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "demo", Version: "1.0.0", APIVersion: "v2"}, Values: map[string]any{"x": "y"},
		Files:     []*chart.File{{Name: "README.md", Data: []byte(strings.Repeat("words ", 1000))}},
		Templates: []*chart.File{{Name: "templates/m.yaml", Data: []byte("{{ $c := deepCopy . }}kind: ConfigMap\nmetadata: {name: m}\ndata: {x: {{ .Values.x }}}")}}}
	for i, event := range []string{"pre-install,pre-upgrade", "pre-install", "post-install,post-upgrade"} {
		for j := range 3 {
			c.Templates = append(c.Templates, &chart.File{Name: fmt.Sprintf("templates/hook-%d-%d.yaml", i, j),
				Data: fmt.Appendf(nil, "kind: Job\nmetadata:\n  name: hook-%d-%d\n  annotations: {helm.sh/hook: %q}", i, j, event)})
		}
	}
	return c
}

// perform installs, or upgrades, with records on the given disk.
func perform(d driver.Driver, rendered *chart.Chart, upgrade bool, client kube.Interface) error {
	config := &action.Configuration{Releases: storage.Init(d), KubeClient: client, Capabilities: chartutil.DefaultCapabilities.Copy(), Log: func(string, ...any) {}}
	if upgrade {
		_, err := action.NewUpgrade(config).Run("r", rendered, map[string]any{"x": "z"})
		return err
	}
	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace = "r", "codefresh"
	_, err := install.Run(rendered, map[string]any{"x": "z"})
	return err
}

func printing() *fake.PrintingKubeClient { return &fake.PrintingKubeClient{Out: io.Discard} }

// withRecords performs with our records around a disk.
func withRecords(d driver.Driver, upgrade bool, client kube.Interface) error {
	whole := hookedChart()
	small := copyOf(trim.Chart(whole, nil))
	if len(small.Files) != 0 {
		return errors.New("the chart was not trimmed")
	}
	return perform(newRecords(d, small, whole, func(*release.Release) {}), small, upgrade, client)
}

// onRecord is what is on a disk, without times.
func onRecord(t *testing.T, d *disk) string {
	t.Helper()
	out := ""
	for _, r := range d.records(t) {
		r.Info.FirstDeployed, r.Info.LastDeployed = helmtime.Time{}, helmtime.Time{}
		for _, hook := range r.Hooks {
			if hook.LastRun.Phase != "" && (hook.LastRun.StartedAt.IsZero() || hook.LastRun.CompletedAt.IsZero()) {
				t.Errorf("hook %s has no times", hook.Name)
			}
			hook.LastRun.StartedAt, hook.LastRun.CompletedAt = helmtime.Time{}, helmtime.Time{}
		}
		encoded, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out += string(encoded) + "\n"
	}
	return out
}

func TestTheRecordIsHelms(t *testing.T) {
	ours, helms := newDisk(0), newDisk(0)
	for _, upgrade := range []bool{false, true} {
		if err := errors.Join(withRecords(ours, upgrade, printing()), perform(helms, hookedChart(), upgrade, printing())); err != nil {
			t.Fatal(err)
		}
		if got, want := onRecord(t, ours), onRecord(t, helms); got != want {
			t.Errorf("upgrade %t: the record is\n%s\nwant\n%s", upgrade, got, want)
		}
	}
	if !strings.Contains(onRecord(t, ours), "README.md") {
		t.Error("the record lacks the chart's files")
	}
	if ours.writes != 5 || helms.writes < 15 {
		t.Errorf("%d writes against helm's %d, want 5: two for the install, three for the upgrade", ours.writes, helms.writes)
	}
}

func TestAFailedRunIsOnRecord(t *testing.T) {
	ours, helms := newDisk(0), newDisk(0)
	failing := func() kube.Interface {
		return &fake.FailingKubeClient{PrintingKubeClient: *printing(), WatchUntilReadyError: errors.New("the hook failed")}
	}
	first, second := withRecords(ours, false, failing()), perform(helms, hookedChart(), false, failing())
	if first == nil || second == nil {
		t.Fatal("the hook did not fail")
	}
	if got, want := onRecord(t, ours), onRecord(t, helms); got != want || !strings.Contains(got, `"status":"failed"`) {
		t.Errorf("the record is\n%s\nwant\n%s", got, want)
	}
}

// A process that dies at any write leaves nothing, a pending release, or the
// finished one.
func TestADeadProcessLeavesAPendingRelease(t *testing.T) {
	for _, upgrade := range []bool{false, true} {
		for dies := 1; dies <= 4; dies++ {
			d := newDisk(0)
			if upgrade {
				if err := withRecords(d, false, printing()); err != nil {
					t.Fatal(err)
				}
			}
			d.writes, d.dies = 0, dies
			_ = withRecords(d, upgrade, printing())
			if got, want := statuses(t, d), wantStatuses(upgrade, dies); got != want {
				t.Errorf("upgrade %t, dead at write %d: %s, want %s", upgrade, dies, got, want)
			}
		}
	}
}

func wantStatuses(upgrade bool, dies int) string {
	if upgrade {
		return []string{"deployed", "deployed pending-upgrade", "superseded pending-upgrade", "superseded deployed"}[dies-1]
	}
	return []string{"", "pending-install", "deployed", "deployed"}[dies-1]
}

func statuses(t *testing.T, d *disk) string {
	t.Helper()
	var found []string
	for _, r := range d.records(t) {
		found = append(found, string(r.Info.Status))
	}
	return strings.Join(found, " ")
}
