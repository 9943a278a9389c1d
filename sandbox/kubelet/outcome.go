package kubelet

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Outcome is what becomes of a pod's containers.
type Outcome struct {
	Name     string // ready, unready, waiting, crashed, succeeded, failed
	Reason   string
	Message  string
	Init     string // the init container that waits; empty: the containers do
	ExitCode string
	Restarts string // of a crashed container
	Log      []string
	Events   []Happening
	After    time.Duration // how long after the pod's creation
	For      time.Duration // how long after the pod's creation it is over; 0: never
	Idle     bool          // it runs, and does nothing for the others
}

// Happening is an event that a kubelet would write about a pod, some time
// after the outcome shows.
type Happening struct {
	Type, Reason, Message string
	After                 time.Duration
}

// lasts reports whether an outcome is not over yet.
func (o Outcome) lasts(pod *corev1.Pod) bool {
	return o.For == 0 || time.Since(pod.CreationTimestamp.Time) < o.For
}

// annotate writes the outcome on the pod, where kwok's Stages find it, and
// what a kubelet would say beside it.
func (k *Kubelet) annotate(ctx context.Context, pod *corev1.Pod, o Outcome) error {
	wanted := map[string]string{
		outcomeAnnotation: o.Name, annotationPrefix + "reason": o.Reason, annotationPrefix + "message": o.Message,
		annotationPrefix + "exit-code": o.ExitCode, annotationPrefix + "restarts": o.Restarts, annotationPrefix + "init": o.Init,
		annotationPrefix + "event": o.firstEvent(),
	}
	if isOn(pod, wanted) {
		return nil
	}
	if len(o.Log) > 0 {
		if err := writeLog(k.logDir, pod.Spec.Containers[0].Name, o.Log...); err != nil {
			return err
		}
	}
	for _, happening := range o.Events {
		if happening.After > 0 {
			time.AfterFunc(happening.After, func() { _ = k.report(ctx, pod, happening) })
		} else if err := k.report(ctx, pod, happening); err != nil {
			return err
		}
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": wanted}})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// isOn reports whether the pod says all of it already.
func isOn(pod *corev1.Pod, wanted map[string]string) bool {
	for name, value := range wanted {
		if pod.Annotations[name] != value {
			return false
		}
	}
	return true
}

// firstEvent tells outcomes apart whose containers look the same.
func (o Outcome) firstEvent() string {
	if len(o.Events) == 0 {
		return ""
	}
	return o.Events[0].Message
}

// report writes an event about a pod.
func (k *Kubelet) report(ctx context.Context, pod *corev1.Pod, h Happening) error {
	now := metav1.Now()
	_, err := k.client.CoreV1().Events(pod.Namespace).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: pod.Name + ".", Namespace: pod.Namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Type:           h.Type, Reason: h.Reason, Message: h.Message, FirstTimestamp: now, LastTimestamp: now, Count: 1,
		Source: corev1.EventSource{Component: "kubelet", Host: pod.Spec.NodeName},
	}, metav1.CreateOptions{})
	if apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return nil
	}
	return err
}
