package release

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// objects are the namespace's objects as the watches last saw them, by kind.
type objects map[string]cache.Store

// find gives one object, which nobody may change.
func find[T any](o objects, kind, namespace, name string) (*T, bool) {
	store, watched := o[kind]
	if !watched {
		return nil, false
	}
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	object, exists, err := store.GetByKey(key)
	if err != nil || !exists {
		return nil, false
	}
	typed, ok := object.(*T)
	return typed, ok
}

// all gives the objects of a kind in the order of their names.
func all[T any, P interface {
	*T
	metav1.Object
}](o objects, kind string) []P {
	store, watched := o[kind]
	if !watched {
		return nil
	}
	var found []P
	for _, object := range store.List() {
		if typed, ok := object.(P); ok {
			found = append(found, typed)
		}
	}
	slices.SortFunc(found, func(a, b P) int {
		return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
	})
	return found
}

// workloadOf names what a pod belongs to. Between a Deployment and its pods
// stands a ReplicaSet; where that is not known yet, its name ends in a hash.
func (o objects) workloadOf(pod *corev1.Pod) Object {
	owner := metav1.GetControllerOf(pod)
	if owner == nil {
		return Object{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}
	}
	if owner.Kind != "ReplicaSet" {
		return Object{Kind: owner.Kind, Namespace: pod.Namespace, Name: owner.Name}
	}
	if set, ok := find[appsv1.ReplicaSet](o, "ReplicaSet", pod.Namespace, owner.Name); ok {
		if above := metav1.GetControllerOf(set); above != nil {
			return Object{Kind: above.Kind, Namespace: pod.Namespace, Name: above.Name}
		}
		return Object{Kind: "ReplicaSet", Namespace: pod.Namespace, Name: set.Name}
	}
	name := strings.TrimSuffix(owner.Name, "-"+pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey])
	return Object{Kind: "Deployment", Namespace: pod.Namespace, Name: name}
}

// isCurrent reports whether a pod is of its workload's newest template. Pods
// of an older one are about to go.
func (o objects) isCurrent(pod *corev1.Pod) bool {
	workload := o.workloadOf(pod)
	switch workload.Kind {
	case "Deployment":
		deployment, known := find[appsv1.Deployment](o, "Deployment", workload.Namespace, workload.Name)
		if !known {
			return true
		}
		newest := o.newestReplicaSet(deployment)
		return newest != nil && metav1.IsControlledBy(pod, newest)
	case "StatefulSet":
		set, known := find[appsv1.StatefulSet](o, "StatefulSet", workload.Namespace, workload.Name)
		return !known || set.Status.UpdateRevision == "" || pod.Labels[appsv1.ControllerRevisionHashLabelKey] == set.Status.UpdateRevision
	}
	return true
}

// newestReplicaSet is the one with the Deployment's own template; of several
// the oldest, as Kubernetes chooses. Nil: it is not made yet.
func (o objects) newestReplicaSet(deployment *appsv1.Deployment) *appsv1.ReplicaSet {
	var newest *appsv1.ReplicaSet
	for _, set := range all[appsv1.ReplicaSet](o, "ReplicaSet") {
		if !metav1.IsControlledBy(set, deployment) || !sameTemplate(set.Spec.Template, deployment.Spec.Template) {
			continue
		}
		if newest == nil || set.CreationTimestamp.Before(&newest.CreationTimestamp) {
			newest = set
		}
	}
	return newest
}

// sameTemplate compares without the hash that Kubernetes adds.
func sameTemplate(a, b corev1.PodTemplateSpec) bool {
	a, b = *a.DeepCopy(), *b.DeepCopy()
	delete(a.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	delete(b.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return equality.Semantic.DeepEqual(a, b)
}

// podsOf are the current pods of a workload.
func (o objects) podsOf(workload Object) []*corev1.Pod {
	var found []*corev1.Pod
	for _, pod := range all[corev1.Pod](o, "Pod") {
		if o.workloadOf(pod) == workload && o.isCurrent(pod) {
			found = append(found, pod)
		}
	}
	return found
}

// jobEnded tells how a Job ended: with the reason of its failure, or none.
func jobEnded(job *batchv1.Job) (reason, message string, ended bool) {
	for _, condition := range job.Status.Conditions {
		if condition.Status != corev1.ConditionTrue {
			continue
		}
		switch condition.Type {
		case batchv1.JobComplete:
			return "", "", true
		case batchv1.JobFailed:
			return condition.Reason, condition.Message, true
		}
	}
	return "", "", false
}

// workDone reports whether a Job that needs one pod has one that succeeded.
// Kubernetes writes that down as the Job's end about a second later.
func (o objects) workDone(job *batchv1.Job) bool {
	if job.Spec.PodFailurePolicy != nil || job.Spec.SuccessPolicy != nil || wants(job.Spec.Completions) != 1 || wants(job.Spec.Parallelism) != 1 {
		return false
	}
	for _, pod := range all[corev1.Pod](o, "Pod") {
		if metav1.IsControlledBy(pod, job) && pod.Status.Phase == corev1.PodSucceeded {
			return true
		}
	}
	return false
}

// wants is a Job's number of pods, which is one when nothing is said.
func wants(number *int32) int32 {
	if number == nil {
		return 1
	}
	return *number
}
