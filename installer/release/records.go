package release

import (
	"sync"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage/driver"
)

// records is Helm's storage with fewer writes. Helm stores the whole release
// before each hook, though only the hook's times have changed; on a large
// chart that takes longer than the hooks. Here a record is written when its
// status changes: it says that the release is pending from the first write to
// the last one, which holds all hooks' times.
type records struct {
	driver.Driver
	rendered *chart.Chart // what Helm was given to render
	whole    *chart.Chart // the same with all its files, for the record
	begins   func(*release.Release)

	mu      sync.Mutex
	written map[string]release.Status
}

// newRecords keeps records in a driver. begins is told of each new one before
// anything of it is created.
func newRecords(d driver.Driver, rendered, whole *chart.Chart, begins func(*release.Release)) *records {
	return &records{Driver: d, rendered: rendered, whole: whole, begins: begins, written: map[string]release.Status{}}
}

// Create stores a new record.
func (r *records) Create(key string, rls *release.Release) error {
	if err := r.write(key, rls, r.Driver.Create); err != nil {
		return err
	}
	r.begins(rls)
	return nil
}

// Update stores a record again if it says something new.
func (r *records) Update(key string, rls *release.Release) error {
	r.mu.Lock()
	known := r.written[key]
	r.mu.Unlock()
	if rls.Info.Status.IsPending() && known == rls.Info.Status {
		return nil
	}
	return r.write(key, rls, r.Driver.Update)
}

func (r *records) write(key string, rls *release.Release, store func(string, *release.Release) error) error {
	if err := store(key, r.complete(rls)); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written[key] = rls.Info.Status
	return nil
}

// complete puts the files back that were left out for rendering.
func (r *records) complete(rls *release.Release) *release.Release {
	if rls.Chart != r.rendered {
		return rls
	}
	stored, whole := *rls, *rls.Chart
	whole.Files = r.whole.Files
	stored.Chart = &whole
	return &stored
}
