package release

import (
	"bufio"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	closeUpPods  = 3
	closeUpLines = 100
)

// CloseUp is one object from near: what Kubernetes says about it and its pods,
// the newest last, and the end of its log.
type CloseUp struct {
	Events []Happening
	Log    []string
}

// Happening is one thing that Kubernetes says.
type Happening struct {
	Time            time.Time
	Reason, Message string
}

// LookAt reads an object's events and log, without the given secrets.
func LookAt(ctx context.Context, client kubernetes.Interface, object Object, secrets ...secret.Value) (CloseUp, error) {
	safe := func(words string) string {
		return secret.Redact(text.Shorten(text.Line(words), lineLength), secrets...)
	}
	pods, err := podsOf(ctx, client, object)
	if err != nil {
		return CloseUp{}, err
	}
	names := []string{object.Name}
	for _, pod := range pods {
		names = append(names, pod.Name)
	}
	seen := CloseUp{}
	for _, name := range names {
		list, err := client.CoreV1().Events(object.Namespace).List(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("involvedObject.name", name).String(), Limit: closeUpLines})
		if err != nil {
			return CloseUp{}, err
		}
		for _, e := range list.Items {
			seen.Events = append(seen.Events, Happening{Time: timeOf(e), Reason: text.Line(e.Reason), Message: safe(e.Message)})
		}
	}
	slices.SortStableFunc(seen.Events, func(a, b Happening) int { return a.Time.Compare(b.Time) })
	if len(pods) > 0 {
		seen.Log = tailOf(ctx, client, pods[0], safe)
	}
	return seen, nil
}

// podsOf are an object's newest pods.
func podsOf(ctx context.Context, client kubernetes.Interface, object Object) ([]corev1.Pod, error) {
	list, err := client.CoreV1().Pods(object.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool { return objects{}.workloadOf(&pod) != object })
	slices.SortStableFunc(own, func(a, b corev1.Pod) int { return b.CreationTimestamp.Compare(a.CreationTimestamp.Time) })
	return own[:min(len(own), closeUpPods)], nil
}

// timeOf is when something happened last: Kubernetes says it in three ways.
func timeOf(e corev1.Event) time.Time {
	switch {
	case !e.LastTimestamp.IsZero():
		return e.LastTimestamp.Time
	case e.Series != nil:
		return e.Series.LastObservedTime.Time
	}
	return e.EventTime.Time
}

// tailOf is the end of the log of the container that is not ready, else of the
// first. A container that has not begun has none.
func tailOf(ctx context.Context, client kubernetes.Interface, pod corev1.Pod, safe func(string) string) []string {
	if len(pod.Spec.Containers) == 0 {
		return nil
	}
	container := pod.Spec.Containers[0].Name
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if !status.Ready && (status.State.Terminated == nil || status.State.Terminated.ExitCode != 0) {
			container = status.Name
			break
		}
	}
	wanted := int64(closeUpLines)
	stream, err := client.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{Container: container, TailLines: &wanted}).Stream(ctx)
	if err != nil {
		return nil
	}
	defer stream.Close()
	var lines []string
	scanner := bufio.NewScanner(stream)
	scanner.Buffer(make([]byte, 4<<10), maxLogBytes)
	for scanner.Scan() && len(lines) < closeUpLines {
		lines = append(lines, safe(scanner.Text()))
	}
	return lines
}
