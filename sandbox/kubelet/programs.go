package kubelet

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Platform is what the chart's programs ask Codefresh.
type Platform interface {
	ValidateInstall(userToken, accountID, runtime string) error
	ValidateUsage(userToken, runtime string) error
	RegisterRuntime(r Runtime) (token string, err error)
	DeleteRuntime(name string)
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
		err = k.deleteRuntime(ctx, pod.Namespace)
	case "cleanup-runtime-resources":
		err = k.client.CoreV1().Secrets(pod.Namespace).Delete(ctx, "codefresh-token", metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			err = nil
		}
	}
	if refusal, ok := err.(refused); ok {
		return Outcome{Name: "failed", Log: []string{"level=info msg=validating", "level=fatal msg=" + string(refusal)}}, nil
	}
	return Outcome{Name: "succeeded", Log: []string{container + " done"}}, err
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

// validateValues does what `cf helm validate` does, in its order.
func (k *Kubelet) validateValues(ctx context.Context, namespace string) error {
	v, err := k.values(ctx, namespace)
	if err != nil {
		return err
	}
	name := v.text("global.runtime.name")
	if name == "" {
		return refused(`missing "global.runtime.name" field`)
	}
	if err := k.validateAccess(ctx, v); err != nil {
		return err
	}
	token, err := k.userToken(ctx, namespace, v)
	if err != nil {
		return err
	}
	// With a runtime token in place the validator only asks for the runtime.
	if _, err := k.client.CoreV1().Secrets(namespace).Get(ctx, "codefresh-token", metav1.GetOptions{}); err == nil {
		return nil
	}
	return refusal(k.platform.ValidateInstall(token, v.text("global.codefresh.accountId"), name))
}

func (k *Kubelet) validateAccess(ctx context.Context, v values) error {
	switch {
	case v.flag("global.runtime.ingress.enabled"):
		class := v.text("global.runtime.ingress.className")
		if v.flag("global.runtime.ingress.skipValidation") {
			return nil
		}
		_, err := k.client.NetworkingV1().IngressClasses().Get(ctx, class, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return refused(fmt.Sprintf("ingressclasses.networking.k8s.io %q not found", class))
		}
		return err
	case v.flag("tunnel-client.enabled"):
		if v.text("global.codefresh.accountId") == "" {
			return refused(`"global.codefresh.accountId" must be provided when using tunnel-client`)
		}
	case v.text("global.runtime.ingressUrl") == "":
		return refused(`must supply "global.runtime.ingressUrl" if both "global.runtime.ingress.enabled" and "tunnel-client.enabled" are false`)
	}
	return nil
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

func (k *Kubelet) deleteRuntime(ctx context.Context, namespace string) error {
	settings, err := k.client.CoreV1().ConfigMaps(namespace).Get(ctx, "codefresh-cm", metav1.GetOptions{})
	if err == nil {
		k.platform.DeleteRuntime(settings.Labels["codefresh.io/runtime-name"])
	}
	return nil
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

// register is what app-proxy does first: it makes the runtime known to the
// platform and keeps the token it is given, which the other parts wait for.
func (k *Kubelet) register(ctx context.Context, pod *corev1.Pod) error {
	if _, err := k.client.CoreV1().Secrets(pod.Namespace).Get(ctx, "codefresh-token", metav1.GetOptions{}); err == nil {
		return nil
	}
	settings, err := k.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, "codefresh-cm", metav1.GetOptions{})
	if err != nil {
		return err
	}
	token, err := k.platform.RegisterRuntime(Runtime{
		Name: settings.Labels["codefresh.io/runtime-name"], Namespace: pod.Namespace,
		IngressHost: settings.Data["ingressHost"], Version: settings.Data["version"],
	})
	if err != nil {
		return writeLog(k.logDir, "cap-app-proxy", "error: registering the runtime: "+err.Error())
	}
	return k.makeSecret(ctx, pod.Namespace, "codefresh-token", map[string]string{"token": token, "encryptionIV": "sandbox"})
}

// giveGitToken is what app-proxy does, once, with the Git token of its
// environment.
func (k *Kubelet) giveGitToken(ctx context.Context, pod *corev1.Pod) error {
	if _, given := k.given.Load(pod.UID); given {
		return nil
	}
	for _, variable := range pod.Spec.Containers[0].Env {
		if variable.Name != "GIT_PASSWORD" || variable.ValueFrom == nil || variable.ValueFrom.SecretKeyRef == nil {
			continue
		}
		ref := variable.ValueFrom.SecretKeyRef
		secret, err := k.client.CoreV1().Secrets(pod.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		settings, err := k.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, "codefresh-cm", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if err := k.platform.GiveGitToken(settings.Labels["codefresh.io/runtime-name"], pod.Namespace, string(secret.Data[ref.Key])); err != nil {
			return err
		}
		k.given.Store(pod.UID, true)
		return nil
	}
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

// userToken is the Codefresh key that the values give or point at.
func (k *Kubelet) userToken(ctx context.Context, namespace string, v values) (string, error) {
	if token := v.text("global.codefresh.userToken.token"); token != "" {
		return token, nil
	}
	name, key := v.text("global.codefresh.userToken.secretKeyRef.name"), v.text("global.codefresh.userToken.secretKeyRef.key")
	secret, err := k.client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", refused(fmt.Sprintf("secrets %q not found", name))
	}
	if err != nil {
		return "", err
	}
	return string(secret.Data[key]), nil
}

// values are the chart's values as the hooks find them.
type values map[string]any

func (k *Kubelet) values(ctx context.Context, namespace string) (values, error) {
	config, err := k.client.CoreV1().ConfigMaps(namespace).Get(ctx, "helm-values-config", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	v := values{}
	return v, yaml.Unmarshal([]byte(config.Data["values.yaml"]), &v)
}

func (v values) at(path string) any {
	var node any = map[string]any(v)
	for name := range strings.SplitSeq(path, ".") {
		table, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = table[name]
	}
	return node
}

func (v values) text(path string) string {
	if value := v.at(path); value != nil {
		return fmt.Sprint(value)
	}
	return ""
}

func (v values) flag(path string) bool { on, _ := v.at(path).(bool); return on }
