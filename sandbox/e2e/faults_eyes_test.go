package e2e

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const glance = 150 * time.Millisecond

// admin is a client of the sandbox's administrator, whoever the scenario makes
// the program be.
func (s *sandbox) admin() kubernetes.Interface {
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: s.env["KUBECONFIG"]}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: "sandbox"}).ClientConfig()
	if err != nil {
		s.t.Fatal(err)
	}
	return kubernetes.NewForConfigOrDie(config)
}

// look watches the namespace with eyes of its own. What it returns tells when
// the cluster first showed the pattern, and stops it.
func (r *faultRun) look(pattern *regexp.Regexp) func() time.Time {
	ctx, cancel := context.WithCancel(context.Background())
	seen := make(chan time.Time, 1)
	if pattern.String() == "" {
		cancel()
	}
	client := r.admin()
	go func() {
		defer close(seen)
		for ctx.Err() == nil {
			if shows := pattern.MatchString(state(ctx, client, r.namespace)); shows {
				seen <- time.Now()
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(glance):
			}
		}
	}()
	return func() time.Time {
		cancel()
		return <-seen
	}
}

// state is what the namespace shows, a line for each thing.
func state(ctx context.Context, client kubernetes.Interface, namespace string) string {
	var out strings.Builder
	if pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{}); err == nil {
		for _, pod := range pods.Items {
			podState(&out, pod)
		}
	}
	if events, err := client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{}); err == nil {
		for _, event := range events.Items {
			fmt.Fprintf(&out, "%s %s: %s\n", event.InvolvedObject.Kind, event.Reason, event.Message)
		}
	}
	if deployments, err := client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{}); err == nil {
		for _, deployment := range deployments.Items {
			deploymentState(&out, deployment)
		}
	}
	if space, err := client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{}); err == nil {
		fmt.Fprintf(&out, "Namespace %s\n", space.Status.Phase)
	}
	return out.String()
}

func podState(out *strings.Builder, pod corev1.Pod) {
	fmt.Fprintf(out, "Pod %s %s\n", pod.Name, pod.Status.Phase)
	for _, condition := range pod.Status.Conditions {
		if condition.Status == corev1.ConditionFalse {
			fmt.Fprintf(out, "Pod %s: %s\n", condition.Reason, condition.Message)
		}
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if waiting := status.State.Waiting; waiting != nil {
			fmt.Fprintf(out, "Container %s: %s\n", waiting.Reason, waiting.Message)
		}
	}
}

func deploymentState(out *strings.Builder, deployment appsv1.Deployment) {
	for _, condition := range deployment.Status.Conditions {
		if condition.Type == appsv1.DeploymentReplicaFailure {
			fmt.Fprintf(out, "Deployment %s: %s\n", condition.Reason, condition.Message)
		}
	}
}
