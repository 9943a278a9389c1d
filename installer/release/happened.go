package release

import (
	"context"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"

	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	happenedLimit  = 4096 // reasons of objects that are remembered
	happenedLength = 1000 // of a message
	watchPause     = time.Second
)

// happened remembers the newest Kubernetes event of each object and reason,
// and of those only so many: a namespace may have any number of events.
type happened struct {
	mu     sync.Mutex
	order  int
	newest map[happenedKey]happening
	oldest int
	ring   []happenedKey // in the order in which they came, from the oldest
}

type happenedKey struct {
	object Object
	reason string
}

type happening struct {
	message string
	order   int
	times   int // in a row, with the same message
}

// pullFailed is our word for one of the things that kubelets call Failed.
const pullFailed = "FailedToPull"

func newHappened() *happened { return &happened{newest: map[happenedKey]happening{}} }

// add remembers an event, and tells whether it says something new.
func (h *happened) add(event *corev1.Event) bool {
	about := event.InvolvedObject
	key := happenedKey{Object{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name}, event.Reason}
	if event.Reason == "Failed" && strings.HasPrefix(event.Message, "Failed to pull image") {
		key.reason = pullFailed
	}
	message := text.Shorten(text.Line(event.Message), happenedLength)
	h.mu.Lock()
	defer h.mu.Unlock()
	before, known := h.newest[key]
	if !known {
		h.makeRoom(key)
	}
	h.order++
	now := happening{message: message, order: h.order, times: 1}
	if before.message == message {
		now.times = before.times + 1
	}
	h.newest[key] = now
	return now.times == 1
}

// makeRoom forgets the oldest when there are too many.
func (h *happened) makeRoom(key happenedKey) {
	if len(h.ring) < happenedLimit {
		h.ring = append(h.ring, key)
		return
	}
	delete(h.newest, h.ring[h.oldest])
	h.ring[h.oldest] = key
	h.oldest = (h.oldest + 1) % happenedLimit
}

// last gives the newest event of an object with a reason.
func (h *happened) last(object Object, reason string) (happening, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, ok := h.newest[happenedKey{object, reason}]
	return found, ok
}

// isPulling reports whether the kubelet's last word about a pod's images was
// that it pulls one.
func (h *happened) isPulling(pod Object) bool {
	pulling, ok := h.last(pod, "Pulling")
	if !ok {
		return false
	}
	for _, reason := range []string{"Pulled", "Failed", pullFailed} {
		if other, told := h.last(pod, reason); told && other.order > pulling.order {
			return false
		}
	}
	return true
}

// followEvents hears the events of the namespace from now on. What happened
// before this run is not about it.
func (w *watcher) followEvents(ctx context.Context, listening func()) {
	defer listening()
	events := w.client.CoreV1().Events(w.namespace)
	for ctx.Err() == nil {
		list, err := events.List(ctx, metav1.ListOptions{Limit: 1})
		if w.deaf(err) {
			return
		}
		if err == nil {
			w.hearEvents(ctx, list.ResourceVersion, listening)
		}
		select {
		case <-ctx.Done():
		case <-time.After(watchPause):
		}
	}
}

func (w *watcher) hearEvents(ctx context.Context, from string, listening func()) {
	events, err := watchtools.NewRetryWatcherWithContext(ctx, from, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (apiwatch.Interface, error) {
			return w.client.CoreV1().Events(w.namespace).Watch(ctx, options)
		}})
	if err != nil {
		return
	}
	defer events.Stop()
	listening()
	for heard := range events.ResultChan() {
		event, ok := heard.Object.(*corev1.Event)
		if !ok || heard.Type != apiwatch.Added && heard.Type != apiwatch.Modified {
			continue
		}
		w.heard()
		if w.events.add(event) && event.Type == corev1.EventTypeWarning {
			w.tellWarning(event)
		}
		w.notify()
	}
}

// tellWarning tells what Kubernetes warns of, where it is about us.
func (w *watcher) tellWarning(event *corev1.Event) {
	object, ours := w.ours(event.InvolvedObject)
	if ours {
		w.tell.tell(Event{Type: LogEvent, Object: &object, Message: event.Reason + ": " + event.Message})
	}
}
