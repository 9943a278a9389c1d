package release

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// readiness is where an object is, by Helm's own rules: an install must not
// call ready what `helm --wait` would not, nor wait for more. kstatus has
// other rules for Deployments, so it is not used.
type readiness struct {
	found   bool
	ready   bool
	failed  bool   // a Job that will not be done any more
	message string // what is counted
}

// readinessOf looks an object up in what the watches saw.
func (o objects) readinessOf(object Object) readiness {
	switch object.Kind {
	case "Deployment":
		return judged(o, object, o.deploymentReady)
	case "StatefulSet":
		return judged(o, object, statefulSetReady)
	case "DaemonSet":
		return judged(o, object, daemonSetReady)
	case "ReplicaSet":
		return judged(o, object, o.replicaSetReady)
	case "Pod":
		return judged(o, object, func(pod *corev1.Pod) (bool, string) { return podReady(pod), string(pod.Status.Phase) })
	case "Job":
		state := judged(o, object, jobReady)
		job, _ := find[batchv1.Job](o, object.Kind, object.Namespace, object.Name)
		state.failed = job != nil && job.Spec.BackoffLimit != nil && job.Status.Failed > *job.Spec.BackoffLimit
		return state
	case "PersistentVolumeClaim":
		return judged(o, object, func(claim *corev1.PersistentVolumeClaim) (bool, string) {
			return claim.Status.Phase == corev1.ClaimBound, string(claim.Status.Phase)
		})
	case "Service":
		return judged(o, object, serviceReady)
	}
	return readiness{}
}

func judged[T any](o objects, object Object, rule func(*T) (bool, string)) readiness {
	found, ok := find[T](o, object.Kind, object.Namespace, object.Name)
	if !ok {
		return readiness{}
	}
	ready, message := rule(found)
	return readiness{found: true, ready: ready, message: message}
}

func (o objects) deploymentReady(d *appsv1.Deployment) (bool, string) {
	if d.Spec.Paused {
		return true, "paused"
	}
	set := o.newestReplicaSet(d)
	if set == nil {
		return false, ""
	}
	wanted := replicas(d.Spec.Replicas)
	message := fmt.Sprintf("%d of %d pods ready", set.Status.ReadyReplicas, wanted)
	seen := set.Status.ObservedGeneration == set.Generation && d.Status.ObservedGeneration == d.Generation
	return seen && set.Status.ReadyReplicas >= wanted-mayBeMissing(d, wanted), message
}

// mayBeMissing is how many pods a rolling update may be without.
func mayBeMissing(d *appsv1.Deployment, wanted int32) int32 {
	rolling := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType || wanted == 0 || rolling == nil {
		return 0
	}
	surge := scaled(rolling.MaxSurge, wanted, true)
	missing := scaled(rolling.MaxUnavailable, wanted, false)
	if surge == 0 && missing == 0 {
		missing = 1 // else nothing could ever be replaced
	}
	return min(missing, wanted)
}

func scaled(share *intstr.IntOrString, of int32, up bool) int32 {
	if share == nil {
		return 0
	}
	value, err := intstr.GetScaledValueFromIntOrPercent(share, int(of), up)
	if err != nil {
		return 0
	}
	return int32(value)
}

func replicas(wanted *int32) int32 {
	if wanted == nil {
		return 1
	}
	return *wanted
}

func statefulSetReady(s *appsv1.StatefulSet) (bool, string) {
	wanted := replicas(s.Spec.Replicas)
	message := fmt.Sprintf("%d of %d pods ready", s.Status.ReadyReplicas, wanted)
	if s.Status.ObservedGeneration != s.Generation {
		return false, message
	}
	if s.Spec.UpdateStrategy.Type != appsv1.RollingUpdateStatefulSetStrategyType {
		return true, message
	}
	partition := int32(0)
	if rolling := s.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		partition = *rolling.Partition
	}
	updated := s.Status.UpdatedReplicas >= wanted-partition
	settled := partition != 0 || s.Status.CurrentRevision == s.Status.UpdateRevision
	return updated && s.Status.ReadyReplicas == wanted && settled, message
}

func daemonSetReady(d *appsv1.DaemonSet) (bool, string) {
	wanted := d.Status.DesiredNumberScheduled
	message := fmt.Sprintf("%d of %d pods ready", d.Status.NumberReady, wanted)
	if d.Status.ObservedGeneration != d.Generation {
		return false, message
	}
	if d.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		return true, message
	}
	missing := int32(0)
	if rolling := d.Spec.UpdateStrategy.RollingUpdate; rolling != nil {
		missing = scaled(rolling.MaxUnavailable, wanted, true)
	}
	return d.Status.UpdatedNumberScheduled == wanted && d.Status.NumberReady >= wanted-missing, message
}

// replicaSetReady is for one that stands alone: all its pods must be ready.
func (o objects) replicaSetReady(s *appsv1.ReplicaSet) (bool, string) {
	selector, err := metav1.LabelSelectorAsSelector(s.Spec.Selector)
	if err != nil || s.Status.ObservedGeneration != s.Generation {
		return false, ""
	}
	for _, pod := range all[corev1.Pod](o, "Pod") {
		if pod.Namespace == s.Namespace && selector.Matches(labels.Set(pod.Labels)) && !podReady(pod) {
			return false, "pod " + pod.Name + " is not ready"
		}
	}
	return true, ""
}

func podReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

// jobReady is for Jobs outside the hooks, where they are waited for at all.
func jobReady(job *batchv1.Job) (bool, string) {
	wanted := replicas(job.Spec.Completions)
	return job.Spec.Completions == nil || job.Status.Succeeded >= wanted, fmt.Sprintf("%d of %d done", job.Status.Succeeded, wanted)
}

func serviceReady(s *corev1.Service) (bool, string) {
	switch {
	case s.Spec.Type == corev1.ServiceTypeExternalName:
		return true, ""
	case s.Spec.ClusterIP == "":
		return false, "has no address yet"
	case s.Spec.Type == corev1.ServiceTypeLoadBalancer && len(s.Spec.ExternalIPs) == 0:
		return len(s.Status.LoadBalancer.Ingress) > 0, "waits for its load balancer"
	}
	return true, ""
}
