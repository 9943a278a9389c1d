package release

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/cfwizard/cfwizard/installer/text"
)

// mountTroubles are the events of a pod that has a node and cannot start.
var mountTroubles = []string{"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"}

// pullReasons are the kubelet's words for an image that is not there yet.
var pullReasons = []string{"ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "RegistryUnavailable"}

// ofPod lists what keeps a pod from being ready.
func (e evidence) ofPod(workload Object, pod *corev1.Pod) []symptom {
	if pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || podReady(pod) {
		return nil
	}
	base := symptom{Object: workload, Pod: pod.Name, Stale: e.before(pod)}
	if condition, is := isUnschedulable(pod); is {
		_, scaled := e.events.last(podObject(pod), "TriggeredScaleUp")
		_, nominated := e.events.last(podObject(pod), "Nominated")
		base.Reason, base.Message, base.ScalesUp = unschedulable, e.withTaints(condition.Message), scaled || nominated
		return []symptom{base}
	}
	if pod.Status.Reason != "" && pod.Status.Phase == corev1.PodFailed {
		base.Reason, base.Message = pod.Status.Reason, pod.Status.Message
		return []symptom{base}
	}
	var found []symptom
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if s, ill := e.ofContainer(base, pod, status); ill {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		found = e.ofMounts(base, pod)
	}
	return found
}

func (e evidence) ofContainer(s symptom, pod *corev1.Pod, status corev1.ContainerStatus) (symptom, bool) {
	s.Container, s.Image, s.Restarts = status.Name, status.Image, status.RestartCount
	if image := imageOf(pod, status.Name); image != "" {
		s.Image = image
	}
	if last := status.LastTerminationState.Terminated; last != nil {
		s.Last, s.ExitCode = last.Reason, last.ExitCode
	}
	switch {
	case status.State.Waiting != nil:
		s.Reason, s.Message = status.State.Waiting.Reason, status.State.Waiting.Message
		switch s.Reason {
		case "", "ContainerCreating", "PodInitializing":
			return s, false
		case crashLoop:
			return e.withLog(s, pod), true
		}
		if slices.Contains(pullReasons, s.Reason) {
			told, _ := e.events.last(podObject(pod), pullFailed)
			s.Pulling, s.Pulls = e.events.isPulling(podObject(pod)), told.times
		}
		return e.withAppProxy(s), true
	case status.State.Terminated != nil && status.State.Terminated.ExitCode != 0:
		s.Reason, s.Message = endedBadly, status.State.Terminated.Message
		s.Last, s.ExitCode = status.State.Terminated.Reason, status.State.Terminated.ExitCode
		return e.withLog(s, pod), true
	case status.State.Running != nil && !status.Ready:
		told, failing := e.events.last(podObject(pod), probeFails)
		if !failing {
			return s, false
		}
		s.Reason, s.Message = probeFails, told.message
		return e.withLog(s, pod), true
	}
	return s, false
}

// ofMounts has only events to go by: the containers are still being created.
func (e evidence) ofMounts(s symptom, pod *corev1.Pod) []symptom {
	if pod.Status.Phase != corev1.PodPending {
		return nil
	}
	for _, reason := range mountTroubles {
		if told, ok := e.events.last(podObject(pod), reason); ok {
			s.Reason, s.Message = reason, told.message
			return []symptom{s}
		}
	}
	return nil
}

func isUnschedulable(pod *corev1.Pod) (corev1.PodCondition, bool) {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			return condition, condition.Status == corev1.ConditionFalse
		}
	}
	return corev1.PodCondition{}, false
}

func imageOf(pod *corev1.Pod, container string) string {
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if c.Name == container {
			return c.Image
		}
	}
	return ""
}

func podObject(pod *corev1.Pod) Object {
	return Object{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}
}

// words says in a few words what a symptom is, for a list of what is waited
// for.
func (s symptom) words() string {
	switch s.Reason {
	case unschedulable:
		return "cannot be scheduled: " + text.Line(s.Message)
	case createFails:
		return "its pods cannot be made: " + text.Line(s.Message)
	case endedBadly:
		return fmt.Sprintf("ended with exit code %d", s.ExitCode)
	case hookFailed:
		return "failed: " + text.Line(s.Message)
	}
	return strings.TrimSuffix(text.Line(s.Reason+": "+s.Message), ":")
}

// podWords says what a pod without a symptom is doing.
func (e evidence) podWords(pod *corev1.Pod) string {
	if pod.DeletionTimestamp != nil || podReady(pod) || pod.Status.Phase == corev1.PodSucceeded {
		return ""
	}
	if e.events.isPulling(podObject(pod)) {
		if told, ok := e.events.last(podObject(pod), "Pulling"); ok && told.message != "" {
			return text.Line(strings.ToLower(told.message[:1]) + told.message[1:])
		}
	}
	return "starting"
}
