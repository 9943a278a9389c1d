package checklist

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/cfwizard/cfwizard/installer/problem"
)

func TestSharedConfiguration(t *testing.T) {
	w := finished(t)
	w.codefresh.shared = ""
	w.answers.Git.SharedConfigRepo = "https://github.com/acme/isc.git"
	w.expect("shared-config", ToDo)
	w.codefresh.lies = true
	if _, err := Do(t.Context(), w.scene(), "shared-config", Given{}); err == nil {
		t.Error("a setting that was not kept passed as set")
	}
	w.expect("shared-config", ToDo)
	w.codefresh.lies = false
	w.do("shared-config", Given{})
	w.expect("shared-config", Done)
	w.codefresh.shared = "" // by hand
	w.expect("shared-config", ToDo)
}

// The token's Secret and the values prove nothing: only Codefresh does.
func TestRuntimeToken(t *testing.T) {
	w := finished(t)
	w.codefresh.token = "UNKNOWN"
	item := w.expect("git-runtime-token", ToDo)
	if !strings.Contains(item.Command, "--reuse-values") || strings.Contains(item.Command+strings.Join(item.Preview, ""), "ghp_") {
		t.Errorf("the command is %q", item.Command)
	}
	w.do("git-runtime-token", Given{"git.username": "ada"})
	written, err := w.client.CoreV1().Secrets("codefresh").Get(t.Context(), GitTokenSecret, metav1.GetOptions{})
	if err != nil || string(written.Data[GitTokenKey]) != "ghp_theruntimestoken" {
		t.Fatalf("the Secret is %v, %v", written, err)
	}
	if textAt(w.set[0], "global.runtime.gitCredentials.password.secretKeyRef.name") != GitTokenSecret || textAt(w.set[0], "global.runtime.gitCredentials.username") != "ada" {
		t.Errorf("set %v", w.set)
	}
	w.release.Values = w.set[0]
	w.expect("git-runtime-token", Waiting)
	w.restarted(false)
	w.codefresh.token = "FAILED"
	w.do("git-runtime-token", Given{})
	w.restarted(true)
	w.codefresh.token = "SUCCESSFUL"
	w.expect("git-runtime-token", Done)
	w.codefresh.token = "FAILED"
	w.expect("git-runtime-token", Failed)
}

// restarted says whether app-proxy was made to read its Secrets anew.
func (w *world) restarted(want bool) {
	w.t.Helper()
	found, err := w.client.AppsV1().Deployments("codefresh").Get(w.t.Context(), "cap-app-proxy", metav1.GetOptions{})
	if err != nil || (found.Spec.Template.Annotations["kubectl.kubernetes.io/restartedAt"] != "") != want {
		w.t.Errorf("restarted is %v (%v), want %v", found.Spec.Template.Annotations, err, want)
	}
}

// A platform that does not tell is helped out by what the runtime keeps.
func TestRuntimeTokenOnAnOldPlatform(t *testing.T) {
	w := finished(t)
	w.codefresh.token = ""
	w.expect("git-runtime-token", ToDo)
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "runtime-repo-creds-secret", Namespace: "codefresh"}})
	w.expect("git-runtime-token", Done)
}

func (w *world) create(secret *corev1.Secret) {
	w.t.Helper()
	if _, err := w.client.CoreV1().Secrets(secret.Namespace).Create(w.t.Context(), secret, metav1.CreateOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

func TestUserToken(t *testing.T) {
	w := finished(t)
	delete(w.codefresh.users, "u1")
	w.codefresh.users["somebody-else"] = true
	item := w.expect("git-user-token", ToDo)
	if !strings.HasSuffix(item.Link, "/2.0/git-personal-access-token") {
		t.Errorf("the page is %s", item.Link)
	}
	w.codefresh.lies = true
	w.do("git-user-token", Given{})
	w.expect("git-user-token", ToDo)
	w.codefresh.lies = false
	w.do("git-user-token", Given{})
	w.expect("git-user-token", Done)
	w.codefresh.users["u1"] = false
	w.expect("git-user-token", Failed)
	delete(w.codefresh.users, "u1")
	w.codefresh.oauth = true
	if item := w.expect("git-user-token", ToDo); !strings.Contains(item.Link, "/app-proxy/api/git-auth/github?accountId=a1&userId=u1") {
		t.Errorf("with an OAuth application the page is %s", item.Link)
	}
	w.codefresh.proxy = 502
	w.expect("git-user-token", Waiting)
}

func TestSSHKey(t *testing.T) {
	w := finished(t)
	if item := w.expect("git-ssh-key", ToDo); item.Needed || !strings.Contains(item.Command, "sshPrivateKey") {
		t.Errorf("got %+v", item)
	}
	labels := map[string]string{"argocd.argoproj.io/secret-type": "repo-creds"}
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "https", Namespace: "codefresh", Labels: labels}, Data: map[string][]byte{"password": []byte("x")}})
	w.expect("git-ssh-key", ToDo)
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "ssh", Namespace: "codefresh", Labels: labels}, Data: map[string][]byte{"sshPrivateKey": []byte("x")}})
	if item := w.expect("git-ssh-key", Done); strings.Contains(item.Detail, "https") {
		t.Errorf("it names %s", item.Detail)
	}
}

