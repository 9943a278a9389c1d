package release

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// watcher follows the namespace while Helm works. It tells what each workload
// waits for, and ends the installation when it sees a cause that no waiting
// mends.
type watcher struct {
	client    kubernetes.Interface
	namespace string
	release   string
	task      Task
	tell      *teller
	stopped   context.Context // the person's: cancelled when they stop it
	ctx       context.Context // this run's: cancelled by a verdict too
	cancel    context.CancelCauseFunc
	ping      func(context.Context) error
	kinds     *kinds
	events    *happened
	logs      *logs
	taints    taints
	listening chan struct{} // closed when Kubernetes events are heard
	doubts    chan struct{} // holds a signal that the API server may be gone
	work      sync.WaitGroup
	hearing   sync.Once

	mu       sync.Mutex
	own      map[Object]bool
	old      map[types.UID]string // pods and Jobs from before, by their resource version
	noted    map[string]symptom
	lastTime time.Time // when the API server was last heard
	verdict  *problem.Problem
	wake     map[chan struct{}]bool
	told     map[Object]string
}

// watch begins. Nothing is waited for: what is created first waits in hello.
func watch(ctx context.Context, r Request, t *teller) *watcher {
	w := &watcher{client: r.Cluster.Client, namespace: r.Plan.Namespace, release: r.Plan.Release, task: r.Task, tell: t, stopped: ctx,
		events: newHappened(), listening: make(chan struct{}), doubts: make(chan struct{}, 1), lastTime: time.Now(),
		own: map[Object]bool{}, old: map[types.UID]string{}, noted: map[string]symptom{}, wake: map[chan struct{}]bool{}, told: map[Object]string{}}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.ping = func(ctx context.Context) error {
		return r.Cluster.Client.Discovery().RESTClient().Get().AbsPath("/livez").Do(ctx).Error()
	}
	w.logs = newLogs(r.Cluster.Client, w.namespace, w.notify, w.tellLine)
	w.kinds = w.watchKinds()
	w.begin()
	return w
}

func (w *watcher) begin() {
	w.kinds.start(w.ctx)
	w.work.Go(func() {
		w.followEvents(w.ctx, func() { w.hearing.Do(func() { close(w.listening) }) })
	})
	w.work.Go(func() { w.listen(w.ctx) })
	w.work.Go(func() { w.look(w.ctx, newJudge(causes, time.Now)) })
}

// stop ends all that watches, and returns when it has ended.
func (w *watcher) stop() {
	w.cancel(context.Canceled)
	w.kinds.stop()
	w.work.Wait()
	w.logs.wait()
}

// hello waits until the watches have seen what is there already, so that it is
// not taken for this run's. What may not be read is done without.
func (w *watcher) hello(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	w.kinds.synced(ctx)
	select {
	case <-w.listening:
	case <-ctx.Done():
	}
}

const helloTimeout = 10 * time.Second

// belongs remembers what the release and its hooks bring. Only that is judged.
func (w *watcher) belongs(objects ...Object) {
	w.mu.Lock()
	for _, object := range objects {
		w.own[object] = true
	}
	w.mu.Unlock()
	w.notify()
}

// ours finds what of ours an event's object belongs to.
func (w *watcher) ours(about corev1.ObjectReference) (Object, bool) {
	object := Object{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name}
	switch object.Kind {
	case "Pod":
		if pod, ok := find[corev1.Pod](w.kinds.objects(), "Pod", object.Namespace, object.Name); ok {
			object = w.kinds.objects().workloadOf(pod)
		}
	case "ReplicaSet":
		object = w.kinds.objects().ownerOfReplicaSet(object)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return object, w.own[object]
}

// condemn ends the installation: no waiting mends this.
func (w *watcher) condemn(p *problem.Problem) {
	w.blame(p)
	w.cancel(p)
}

// blame keeps the first cause: Helm makes mere words of the errors it gets.
func (w *watcher) blame(p *problem.Problem) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.verdict == nil {
		w.verdict = p
	}
}

// note keeps a symptom of something that is not in the namespace's watches;
// an empty reason takes it back.
func (w *watcher) note(about string, s symptom) {
	w.mu.Lock()
	if s.Reason == "" {
		delete(w.noted, about)
	} else {
		w.noted[about] = s
	}
	w.mu.Unlock()
	w.notify()
}

// subscribe gives a channel that holds a signal after every change.
func (w *watcher) subscribe() (changes <-chan struct{}, end func()) {
	channel := make(chan struct{}, 1)
	channel <- struct{}{}
	w.mu.Lock()
	w.wake[channel] = true
	w.mu.Unlock()
	return channel, func() {
		w.mu.Lock()
		delete(w.wake, channel)
		w.mu.Unlock()
	}
}

func (w *watcher) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for channel := range w.wake {
		select {
		case channel <- struct{}{}:
		default:
		}
	}
}

// deaf reports that something may not be read, which no waiting mends.
func (w *watcher) deaf(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsNotFound(err)
}

func (w *watcher) tellLine(job, line string) {
	w.tell.tell(Event{Type: LogEvent, Object: &Object{Kind: "Job", Namespace: w.namespace, Name: job}, Message: line})
}
