package release

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The reasons that are ours. All others are Kubernetes' own words.
const (
	fromHelm      = "HelmError"     // what Helm or the API server answered
	hookFailed    = "HookFailed"    // a hook's Job ended badly
	hookRunning   = "HookRunning"   // a hook's Job has not ended
	claimPending  = "ClaimPending"  // a volume claim is not bound
	noAnswer      = "NoAnswer"      // the API server does not answer
	terminating   = "Terminating"   // the namespace is being deleted
	namesRefused  = "NamesRefused"  // a CRD's names are taken
	unschedulable = "Unschedulable" // a pod's condition, with the scheduler's words
	probeFails    = "Unhealthy"     // the kubelet's word for a failing probe
	createFails   = "FailedCreate"  // a controller may not make its pods
	crashLoop     = "CrashLoopBackOff"
	configError   = "CreateContainerConfigError"
	endedBadly    = "Error" // a container that ended with an exit code
)

// symptom is one thing that is not as it should be, as the cluster told it.
type symptom struct {
	Object    Object // what it keeps from being ready
	Pod       string
	Container string
	Image     string
	Reason    string
	Message   string
	Last      string // how the container ended the time before, such as OOMKilled
	ExitCode  int32
	Restarts  int32
	Log       []string // the last lines of the log that may tell why
	WantsLog  bool     // the log is not read yet
	Pulling   bool     // the image is being pulled again
	Pulls     int      // how often that failed in this run
	ScalesUp  bool     // an autoscaler has promised a node
	Stale     bool     // a pod that has not changed since before this run
}

// evidence is what the watches know at one moment.
type evidence struct {
	objects
	namespace string
	phase     Phase
	own       map[Object]bool // what the release and its hooks brought
	events    *happened
	logs      map[logPlace]tail
	taints    []string               // of the nodes, where they were asked for
	before    func(*corev1.Pod) bool // unchanged since before this run
	leftover  func(types.UID) bool   // there before this run
	noted     []symptom              // what is not about an object of the namespace
}

// symptoms lists everything that is not well with what is ours.
func (e evidence) symptoms() []symptom {
	found := append([]symptom{}, e.noted...)
	for _, deployment := range all[appsv1.Deployment](e.objects, "Deployment") {
		found = append(found, e.ofDeployment(deployment)...)
	}
	for _, set := range all[appsv1.StatefulSet](e.objects, "StatefulSet") {
		missing := set.Status.Replicas < replicas(set.Spec.Replicas)
		found = append(found, e.ofController(Object{Kind: "StatefulSet", Namespace: set.Namespace, Name: set.Name}, missing)...)
	}
	for _, set := range all[appsv1.DaemonSet](e.objects, "DaemonSet") {
		missing := set.Status.CurrentNumberScheduled < set.Status.DesiredNumberScheduled
		found = append(found, e.ofController(Object{Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name}, missing)...)
	}
	for _, job := range all[batchv1.Job](e.objects, "Job") {
		found = append(found, e.ofJob(job)...)
	}
	for _, claim := range all[corev1.PersistentVolumeClaim](e.objects, "PersistentVolumeClaim") {
		found = append(found, e.ofClaim(claim)...)
	}
	for _, pod := range all[corev1.Pod](e.objects, "Pod") {
		if workload := e.workloadOf(pod); e.own[workload] && e.isCurrent(pod) {
			found = append(found, e.ofPod(workload, pod)...)
		}
	}
	return found
}

// ofDeployment reads the condition that says why no pods are made. It goes
// when they are.
func (e evidence) ofDeployment(d *appsv1.Deployment) []symptom {
	object := Object{Kind: "Deployment", Namespace: d.Namespace, Name: d.Name}
	if !e.own[object] {
		return nil
	}
	for _, condition := range d.Status.Conditions {
		if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
			return []symptom{{Object: object, Reason: createFails, Message: condition.Message}}
		}
	}
	return nil
}

// ofController has only the events to go by, which stay when all is well
// again: they count while pods are missing.
func (e evidence) ofController(object Object, missing bool) []symptom {
	if !e.own[object] || !missing {
		return nil
	}
	if told, ok := e.events.last(object, createFails); ok {
		return []symptom{{Object: object, Reason: createFails, Message: told.message}}
	}
	return nil
}

func (e evidence) ofJob(job *batchv1.Job) []symptom {
	object := Object{Kind: "Job", Namespace: job.Namespace, Name: job.Name}
	if !e.own[object] || e.leftover(job.UID) {
		return nil
	}
	reason, message, ended := jobEnded(job)
	if !ended {
		return e.ofController(object, job.Status.Active == 0)
	}
	if reason == "" {
		return nil
	}
	found := symptom{Object: object, Reason: hookFailed, Last: reason, Message: reason + ": " + message}
	for _, pod := range e.podsOf(object) {
		found.Pod = pod.Name
	}
	found.Log = e.logOfJob(job.Name)
	found.Log = found.Log[max(len(found.Log)-finalLines, 0):]
	return []symptom{found}
}

// finalLines are those of a hook's log in which it says why it failed.
const finalLines = 5

// ofClaim tells why a volume claim of ours, or of a pod of ours, is pending.
func (e evidence) ofClaim(claim *corev1.PersistentVolumeClaim) []symptom {
	object := Object{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name}
	if claim.Status.Phase != corev1.ClaimPending || !e.own[object] && !e.claimedByOurs(claim.Name) {
		return nil
	}
	for _, reason := range []string{"ProvisioningFailed", "FailedBinding", "ExternalProvisioning"} {
		if told, ok := e.events.last(object, reason); ok {
			return []symptom{{Object: object, Reason: claimPending, Last: reason, Message: told.message}}
		}
	}
	return nil
}

func (e evidence) claimedByOurs(claim string) bool {
	for _, pod := range all[corev1.Pod](e.objects, "Pod") {
		if !e.own[e.workloadOf(pod)] {
			continue
		}
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim != nil && volume.PersistentVolumeClaim.ClaimName == claim {
				return true
			}
		}
	}
	return false
}
