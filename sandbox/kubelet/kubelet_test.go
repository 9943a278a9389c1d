package kubelet

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Faults may come while the kubelet starts: the pods get them all the same.
func TestFaultsComeAtAnyTime(t *testing.T) {
	pod := podOf("app")
	pod.Name, pod.Spec.NodeName = "p", "node"
	k := newKubelet(t, &platform{t: t}, pod)
	changes, err := k.client.CoreV1().Pods(space).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		k.Run(ctx)
		close(ended)
	}()
	for _, want := range []string{"crashed", "ready"} {
		k.SetFaults(map[string]Outcome{"app": {Name: want}})
		awaitOutcome(t, changes, want)
	}
	cancel()
	<-ended
}

func awaitOutcome(t *testing.T, changes watch.Interface, want string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case change := <-changes.ResultChan():
			if pod, ok := change.Object.(*corev1.Pod); ok && pod.Annotations[outcomeAnnotation] == want {
				return
			}
		case <-limit:
			t.Fatalf("no pod became %s", want)
		}
	}
}
