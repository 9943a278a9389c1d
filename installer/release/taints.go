package release

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const (
	nodesLooked = 500
	sawTaint    = "untolerated taint"
)

// taints are those of the nodes. Newer schedulers say that there is one in the
// way, and not which.
type taints struct {
	mu    sync.Mutex
	found []string
	at    time.Time
	busy  bool
}

func (t *taints) snapshot() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found
}

// begin reports whether it is time to read them.
func (t *taints) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy || time.Since(t.at) < logRefresh {
		return false
	}
	t.busy = true
	return true
}

func (t *taints) end(found []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.found, t.at, t.busy = found, time.Now(), false
}

// readTaints reads the nodes' taints while one is in the way of a pod.
func (w *watcher) readTaints(ctx context.Context, symptoms []symptom) {
	inTheWay := slices.ContainsFunc(symptoms, func(s symptom) bool {
		return s.Reason == unschedulable && strings.Contains(s.Message, sawTaint)
	})
	if !inTheWay || !w.taints.begin() {
		return
	}
	w.work.Go(func() {
		call, cancel := context.WithTimeout(ctx, logTimeout)
		defer cancel()
		w.taints.end(taintsOf(call, w.client))
		w.notify()
	})
}

func taintsOf(ctx context.Context, client kubernetes.Interface) []string {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{Limit: nodesLooked})
	if err != nil {
		return nil
	}
	var found []string
	for _, node := range nodes.Items {
		for _, taint := range node.Spec.Taints {
			if taint.Effect != corev1.TaintEffectPreferNoSchedule {
				found = append(found, taint.ToString())
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// withTaints adds which taints there are to the scheduler's words.
func (e evidence) withTaints(message string) string {
	if !strings.Contains(message, sawTaint) || strings.Contains(message, sawTaint+" {") || len(e.taints) == 0 {
		return message
	}
	return message + " The nodes have the taints {" + strings.Join(e.taints, ", ") + "}."
}
