package checklist

import (
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func argoWorkload(namespace, name, partOf string) facts.Workload {
	return facts.Workload{Meta: facts.Meta{Name: facts.Name{Namespace: namespace, Name: name}, Labels: map[string]string{"app.kubernetes.io/part-of": partOf}}, Kind: "Deployment"}
}

// A stranger's Rollouts controller is one too many only beside the runtime's
// own, and nothing but the Deployment that was named is deleted.
func TestRollouts(t *testing.T) {
	w := finished(t)
	w.facts.Workloads = []facts.Workload{argoWorkload("argocd", "argocd-server", "argocd")}
	w.expect("rollouts", NotNeeded)
	own, other, third := argoWorkload("codefresh", "argo-rollouts", "argo-rollouts"), argoWorkload("argo", "argo-rollouts", "argo-rollouts"), argoWorkload("team", "argo-rollouts", "argo-rollouts")
	third.Containers = []facts.Container{{Name: "main", Args: []string{"--namespaced"}}}
	w.facts.Workloads = append(w.facts.Workloads, other, third)
	w.expect("rollouts", NotNeeded)
	w.facts.Workloads = append(w.facts.Workloads, own)
	item := w.expect("rollouts", ToDo)
	if !strings.Contains(item.Warning, "Never delete the CRDs") || !strings.HasSuffix(item.Command, "-n argo delete deployment argo-rollouts") || item.Inputs[0].Default != "argo/argo-rollouts" {
		t.Errorf("got %q, %q, %v", item.Warning, item.Command, item.Inputs)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "argo-rollouts", Namespace: "argo"}}
	if _, err := w.client.AppsV1().Deployments("argo").Create(t.Context(), deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.client.ClearActions()
	for _, name := range []string{"team/argo-rollouts", "codefresh/argo-rollouts", "argo/argocd-server"} {
		if _, err := Do(t.Context(), w.scene(), "rollouts", Given{inputDeployment: name}); err == nil {
			t.Errorf("%s may be deleted", name)
		}
	}
	w.do("rollouts", Given{inputDeployment: item.Inputs[0].Default})
	deleted := 0
	for _, action := range w.client.Actions() {
		if action.GetVerb() == "delete" {
			deleted++
			if action.GetResource().Resource != "deployments" || action.GetNamespace() != "argo" {
				t.Errorf("deleted %v", action)
			}
		}
	}
	if deleted != 1 {
		t.Errorf("deleted %d objects", deleted)
	}
	w.expect("rollouts", ToDo) // the cluster still has it: somebody brought it back
	w.facts.Workloads = slices.DeleteFunc(w.facts.Workloads, func(x facts.Workload) bool { return x.Namespace == "argo" })
	w.expect("rollouts", NotNeeded)
}

func TestMigration(t *testing.T) {
	w := finished(t)
	w.facts.Workloads = []facts.Workload{argoWorkload("argocd", "argocd-server", "argocd")}
	w.expect("migrate-applications", NotNeeded)
	w.facts.Applications = []facts.Name{{Namespace: "argocd", Name: "shop"}, {Namespace: "codefresh", Name: "ours"}}
	if item := w.expect("migrate-applications", ToDo); item.Needed || !strings.Contains(item.Detail, "argocd/shop") || strings.Contains(item.Detail, "ours") {
		t.Errorf("got %+v", item)
	}
}

// The values say one thing, the pods another: the pods count.
func TestPrivateRegistry(t *testing.T) {
	w := finished(t)
	w.answers.Images = answers.Images{Registry: "registry.acme.io", PullSecret: "pull"}
	w.expect("private-registry", Waiting)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "codefresh"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: "registry.acme.io/codefresh/cap-app-proxy:1"}},
		InitContainers: []corev1.Container{{Image: "quay.io/codefresh/cap-app-proxy-init:1"}}}}
	pods := w.client.CoreV1().Pods("codefresh")
	if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	change := func(change func()) {
		change()
		if _, err := pods.Update(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if item := w.expect("private-registry", Failed); !strings.Contains(item.Detail, "quay.io/codefresh/cap-app-proxy-init") || !strings.Contains(item.Fix, "cfwizard images") {
		t.Errorf("got %+v", item)
	}
	change(func() {
		pod.Spec.InitContainers = nil
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Image: "registry.acme.io/codefresh/cap-app-proxy:1", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}}}
	})
	w.expect("private-registry", Failed)
	change(func() { pod.Status = corev1.PodStatus{} })
	w.expect("private-registry", Failed) // the pull secret is missing
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "pull", Namespace: "codefresh"}})
	w.expect("private-registry", Done)
}