func TestGitSource(t *testing.T) {
	w := finished(t)
	w.expect("git-source", ToDo)
	given := func() Given {
		return Given{"name": "apps", "repo": "https://github.com/acme/apps.git", "path": "/prod/", "branch": "live"}
	}
	w.codefresh.lies = true
	w.do("git-source", given())
	w.expect("git-source", ToDo)
	w.codefresh.lies = false
	w.do("git-source", given())
	if !strings.Contains(w.codefresh.sources[0], "https://github.com/acme/apps.git/prod?ref=live") {
		t.Errorf("created %v", w.codefresh.sources)
	}
	w.expect("git-source", Done)
	w.codefresh.sources = []string{`{"node":{"metadata":{"name":"apps"},"self":null}}`}
	w.expect("git-source", Waiting)
	w.codefresh.sources = []string{`{"node":{"metadata":{"name":"apps"},"self":{"status":{"syncStatus":"OUT_OF_SYNC","healthStatus":"DEGRADED"}}}}`}
	if item := w.expect("git-source", Waiting); !strings.Contains(item.Detail, "out of sync and degraded") {
		t.Errorf("it says %s", item.Detail)
	}
}

func TestGitSourceRefusesBadInput(t *testing.T) {
	for field, given := range map[string]Given{
		"name": {"name": "Apps!", "repo": "https://github.com/acme/apps.git"},
		"repo": {"name": "apps", "repo": "https://x:ghp_1@github.com/acme/apps.git"},
	} {
		_, err := Do(t.Context(), finished(t).scene(), "git-source", given)
		if problem.All(err)[0].Field != field || strings.Contains(err.Error(), "ghp_1") {
			t.Errorf("%v: %v", given, err)
		}
	}
}

// An Application that is there but not in sync, or that Codefresh has not seen,
// is not done; and one that is gone is told, whatever Codefresh says.
func TestArgoApplication(t *testing.T) {
	w := finished(t)
	w.release.Values = map[string]any{"global": map[string]any{"codefresh": map[string]any{"userToken": map[string]any{"token": "s3cr3t"}}}}
	item := w.expect("argo-application", ToDo)
	var paths []string
	for _, file := range item.Files {
		paths = append(paths, file.Path)
		if strings.Contains(file.Content, "s3cr3t") {
			t.Errorf("%s holds the token", file.Path)
		}
	}
	if want := []string{"resources/payments/chart/Chart.yaml", "resources/payments/chart/values.yaml", "resources/runtimes/payments/payments.yaml"}; !slices.Equal(paths, want) {
		t.Errorf("the files are %v", paths)
	}
	if !strings.Contains(item.Link, "drawer=install-runtime-wizard") || !strings.Contains(item.Link, "runtimeName=payments") || !strings.Contains(item.Link, "mode=new") {
		t.Errorf("the page is %s", item.Link)
	}
	app := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": "payments", "namespace": "codefresh", "labels": map[string]any{"codefresh.io/entity": "runtime"}}}}
	apps := w.dynamic.Resource(applications).Namespace("codefresh")
	if _, err := apps.Create(t.Context(), app, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("argo-application", Waiting)
	app.Object["status"] = map[string]any{"sync": map[string]any{"status": "Synced"}, "health": map[string]any{"status": "Healthy"}}
	if _, err := apps.Update(t.Context(), app, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("argo-application", Waiting)
	w.codefresh.syncMode = "GITOPS"
	w.expect("argo-application", Done)
	if err := apps.Delete(t.Context(), "payments", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("argo-application", Failed)
}

func TestTheLinkKnowsAnExistingArgoCD(t *testing.T) {
	w := finished(t)
	w.answers.ArgoCD.Mode = "existing"
	if item := w.item("argo-application"); !strings.Contains(item.Link, "mode=byoa") {
		t.Errorf("the page is %s", item.Link)
	}
}
