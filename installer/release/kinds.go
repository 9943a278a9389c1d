package release

import (
	"context"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// kinds are the watches of the namespace, one for each kind that an
// installation waits for, and one of the namespace itself.
type kinds struct {
	factory   informers.SharedInformerFactory
	itself    informers.SharedInformerFactory
	informers map[string]cache.SharedIndexInformer
	seen      map[string]cache.DoneChecker // what was there at first was handled

	mu         sync.Mutex
	unreadable map[string]chan struct{} // closed where reading is refused
}

func (w *watcher) watchKinds() *kinds {
	k := &kinds{informers: map[string]cache.SharedIndexInformer{}, seen: map[string]cache.DoneChecker{}, unreadable: map[string]chan struct{}{}}
	k.factory = informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithNamespace(w.namespace), informers.WithTransform(slim))
	k.itself = informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithTransform(slim),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, w.namespace).String()
		}))
	apps, core := k.factory.Apps().V1(), k.factory.Core().V1()
	k.add(w, "Deployment", apps.Deployments().Informer())
	k.add(w, "ReplicaSet", apps.ReplicaSets().Informer())
	k.add(w, "StatefulSet", apps.StatefulSets().Informer())
	k.add(w, "DaemonSet", apps.DaemonSets().Informer())
	k.add(w, "Job", k.factory.Batch().V1().Jobs().Informer())
	k.add(w, "Pod", core.Pods().Informer())
	k.add(w, "PersistentVolumeClaim", core.PersistentVolumeClaims().Informer())
	k.add(w, "Service", core.Services().Informer())
	k.add(w, "Namespace", k.itself.Core().V1().Namespaces().Informer())
	return k
}

// add hears the changes of a kind.
func (k *kinds) add(w *watcher, kind string, informer cache.SharedIndexInformer) {
	k.informers[kind], k.unreadable[kind] = informer, make(chan struct{})
	_ = informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		if w.deaf(err) {
			k.giveUp(kind)
		}
		w.doubt()
	})
	handlers, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, before bool) { w.see(object, before) },
		UpdateFunc: func(_, object any) { w.see(object, false) },
		DeleteFunc: func(any) { w.heard(); w.notify() },
	})
	if err != nil {
		k.giveUp(kind) // only a stopped informer refuses
		return
	}
	k.seen[kind] = handlers.HasSyncedChecker()
}

func (k *kinds) giveUp(kind string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.unreadable[kind]:
	default:
		close(k.unreadable[kind])
	}
}

func (k *kinds) start(ctx context.Context) {
	k.factory.StartWithContext(ctx)
	k.itself.StartWithContext(ctx)
}

func (k *kinds) stop() {
	k.factory.Shutdown()
	k.itself.Shutdown()
}

// synced waits until each kind was read once, or is known to be unreadable.
func (k *kinds) synced(ctx context.Context) {
	for kind, seen := range k.seen {
		select {
		case <-seen.Done():
		case <-k.unreadable[kind]:
		case <-ctx.Done():
			return
		}
	}
}

// objects gives what was seen. A kind that was not read is not in it.
func (k *kinds) objects() objects {
	seen := objects{}
	for kind, informer := range k.informers {
		if informer.HasSynced() {
			seen[kind] = informer.GetStore()
		}
	}
	return seen
}

// slim drops what nobody here reads.
func slim(object any) (any, error) {
	if about, ok := object.(metav1.Object); ok {
		about.SetManagedFields(nil)
	}
	return object, nil
}

// see takes up one object. Pods and Jobs that were there before this run are
// remembered as such, until they change.
func (w *watcher) see(object any, before bool) {
	w.heard()
	switch o := object.(type) {
	case *corev1.Pod:
		w.remember(o, before)
	case *batchv1.Job:
		w.remember(o, before)
	case *corev1.Namespace:
		w.seeNamespace(o)
	}
	w.notify()
}

func (w *watcher) remember(o metav1.Object, before bool) {
	if !before {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.old[o.GetUID()] = o.GetResourceVersion()
}

func (w *watcher) seeNamespace(namespace *corev1.Namespace) {
	s := symptom{Object: Object{Kind: "Namespace", Name: namespace.Name}}
	if namespace.Status.Phase == corev1.NamespaceTerminating || namespace.DeletionTimestamp != nil {
		s.Reason, s.Message = terminating, "namespace "+namespace.Name+" is being deleted"
	}
	w.note(terminating, s)
}

// ownerOfReplicaSet is the Deployment above a ReplicaSet, or itself.
func (o objects) ownerOfReplicaSet(object Object) Object {
	if set, ok := find[appsv1.ReplicaSet](o, object.Kind, object.Namespace, object.Name); ok {
		if above := metav1.GetControllerOf(set); above != nil {
			return Object{Kind: above.Kind, Namespace: object.Namespace, Name: above.Name}
		}
	}
	return object
}
