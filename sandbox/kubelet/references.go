package kubelet

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// references are the Secrets and ConfigMaps that one pod needs, each read once.
type references struct {
	ctx       context.Context
	kubelet   *Kubelet
	namespace string
	read      map[source]keys
}

// source is a Secret or a ConfigMap, keys are what it holds; nil is not there.
type (
	source struct{ kind, name string }
	keys   map[string]bool
)

const (
	secretKind    = "Secret"
	configMapKind = "ConfigMap"
)

// need is one thing that a pod needs: a source, and the keys of it.
type need struct {
	source
	keys     []string
	optional *bool
}

// missing says what becomes of a pod that needs a Secret, a ConfigMap or a key
// that is not there, in a kubelet's words: volumes are mounted before the first
// container, and each container is made when the one before has run. An outcome
// without a name is that nothing is missing.
func (k *Kubelet) missing(ctx context.Context, pod *corev1.Pod) (Outcome, error) {
	r := &references{ctx: ctx, kubelet: k, namespace: pod.Namespace, read: map[source]keys{}}
	for _, volume := range pod.Spec.Volumes {
		why, err := r.cannotMount(volume)
		if err != nil {
			return Outcome{}, err
		}
		if why != "" {
			return Outcome{Name: "waiting", Reason: "ContainerCreating", Events: []Happening{{Type: "Warning", Reason: "FailedMount",
				Message: fmt.Sprintf("MountVolume.SetUp failed for volume %q : %s", volume.Name, why)}}}, nil
		}
	}
	for i, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		why, err := r.cannotMake(container)
		if err != nil {
			return Outcome{}, err
		}
		if why == "" {
			continue
		}
		o := Outcome{Name: "waiting", Reason: "CreateContainerConfigError", Message: why}
		if i < len(pod.Spec.InitContainers) {
			o.Init = container.Name
		}
		return o, nil
	}
	return Outcome{}, nil
}

// cannotMount says why a volume of a Secret or a ConfigMap cannot be mounted.
func (r *references) cannotMount(volume corev1.Volume) (string, error) {
	n := need{}
	var items []corev1.KeyToPath
	absent := "references non-existent secret key: %s"
	switch {
	case volume.Secret != nil:
		n.source, n.optional, items = source{secretKind, volume.Secret.SecretName}, volume.Secret.Optional, volume.Secret.Items
	case volume.ConfigMap != nil:
		n.source, n.optional, items = source{configMapKind, volume.ConfigMap.Name}, volume.ConfigMap.Optional, volume.ConfigMap.Items
		absent = "references non-existent config key: %s"
	default:
		return "", nil
	}
	for _, item := range items {
		n.keys = append(n.keys, item.Key)
	}
	return r.lacks(n, func(key string) string { return fmt.Sprintf(absent, key) })
}

// cannotMake says why a container's environment cannot be made.
func (r *references) cannotMake(container corev1.Container) (string, error) {
	var needs []need
	for _, from := range container.EnvFrom {
		if ref := from.SecretRef; ref != nil {
			needs = append(needs, need{source: source{secretKind, ref.Name}, optional: ref.Optional})
		}
		if ref := from.ConfigMapRef; ref != nil {
			needs = append(needs, need{source: source{configMapKind, ref.Name}, optional: ref.Optional})
		}
	}
	for _, env := range container.Env {
		if env.ValueFrom == nil {
			continue
		}
		if ref := env.ValueFrom.SecretKeyRef; ref != nil {
			needs = append(needs, need{source{secretKind, ref.Name}, []string{ref.Key}, ref.Optional})
		}
		if ref := env.ValueFrom.ConfigMapKeyRef; ref != nil {
			needs = append(needs, need{source{configMapKind, ref.Name}, []string{ref.Key}, ref.Optional})
		}
	}
	for _, n := range needs {
		why, err := r.lacks(n, func(key string) string {
			return fmt.Sprintf("couldn't find key %s in %s %s/%s", key, n.kind, r.namespace, n.name)
		})
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// lacks says what of a need is not there. What is optional may be missing.
func (r *references) lacks(n need, absent func(key string) string) (string, error) {
	if n.optional != nil && *n.optional {
		return "", nil
	}
	held, err := r.keysOf(n.source)
	if err != nil {
		return "", err
	}
	if held == nil {
		return fmt.Sprintf("%s %q not found", map[string]string{secretKind: "secret", configMapKind: "configmap"}[n.kind], n.name), nil
	}
	for _, key := range n.keys {
		if !held[key] {
			return absent(key), nil
		}
	}
	return "", nil
}

func (r *references) keysOf(s source) (keys, error) {
	if held, known := r.read[s]; known {
		return held, nil
	}
	held, err := r.fetch(s)
	if apierrors.IsNotFound(err) {
		held, err = nil, nil
	}
	r.read[s] = held
	return held, err
}

func (r *references) fetch(s source) (keys, error) {
	held, core := keys{}, r.kubelet.client.CoreV1()
	if s.kind == secretKind {
		found, err := core.Secrets(r.namespace).Get(r.ctx, s.name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		addKeys(held, found.Data)
		return held, nil
	}
	found, err := core.ConfigMaps(r.namespace).Get(r.ctx, s.name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	addKeys(held, found.Data)
	addKeys(held, found.BinaryData)
	return held, nil
}

func addKeys[V any](held keys, data map[string]V) {
	for key := range data {
		held[key] = true
	}
}
