package kubelet

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Platform is what the chart's programs ask Codefresh.
type Platform interface {
	ValidateInstall(userToken, accountID, runtime string) error
	ValidateRuntime(runtimeToken, runtime string) error
	ValidateGitToken(token string) error
	ValidateUsage(userToken, runtime string) error
	RegisterRuntime(userToken string, r Runtime) (token string, err error)
	DeleteRuntime(userToken, name string)
	GiveGitToken(runtime, namespace, token string) error
}

// Runtime is what app-proxy says when it registers.
type Runtime struct{ Name, Namespace, IngressHost, Version string }

// runJob does what a hook's Job would do, and says how it ended.
func (k *Kubelet) runJob(ctx context.Context, pod *corev1.Pod, container string) (Outcome, error) {
	var err error
	switch container {
	case "validate-values":
		err = k.validateValues(ctx, pod.Namespace)
	case "validate-usage":
		err = k.validateUsage(ctx, pod.Namespace)
	case "redis-secret-init":
		err = k.makeSecret(ctx, pod.Namespace, "gitops-runtime-redis", map[string]string{"auth": "sandbox-redis"})
	case "argo-cd-redis-secret-init":
		err = k.makeSecret(ctx, pod.Namespace, "argocd-redis", map[string]string{"auth": "sandbox-redis"})
	case "delete-runtime-from-platform":
		err = k.deleteRuntime(ctx, pod)
	case "cleanup-runtime-resources":
		err = k.client.CoreV1().Secrets(pod.Namespace).Delete(ctx, "codefresh-token", metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			err = nil
		}
	}
	if refusal, ok := err.(refused); ok {
		return Outcome{Name: "failed", Log: []string{logged("info", "validating"), logged("fatal", string(refusal))}}, nil
	}
	return Outcome{Name: "succeeded", Log: []string{container + " done"}}, err
}

// logged is a line of the official client's logger.
func logged(level, message string) string {
	if strings.ContainsAny(message, "\" :=") {
		message = strconv.Quote(message)
	}
	return fmt.Sprintf(`time="2026-01-01T00:00:00Z" level=%s msg=%s`, level, message)
}

// refused is an error that the program prints before it ends with 1.
type refused string

func (r refused) Error() string { return string(r) }

func refusal(err error) error {
	if err == nil {
		return nil
	}
	return refused(err.Error())
}

func (k *Kubelet) validateUsage(ctx context.Context, namespace string) error {
	v, err := k.values(ctx, namespace)
	if err != nil {
		return err
	}
	token, err := k.userToken(ctx, namespace, v)
	if err != nil {
		return err
	}
	return refusal(k.platform.ValidateUsage(token, v.text("global.runtime.name")))
}

func (k *Kubelet) deleteRuntime(ctx context.Context, pod *corev1.Pod) error {
	name, err := k.environment(ctx, pod, "RUNTIME")
	if err != nil {
		return err
	}
	token, err := k.environment(ctx, pod, "USER_TOKEN")
	if err != nil {
		return err
	}
	if token == "" {
		return refused("User token unavailable, unable to remove runtime " + name + " from platform, please remove it from UI")
	}
	k.platform.DeleteRuntime(token, name)
	return nil
}

// environment is a variable of a pod's first container.
func (k *Kubelet) environment(ctx context.Context, pod *corev1.Pod, name string) (string, error) {
	for _, variable := range pod.Spec.Containers[0].Env {
		if variable.Name != name {
			continue
		}
		if variable.ValueFrom == nil || variable.ValueFrom.SecretKeyRef == nil {
			return variable.Value, nil
		}
		ref := variable.ValueFrom.SecretKeyRef
		secret, err := k.client.CoreV1().Secrets(pod.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return string(secret.Data[ref.Key]), nil
	}
	return "", nil
}

// act is what a running container does to the world around it.
func (k *Kubelet) act(ctx context.Context, pod *corev1.Pod) error {
	switch pod.Spec.Containers[0].Name {
	case "argo-cd-server":
		return k.makeSecret(ctx, pod.Namespace, "argocd-initial-admin-secret", map[string]string{"password": "sandbox-argocd"})
	case "cap-app-proxy":
		if err := k.register(ctx, pod); err != nil {
			return err
		}
		return k.giveGitToken(ctx, pod)
	}
	return nil
}

// register is what app-proxy does first, once: it makes the runtime known to
// the platform and keeps the token it is given, which the other parts wait for.
func (k *Kubelet) register(ctx context.Context, pod *corev1.Pod) error {
	if _, known := k.registered.Load(pod.UID); known {
		return nil
	}
	if _, err := k.client.CoreV1().Secrets(pod.Namespace).Get(ctx, "codefresh-token", metav1.GetOptions{}); err == nil {
		k.registered.Store(pod.UID, true)
		return nil
	}
	settings, err := k.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, "codefresh-cm", metav1.GetOptions{})
	if err != nil {
		return err
	}
	user, err := k.environment(ctx, pod, "USER_TOKEN")
	if err != nil {
		return err
	}
	token, err := k.platform.RegisterRuntime(user, Runtime{
		Name: settings.Labels["codefresh.io/runtime-name"], Namespace: pod.Namespace,
		IngressHost: settings.Data["ingressHost"], Version: settings.Data["version"],
	})
	if err != nil {
		return writeLog(k.logDir, "cap-app-proxy", "error: registering the runtime: "+err.Error())
	}
	k.registered.Store(pod.UID, true)
	return k.makeSecret(ctx, pod.Namespace, "codefresh-token", map[string]string{"token": token, "encryptionIV": "sandbox"})
}

// giveGitToken is what app-proxy does, once, with the Git token of its
// environment.
func (k *Kubelet) giveGitToken(ctx context.Context, pod *corev1.Pod) error {
	if _, given := k.given.Load(pod.UID); given {
		return nil
	}
	token, err := k.environment(ctx, pod, "GIT_PASSWORD")
	if err != nil || token == "" {
		return err
	}
	settings, err := k.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, "codefresh-cm", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := k.platform.GiveGitToken(settings.Labels["codefresh.io/runtime-name"], pod.Namespace, token); err != nil {
		return err
	}
	k.given.Store(pod.UID, true)
	return nil
}

func (k *Kubelet) makeSecret(ctx context.Context, namespace, name string, content map[string]string) error {
	_, err := k.client.CoreV1().Secrets(namespace).Create(ctx,
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, StringData: content}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return nil
	}
	return err
}
