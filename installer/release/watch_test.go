package release

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// watched starts the watches of a namespace over a client that answers from
// memory.
func watched(t *testing.T, sink Sink) (*watcher, *fake.Clientset, func()) {
	t.Helper()
	client := fake.NewClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "codefresh"}})
	r := Request{Plan: plan.Plan{Namespace: "codefresh", Release: "cf"}, Cluster: &cluster.Connection{Client: client}, Sink: sink}
	ctx, cancel := context.WithCancel(t.Context())
	tell := newTeller(r)
	w := watch(ctx, r, tell)
	w.ping = func(context.Context) error { return nil }
	return w, client, func() {
		w.stop()
		cancel()
		tell.close()
	}
}

func TestNothingRunsOnAfterTheWatch(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w, client, end := watched(t, func(Event) {})
	w.hello(t.Context())
	for i := range 50 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pod-", i), Namespace: "codefresh"}}
		if _, err := client.CoreV1().Pods("codefresh").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	end()
}

func TestAWorkloadsStateIsToldWhenItChanges(t *testing.T) {
	told := make(chan Event, 100)
	w, client, end := watched(t, func(e Event) { told <- e })
	defer end()
	w.hello(t.Context())
	w.belongs(Object{Kind: "Deployment", Namespace: "codefresh", Name: "argo-server"})
	one := int32(1)
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "argo-server", Namespace: "codefresh", Generation: 1},
		Spec: appsv1.DeploymentSpec{Replicas: &one}}
	made, err := client.AppsV1().Deployments("codefresh").Create(t.Context(), deployment, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, told, Waiting)
	made.Status = appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "argo-server-1", Namespace: "codefresh",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(made, appsv1.SchemeGroupVersion.WithKind("Deployment"))}},
		Status: appsv1.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}}
	if _, err := client.AppsV1().ReplicaSets("codefresh").Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.AppsV1().Deployments("codefresh").UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(t, told, Ready)
}

func expect(t *testing.T, told <-chan Event, state State) {
	t.Helper()
	for limit := time.After(10 * time.Second); ; {
		select {
		case e := <-told:
			if e.Type == ObjectEvent && e.Object.Name == "argo-server" && e.State == state {
				return
			}
		case <-limit:
			t.Fatalf("argo-server was not told to be %s", state)
		}
	}
}

// A Job is done when the one pod that it needs is; what needs more than that is
// left to Kubernetes.
func TestAJobIsDoneWithItsPod(t *testing.T) {
	one, two := int32(1), int32(2)
	for name, c := range map[string]struct {
		spec  batchv1.JobSpec
		phase corev1.PodPhase
		owner types.UID
		want  bool
	}{
		"succeeded":              {phase: corev1.PodSucceeded, owner: "job", want: true},
		"one of one":             {spec: batchv1.JobSpec{Completions: &one, Parallelism: &one}, phase: corev1.PodSucceeded, owner: "job", want: true},
		"running":                {phase: corev1.PodRunning, owner: "job"},
		"failed":                 {phase: corev1.PodFailed, owner: "job"},
		"of an earlier Job":      {phase: corev1.PodSucceeded, owner: "earlier"},
		"one of two":             {spec: batchv1.JobSpec{Completions: &two}, phase: corev1.PodSucceeded, owner: "job"},
		"with a rule of its own": {spec: batchv1.JobSpec{SuccessPolicy: &batchv1.SuccessPolicy{}}, phase: corev1.PodSucceeded, owner: "job"},
	} {
		controls := true
		pods := cache.NewStore(cache.MetaNamespaceKeyFunc)
		err := pods.Add(&corev1.Pod{Status: corev1.PodStatus{Phase: c.phase}, ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "codefresh",
			OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: "validate-values", UID: c.owner, Controller: &controls}}}})
		if err != nil {
			t.Fatal(err)
		}
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "validate-values", Namespace: "codefresh", UID: "job"}, Spec: c.spec}
		if got := (objects{"Pod": pods}).workDone(job); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
