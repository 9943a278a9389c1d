package release

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"sync"

	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/release"
)

// unchanged reports whether an install would bring nothing new: the newest
// release is deployed, of the same chart and values, would be rendered the same
// again, and all its objects are there. What cannot be told is left to Helm.
func (o *operation) unchanged(ctx context.Context, history []*release.Release) bool {
	if len(history) == 0 || history[0].Info.Status != release.StatusDeployed {
		return false
	}
	last := history[0]
	return same(last.Config, o.values) && o.rendersTo(ctx, last) && o.allThere(last)
}

// rendersTo renders the chart as the release was: by an install, or by the
// upgrade of its number.
func (o *operation) rendersTo(ctx context.Context, last *release.Release) bool {
	dry := dryRun{plan: o.plan, values: o.values, cluster: o.config.RESTClientGetter, capabilities: o.discover(ctx)}
	if dry.capabilities == nil {
		return false
	}
	for _, revision := range []int{0, last.Version} {
		if dry.revision = revision; revision == 1 {
			return false // it was no upgrade
		}
		rendered, err := dry.render(copyOf(o.ready.small))
		if err != nil {
			return false
		}
		rendered.Chart.Files = o.ready.Chart.Files
		if rendered.Manifest == last.Manifest && sameHooks(rendered.Hooks, last.Hooks) {
			return same(rendered.Chart, last.Chart)
		}
	}
	return false
}

// same compares what things are on record.
func same(a, b any) bool {
	var trees [2]any
	for i, v := range []any{a, b} {
		encoded, err := json.Marshal(v)
		if err != nil || json.Unmarshal(encoded, &trees[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(trees[0], trees[1])
}

func sameHooks(a, b []*release.Hook) bool {
	manifests := map[string]int{}
	for _, hook := range a {
		manifests[hook.Path+"\n"+hook.Manifest]++
	}
	for _, hook := range b {
		manifests[hook.Path+"\n"+hook.Manifest]--
	}
	for _, count := range manifests {
		if count != 0 {
			return false
		}
	}
	return true
}

// width is how many objects are asked for at once.
const width = 8

func (o *operation) allThere(last *release.Release) bool {
	objects, err := o.objects(last)
	if err != nil {
		return false
	}
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		missing bool
	)
	slots := make(chan struct{}, width)
	for _, info := range objects {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if info.Get() != nil {
				mu.Lock()
				missing = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return !missing
}

func (o *operation) objects(r *release.Release) (kube.ResourceList, error) {
	return o.config.KubeClient.Build(bytes.NewBufferString(r.Manifest), false)
}

// nothing is the operation that writes nothing. As any other, it ends when
// everything is ready.
func (o *operation) nothing(last *release.Release) (Result, error) {
	result := resultOf(last)
	result.Unchanged = true
	return result, o.waitFor(last)
}
