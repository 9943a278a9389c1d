package release

import (
	"cmp"
	"slices"

	"helm.sh/helm/v3/pkg/release"
)

// tellHooks tells which hooks will run, so that it can be seen how many are
// left.
func (w *watcher) tellHooks(rls *release.Release) {
	events := []release.HookEvent{release.HookPreInstall, release.HookPostInstall}
	if rls.Info.Status == release.StatusPendingUpgrade {
		events = []release.HookEvent{release.HookPreUpgrade, release.HookPostUpgrade}
	}
	for _, event := range events {
		w.tellHooksOf(rls.Hooks, event)
	}
}

// tellHooksOf tells the hooks of one event in the order in which Helm runs them.
func (w *watcher) tellHooksOf(hooks []*release.Hook, event release.HookEvent) {
	hooks = slices.DeleteFunc(slices.Clone(hooks), func(h *release.Hook) bool {
		return h.Kind != "Job" && h.Kind != "Pod" || !slices.Contains(h.Events, event)
	})
	slices.SortStableFunc(hooks, func(a, b *release.Hook) int { return cmp.Or(a.Weight-b.Weight, cmp.Compare(a.Name, b.Name)) })
	for _, hook := range hooks {
		w.tell.tell(Event{Type: ObjectEvent, Phase: Hooks, Object: &Object{Kind: hook.Kind, Namespace: w.namespace, Name: hook.Name}, State: Ahead})
	}
}
