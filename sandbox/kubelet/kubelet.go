package kubelet

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	annotationPrefix  = "sandbox.cfwizard.io/"
	outcomeAnnotation = annotationPrefix + "outcome"
)

// Kubelet decides the outcomes.
type Kubelet struct {
	client   kubernetes.Interface
	platform Platform
	logDir   string
	log      *slog.Logger
	queue    workqueue.TypedRateLimitingInterface[types.NamespacedName]
	factory  informers.SharedInformerFactory
	pods     cache.SharedIndexInformer

	mu     sync.Mutex
	faults map[string]Outcome
	hosts  bool // names on the internet answer inside the cluster

	registered, given sync.Map // the UIDs of the pods that are known, and that gave their Git token
}

// New makes a kubelet; Run starts it.
func New(client kubernetes.Interface, platform Platform, logDir string, log *slog.Logger) *Kubelet {
	limiter := workqueue.DefaultTypedControllerRateLimiter[types.NamespacedName]()
	factory := informers.NewSharedInformerFactory(client, 0)
	return &Kubelet{client: client, platform: platform, logDir: logDir, log: log, queue: workqueue.NewTypedRateLimitingQueue(limiter),
		factory: factory, pods: factory.Core().V1().Pods().Informer()}
}

// SetFaults makes containers fail, by container name; "*" is every container
// that is not a hook's. All pods are looked at again.
func (k *Kubelet) SetFaults(faults map[string]Outcome) {
	k.mu.Lock()
	k.faults = maps.Clone(faults)
	k.mu.Unlock()
	k.lookAgain("")
}

// SetHosts says whether the host of a runtime answers inside the cluster.
func (k *Kubelet) SetHosts(answer bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hosts = answer
}

func (k *Kubelet) hostsAnswer() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.hosts
}

// FurnitureLabel marks the pods that stand in every sandbox: faults leave them
// alone.
const FurnitureLabel = "sandbox.cfwizard.io/furniture"

func (k *Kubelet) fault(container string, isJob bool) (Outcome, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if outcome, ok := k.faults[container]; ok {
		return outcome, true
	}
	outcome, ok := k.faults["*"]
	return outcome, ok && !isJob
}

// Run works until the context ends.
func (k *Kubelet) Run(ctx context.Context) {
	_, _ = k.pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.enqueue(o) },
		UpdateFunc: func(_, o any) { k.enqueue(o) },
	})
	// A Secret or ConfigMap that appears or changes may be what a pod waits for.
	again := func(o any) { k.lookAgain(o.(metav1.Object).GetNamespace()) }
	for _, informer := range []cache.SharedIndexInformer{k.factory.Core().V1().Secrets().Informer(), k.factory.Core().V1().ConfigMaps().Informer()} {
		_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: again, UpdateFunc: func(_, o any) { again(o) }})
	}
	k.factory.Start(ctx.Done())
	go func() {
		<-ctx.Done()
		k.queue.ShutDown()
	}()
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() { k.work(ctx) })
	}
	workers.Wait()
}

func (k *Kubelet) enqueue(object any) {
	if pod, ok := object.(*corev1.Pod); ok {
		k.queue.Add(types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name})
	}
}

// lookAgain queues the pods of a namespace, or all of them.
func (k *Kubelet) lookAgain(namespace string) {
	for _, object := range k.pods.GetStore().List() {
		if pod := object.(*corev1.Pod); namespace == "" || pod.Namespace == namespace {
			k.enqueue(pod)
		}
	}
}

func (k *Kubelet) work(ctx context.Context) {
	for {
		key, stop := k.queue.Get()
		if stop {
			return
		}
		again, err := k.reconcile(ctx, key)
		switch {
		case err != nil:
			k.log.Warn("pod", "name", key.String(), "err", err)
			k.queue.AddRateLimited(key)
		case again > 0:
			k.queue.AddAfter(key, again)
		default:
			k.queue.Forget(key)
		}
		k.queue.Done(key)
	}
}

func (k *Kubelet) reconcile(ctx context.Context, key types.NamespacedName) (again time.Duration, err error) {
	object, exists, err := k.pods.GetStore().GetByKey(key.String())
	if err != nil || !exists {
		return 0, err
	}
	pod := object.(*corev1.Pod)
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if pod.Spec.NodeName == "" || pod.DeletionTimestamp != nil || ended {
		return 0, nil
	}
	outcome, err := k.decide(ctx, pod)
	if err != nil {
		return 0, err
	}
	if isReady(pod) && !outcome.Idle {
		if err := k.act(ctx, pod); err != nil {
			return 0, err
		}
	}
	age := time.Since(pod.CreationTimestamp.Time)
	if wait := outcome.After - age; wait > 0 {
		return wait, nil
	}
	return max(outcome.For-age, 0), k.annotate(ctx, pod, outcome)
}

// decide says what a pod's containers do: what a fault says, else wait for
// what is missing, else run.
func (k *Kubelet) decide(ctx context.Context, pod *corev1.Pod) (Outcome, error) {
	container := pod.Spec.Containers[0].Name
	isJob := ownedByJob(pod)
	if outcome, ok := k.fault(container, isJob); ok && outcome.Name != "" && pod.Labels[FurnitureLabel] == "" && outcome.lasts(pod) {
		return outcome, nil
	}
	if !isReady(pod) { // what runs already has what it needs
		if missing, err := k.missing(ctx, pod); err != nil || missing.Name != "" {
			return missing, err
		}
	}
	if isJob {
		return k.runJob(ctx, pod, container)
	}
	return Outcome{Name: "ready"}, nil
}

func ownedByJob(pod *corev1.Pod) bool {
	for _, owner := range pod.OwnerReferences {
		if owner.Kind == "Job" {
			return true
		}
	}
	return false
}

func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
