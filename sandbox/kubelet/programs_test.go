package kubelet

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podOf(container string, env ...corev1.EnvVar) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: space, UID: "1"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: container, Env: env}}}}
}

func fromSecret(variable, name, key string) corev1.EnvVar {
	return corev1.EnvVar{Name: variable, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: name}, Key: key}}}
}

// The runtime is deleted with the key that the hook was given, or not at all.
func TestDeleteRuntimeFromPlatform(t *testing.T) {
	for key, want := range map[string]string{"key": "succeeded", "other": "failed"} {
		p := &platform{t: t}
		if want == "succeeded" {
			p.expected = "DeleteRuntime"
		}
		pod := podOf("delete-runtime-from-platform", corev1.EnvVar{Name: "RUNTIME", Value: "rt"}, fromSecret("USER_TOKEN", "tokens", key))
		got, err := newKubelet(t, p, secret("tokens", "key")).runJob(t.Context(), pod, "delete-runtime-from-platform")
		if err != nil || got.Name != want || want == "failed" && !strings.Contains(got.Log[1], "unable to remove runtime rt") {
			t.Errorf("%s: %+v, %v", key, got, err)
		}
		if want == "succeeded" && strings.Join(p.asked, "") != "DeleteRuntime value of key rt" {
			t.Errorf("asked %q", p.asked)
		}
	}
}

// An app-proxy registers once, and its Git token counts as given when the
// platform took it, not before.
func TestAppProxyActsOnce(t *testing.T) {
	settings := configMap("codefresh-cm", nil)
	settings.Labels = map[string]string{"codefresh.io/runtime-name": "rt"}
	p := &platform{t: t, expected: "RegisterRuntime GiveGitToken", refuses: map[string]error{"GiveGitToken": errors.New("not registered yet")}}
	k := newKubelet(t, p, settings, secret("tokens", "key", "git"))
	pod := podOf("cap-app-proxy", fromSecret("USER_TOKEN", "tokens", "key"), fromSecret("GIT_PASSWORD", "tokens", "git"))
	if err := k.act(t.Context(), pod); err == nil {
		t.Error("a token that was not taken is not tried again")
	}
	p.refuses = nil
	// A removal deletes the runtime's token while app-proxy still runs.
	if err := k.client.CoreV1().Secrets(space).Delete(t.Context(), "codefresh-token", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := k.act(t.Context(), pod); err != nil {
			t.Fatal(err)
		}
	}
	want := "RegisterRuntime value of key rt, GiveGitToken rt codefresh value of git, GiveGitToken rt codefresh value of git"
	if got := strings.Join(p.asked, ", "); got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
}
