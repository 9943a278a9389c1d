package kubelet

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

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

// userToken is the Codefresh key that the values give or point at.
func (k *Kubelet) userToken(ctx context.Context, namespace string, v values) (string, error) {
	token, err := k.secretAt(ctx, namespace, v, "global.codefresh.userToken", "token")
	if _, ok := err.(refused); ok {
		return "", refused("failed getting user token: failed getting user token from secretKeyRef: " + err.Error())
	}
	return token, err
}

// secretAt is a secret that the values give in a field, or point at.
func (k *Kubelet) secretAt(ctx context.Context, namespace string, v values, path, field string) (string, error) {
	name, key := v.text(path+".secretKeyRef.name"), v.text(path+".secretKeyRef.key")
	if given := v.text(path + "." + field); given != "" || name == "" {
		return given, nil
	}
	secret, err := k.client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", refused(fmt.Sprintf("secrets %q not found", name))
	}
	if err != nil {
		return "", err
	}
	return string(secret.Data[key]), nil
}