func TestCertificates(t *testing.T) {
	w := finished(t)
	w.answers.TLS.PlatformCA = "ca.pem"
	w.expect("certificates", Failed) // given in the answers, not in the release
	w.release.Values = map[string]any{
		"global":  map[string]any{"codefresh": map[string]any{"tls": map[string]any{"caCerts": map[string]any{"secret": map[string]any{"create": true}}}}},
		"argo-cd": map[string]any{"configs": map[string]any{"tls": map[string]any{"certificates": map[string]any{"git.acme.io": "PEM"}}}},
	}
	w.expect("certificates", Failed)
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: tlsSecret, Namespace: "codefresh"}, Data: map[string][]byte{"ca-bundle.crt": []byte("PEM")}})
	w.expect("certificates", Failed) // Argo CD does not have the Git host's yet
	configured := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: gitCAMap, Namespace: "codefresh"}, Data: map[string]string{"git.acme.io": "PEM"}}
	if _, err := w.client.CoreV1().ConfigMaps("codefresh").Create(t.Context(), configured, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("certificates", Done)
	if err := w.client.CoreV1().Secrets("codefresh").Delete(t.Context(), tlsSecret, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("certificates", Failed)
}

func TestAdminPassword(t *testing.T) {
	w := finished(t)
	w.expect("argocd-admin-password", Done)
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "argocd-secret", Namespace: "codefresh"}, Data: map[string][]byte{"admin.passwordMtime": []byte(time.Now().Add(-time.Hour).Format(time.RFC3339))}})
	w.expect("argocd-admin-password", Done)
	changed, err := w.client.CoreV1().Secrets("codefresh").Get(t.Context(), "argocd-secret", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed.Data["admin.passwordMtime"] = []byte(time.Now().Format(time.RFC3339))
	if _, err := w.client.CoreV1().Secrets("codefresh").Update(t.Context(), changed, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("argocd-admin-password", Failed)
	if err := w.client.CoreV1().Secrets("codefresh").Delete(t.Context(), "argocd-initial-admin-secret", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("argocd-admin-password", Failed)
}

func node(change func(*facts.Node)) []facts.Node {
	n := facts.Node{Name: "n1", Ready: true}
	change(&n)
	return []facts.Node{n}
}

func TestCloudWarnings(t *testing.T) {
	w := throughIngress(t, "nginx")
	w.facts.Nodes = node(func(n *facts.Node) { n.ProviderID = "gce://p/z/n1" })
	w.expect("gke-firewall", Done)
	w.codefresh.proxy = 502
	w.expect("gke-firewall", Waiting)
	w.codefresh.proxy = 404
	if item := w.expect("gke-firewall", ToDo); !strings.Contains(item.Command, "firewall-rules create") {
		t.Errorf("the command is %s", item.Command)
	}
	w = throughIngress(t, "nginx")
	w.answers.Codefresh.URL = "https://g.codefresh.io"
	w.facts.Nodes = node(func(n *facts.Node) { n.OSImage = "Docker Desktop" })
	n := w.outside(certificateFor(t, runtimeHost), nil)
	n.names[runtimeHost] = "127.0.0.1"
	if item := w.expect("docker-desktop", Failed); !strings.Contains(item.Fix, "tunnel") {
		t.Errorf("the fix is %s", item.Fix)
	}
	n.names[runtimeHost] = "3.120.4.9"
	w.expect("docker-desktop", Done)
}

func TestWhatNext(t *testing.T) {
	w := finished(t)
	for _, id := range []string{"next-clusters", "next-applications"} {
		if item := w.expect(id, ToDo); item.Needed || item.Link == "" {
			t.Errorf("%s: %+v", id, item)
		}
	}
	w.expect("next-upgrade", Done)
	w.codefresh.clusters = 2
	w.facts.Applications = []facts.Name{{Namespace: "codefresh", Name: "shop"}}
	w.expect("next-clusters", Done)
	w.expect("next-applications", Done)
}

// What cannot be read is never taken as done.
func TestAdditionalRuntime(t *testing.T) {
	w := finished(t)
	w.codefresh.siblings = 2
	if _, there := ByID(w.look(), "shared-config"); there {
		t.Error("an additional runtime is asked for the shared configuration")
	}
	w.codefresh.status = 503
	if _, there := ByID(w.look(), "shared-config"); !there {
		t.Error("while Codefresh does not answer, the item is missing")
	}
}
