package release

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/cfwizard/cfwizard/installer/text"
)

// watcher follows the pods and Jobs of the namespace while Helm works. It
// tells what each workload waits for, and remembers it for the diagnosis.
type watcher struct {
	client    kubernetes.Interface
	namespace string
	tell      *teller
	cancel    context.CancelFunc
	informers informers.SharedInformerFactory

	mu       sync.Mutex
	waiting  map[string]string // workload → what it waits for
	logs     map[string]string // failed Job → its log
	leftover map[types.UID]bool
}

func watch(ctx context.Context, r Request, t *teller) *watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{client: r.Cluster.Client, namespace: r.Plan.Namespace, tell: t, cancel: cancel,
		waiting: map[string]string{}, logs: map[string]string{}, leftover: map[types.UID]bool{}}
	w.informers = informers.NewSharedInformerFactoryWithOptions(r.Cluster.Client, 0, informers.WithNamespace(r.Plan.Namespace))
	w.follow(w.informers.Core().V1().Pods().Informer(), func(o any, old bool) { w.pod(o.(*corev1.Pod), old) })
	w.follow(w.informers.Batch().V1().Jobs().Informer(), func(o any, old bool) { w.job(ctx, o.(*batchv1.Job), old) })
	w.informers.Start(ctx.Done())
	w.informers.WaitForCacheSync(ctx.Done())
	return w
}

// follow sees every object that is there or comes; old says that it was there
// before this run began.
func (w *watcher) follow(informer cache.SharedIndexInformer, see func(o any, old bool)) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(o any, inInitialList bool) { see(o, inInitialList) }, UpdateFunc: func(_, o any) { see(o, false) },
	})
}

func (w *watcher) stop() {
	w.cancel()
	w.informers.Shutdown()
}

// pod tells what a pod's workload waits for, once for each reason. Pods that
// an earlier run's hooks left behind say nothing about this one.
func (w *watcher) pod(pod *corev1.Pod, old bool) {
	owner, kind := workloadOf(pod)
	if kind == "Job" && w.isOld(pod.UID, old) {
		return
	}
	reason := podReason(pod)
	w.mu.Lock()
	before := w.waiting[owner]
	if reason == "" {
		delete(w.waiting, owner)
	} else {
		w.waiting[owner] = reason
	}
	w.mu.Unlock()
	if reason != "" && reason != before {
		w.tell.tell(Event{Type: ObjectEvent, Object: &Object{Kind: kind, Namespace: pod.Namespace, Name: owner}, State: Waiting, Message: reason})
	}
}

// job reads the log of a Job that failed at once: the Job is removed soon
// after, and its log is the only place that says why.
func (w *watcher) job(ctx context.Context, job *batchv1.Job, old bool) {
	if w.isOld(job.UID, old) || job.Status.Failed == 0 {
		return
	}
	w.mu.Lock()
	_, known := w.logs[job.Name]
	if !known {
		w.logs[job.Name] = ""
	}
	w.mu.Unlock()
	if known {
		return
	}
	log := jobLog(ctx, w.client, job.Namespace, job.Name)
	w.mu.Lock()
	w.logs[job.Name] = log
	w.mu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(log), "\n") {
		w.tell.tell(Event{Type: LogEvent, Object: &Object{Kind: "Job", Namespace: job.Namespace, Name: job.Name}, Message: line})
	}
}

// isOld remembers what was there before this run.
func (w *watcher) isOld(uid types.UID, old bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old {
		w.leftover[uid] = true
	}
	return w.leftover[uid]
}

// stillWaiting lists the workloads that are not ready, with their reasons.
func (w *watcher) stillWaiting() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(w.waiting)) {
		lines = append(lines, fmt.Sprintf("%s: %s", name, w.waiting[name]))
	}
	return lines
}

// podReason says in a few words why a pod is not ready, or nothing.
func podReason(pod *corev1.Pod) string {
	if pod.Status.Phase == corev1.PodSucceeded || pod.DeletionTimestamp != nil {
		return ""
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return "cannot be scheduled: " + text.Line(c.Message)
		}
	}
	for _, s := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if s.State.Waiting != nil && s.State.Waiting.Reason != "PodInitializing" {
			return strings.TrimSuffix(text.Line(s.State.Waiting.Reason+": "+s.State.Waiting.Message), ":")
		}
		if t := s.State.Terminated; t != nil && t.ExitCode != 0 {
			return fmt.Sprintf("ended with exit code %d", t.ExitCode)
		}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return ""
		}
	}
	return "starting"
}

// workloadOf names what a pod belongs to: a Deployment's pods belong to a
// ReplicaSet whose name ends in a hash.
func workloadOf(pod *corev1.Pod) (name, kind string) {
	owner := metav1.GetControllerOf(pod)
	switch {
	case owner == nil:
		return pod.Name, "Pod"
	case owner.Kind == "ReplicaSet":
		return strings.TrimSuffix(owner.Name, "-"+pod.Labels["pod-template-hash"]), "Deployment"
	}
	return owner.Name, owner.Kind
}
