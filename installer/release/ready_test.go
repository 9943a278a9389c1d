package release

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"helm.sh/helm/v3/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
)

// Ready means what it means for `helm --wait`, for thousands of made-up states
// of every kind.
func TestReadyMeansWhatItMeansForHelm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[string][2]int{}
	for range 4000 {
		made := randomObjects(random)
		subject := made[0]
		info := infoOf(subject)
		client := fake.NewClientset(made...)
		checker := kube.NewReadyChecker(client, nil, kube.PausedAsReady(true))
		want, err := checker.IsReady(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		kind := info.Mapping.GroupVersionKind.Kind
		got := storesOf(made...).readinessOf(objectOf(info))
		if !got.found || got.ready != want {
			t.Fatalf("%s: ready is %t (found: %t), Helm says %t\n%+v", kind, got.ready, got.found, want, made)
		}
		tally := counts[kind]
		if want {
			tally[1]++
		} else {
			tally[0]++
		}
		counts[kind] = tally
	}
	for kind, tally := range counts {
		if tally[0] < 20 || tally[1] < 20 {
			t.Errorf("%s: only %d not ready and %d ready were tried", kind, tally[0], tally[1])
		}
	}
	if len(counts) != 7 {
		t.Errorf("the kinds %v were tried, want 7", counts)
	}
}

// infoOf is how Helm hands an object over.
func infoOf(object kruntime.Object) *resource.Info {
	gvk := schema.GroupVersionKind{}
	switch object.(type) {
	case *appsv1.Deployment, *appsv1.StatefulSet, *appsv1.DaemonSet, *appsv1.ReplicaSet:
		gvk = appsv1.SchemeGroupVersion.WithKind(fmt.Sprintf("%T", object)[len("*v1."):])
	case *corev1.Pod, *corev1.Service, *corev1.PersistentVolumeClaim:
		gvk = corev1.SchemeGroupVersion.WithKind(fmt.Sprintf("%T", object)[len("*v1."):])
	default:
		gvk = schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}
	}
	object.GetObjectKind().SetGroupVersionKind(gvk)
	plural, _ := meta.UnsafeGuessKindToResource(gvk)
	about := object.(metav1.Object)
	return &resource.Info{Name: about.GetName(), Namespace: about.GetNamespace(), Object: object,
		Mapping: &meta.RESTMapping{Resource: plural, GroupVersionKind: gvk, Scope: meta.RESTScopeNamespace}}
}

// storesOf is what the watches would have seen.
func storesOf(made ...kruntime.Object) objects {
	seen := objects{}
	for _, kind := range []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Pod", "PersistentVolumeClaim", "Service"} {
		seen[kind] = cache.NewStore(cache.MetaNamespaceKeyFunc)
	}
	for _, object := range made {
		_ = seen[infoOf(object).Mapping.GroupVersionKind.Kind].Add(object)
	}
	return seen
}

var about = metav1.ObjectMeta{Name: "x", Namespace: "ns", UID: types.UID("uid"), Generation: 2}

func few(r *rand.Rand) int32 { return r.Int32N(4) }

func seenBy(r *rand.Rand) int64 { return 2 - int64(r.IntN(4)/3) }

func share(r *rand.Rand) *intstr.IntOrString {
	options := []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromString("25%"), intstr.FromString("50%")}
	return &options[r.IntN(len(options))]
}

