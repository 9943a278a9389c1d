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

	mu      sync.Mutex
	waiting map[string]string // workload → what it waits for
	logs    map[string]string // failed Job → its log
}

func watch(ctx context.Context, r Request, t *teller) *watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{client: r.Cluster.Client, namespace: r.Plan.Namespace, tell: t, cancel: cancel,
		waiting: map[string]string{}, logs: map[string]string{}}
	w.informers = informers.NewSharedInformerFactoryWithOptions(r.Cluster.Client, 0, informers.WithNamespace(r.Plan.Namespace))
	w.follow(w.informers.Core().V1().Pods().Informer(), func(o any) { w.pod(o.(*corev1.Pod)) })
	w.follow(w.informers.Batch().V1().Jobs().Informer(), func(o any) { w.job(ctx, o.(*batchv1.Job)) })
	w.informers.Start(ctx.Done())
	return w
}

func (w *watcher) follow(informer cache.SharedIndexInformer, see func(any)) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: see, UpdateFunc: func(_, o any) { see(o) },
	})
}

func (w *watcher) stop() {
	w.cancel()
	w.informers.Shutdown()
}

// pod tells what a pod's workload waits for, once for each reason.
func (w *watcher) pod(pod *corev1.Pod) {
	owner, kind := workloadOf(pod)
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
func (w *watcher) job(ctx context.Context, job *batchv1.Job) {
	if job.Status.Failed == 0 {
		return
	}
	w.mu.Lock()
	_, known := w.logs[job.Name]
	w.logs[job.Name] = w.logs[job.Name]
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
	for _, owner := range pod.OwnerReferences {
		if owner.Kind == "ReplicaSet" {
			return strings.TrimSuffix(owner.Name, "-"+pod.Labels["pod-template-hash"]), "Deployment"
		}
		return owner.Name, owner.Kind
	}
	return pod.Name, "Pod"
}