// randomObjects are an object and what its readiness depends on.
func randomObjects(r *rand.Rand) []kruntime.Object {
	wanted := few(r)
	labels := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels.MatchLabels}}
	switch r.IntN(7) {
	case 0:
		return randomDeployment(r, wanted, labels, template)
	case 1:
		partition := few(r) % 2
		revisions := []string{"a", "b"}
		return []kruntime.Object{&appsv1.StatefulSet{ObjectMeta: about,
			Spec: appsv1.StatefulSetSpec{Replicas: &wanted, UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
				Type:          []appsv1.StatefulSetUpdateStrategyType{appsv1.RollingUpdateStatefulSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType}[r.IntN(5)/4],
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition}}},
			Status: appsv1.StatefulSetStatus{ObservedGeneration: seenBy(r), ReadyReplicas: few(r), UpdatedReplicas: few(r),
				CurrentRevision: revisions[r.IntN(2)], UpdateRevision: "a"}}}
	case 2:
		return []kruntime.Object{&appsv1.DaemonSet{ObjectMeta: about,
			Spec:   appsv1.DaemonSetSpec{UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: share(r)}}},
			Status: appsv1.DaemonSetStatus{ObservedGeneration: seenBy(r), DesiredNumberScheduled: wanted, UpdatedNumberScheduled: few(r), NumberReady: few(r)}}}
	case 3:
		return []kruntime.Object{randomPod(r, about)}
	case 4:
		return []kruntime.Object{&corev1.PersistentVolumeClaim{ObjectMeta: about, Status: corev1.PersistentVolumeClaimStatus{
			Phase: []corev1.PersistentVolumeClaimPhase{corev1.ClaimBound, corev1.ClaimPending, corev1.ClaimLost}[r.IntN(3)]}}}
	case 5:
		return []kruntime.Object{randomService(r)}
	}
	pod := randomPod(r, metav1.ObjectMeta{Name: "pod", Namespace: "ns", Labels: labels.MatchLabels})
	return []kruntime.Object{&appsv1.ReplicaSet{ObjectMeta: about, Spec: appsv1.ReplicaSetSpec{Selector: labels},
		Status: appsv1.ReplicaSetStatus{ObservedGeneration: seenBy(r)}}, pod}
}

func randomDeployment(r *rand.Rand, wanted int32, labels *metav1.LabelSelector, template corev1.PodTemplateSpec) []kruntime.Object {
	deployment := &appsv1.Deployment{ObjectMeta: about,
		Spec: appsv1.DeploymentSpec{Replicas: &wanted, Selector: labels, Template: template, Paused: r.IntN(20) == 0,
			Strategy: appsv1.DeploymentStrategy{Type: []appsv1.DeploymentStrategyType{appsv1.RollingUpdateDeploymentStrategyType, appsv1.RecreateDeploymentStrategyType}[r.IntN(4)/3],
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: share(r), MaxUnavailable: share(r)}}},
		Status: appsv1.DeploymentStatus{ObservedGeneration: seenBy(r)}}
	made := []kruntime.Object{deployment}
	for i, name := range []string{"old", "new"} {
		of := *template.DeepCopy()
		of.Labels["pod-template-hash"] = name
		if name == "old" {
			of.Spec.NodeName = "elsewhere"
		}
		yes := true
		made = append(made, &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: "x-" + name, Namespace: "ns", Generation: 2, Labels: labels.MatchLabels,
				OwnerReferences: []metav1.OwnerReference{{Kind: "Deployment", Name: "x", UID: about.UID, Controller: &yes}}},
			Spec:   appsv1.ReplicaSetSpec{Template: of},
			Status: appsv1.ReplicaSetStatus{ObservedGeneration: seenBy(r), ReadyReplicas: few(r)}})
		if i == 0 && r.IntN(10) == 0 {
			break // the new one is not made yet
		}
	}
	return made
}

func randomPod(r *rand.Rand, meta metav1.ObjectMeta) *corev1.Pod {
	status := []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse}[r.IntN(2)]
	return &corev1.Pod{ObjectMeta: meta, Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}}}
}

func randomService(r *rand.Rand) *corev1.Service {
	s := &corev1.Service{ObjectMeta: about, Spec: corev1.ServiceSpec{ClusterIP: []string{"", "10.0.0.1", "None"}[r.IntN(3)],
		Type: []corev1.ServiceType{corev1.ServiceTypeClusterIP, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName}[r.IntN(3)]}}
	if r.IntN(2) == 0 {
		s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "192.0.2.1"}}
	}
	if r.IntN(4) == 0 {
		s.Spec.ExternalIPs = []string{"192.0.2.2"}
	}
	return s
}
