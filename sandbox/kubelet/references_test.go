package kubelet

import (
	"log/slog"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/yaml"
)

const space = "codefresh"

func newKubelet(t *testing.T, platform Platform, objects ...runtime.Object) *Kubelet {
	t.Helper()
	return New(fake.NewClientset(objects...), platform, t.TempDir(), slog.New(slog.DiscardHandler))
}

func secret(name string, keys ...string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: space}, Data: map[string][]byte{}}
	for _, key := range keys {
		s.Data[key] = []byte("value of " + key)
	}
	return s
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: space}, Data: data}
}

func TestWhatAPodNeeds(t *testing.T) {
	const app = "containers: [{name: app}]\n"
	there := []runtime.Object{secret("there", "key"), configMap("there", map[string]string{"key": "x"})}
	for name, test := range map[string]struct {
		spec                         string
		reason, message, event, init string
	}{
		"nothing":                   {spec: app},
		"what is there":             {spec: "containers: [{name: app, envFrom: [{secretRef: {name: there}}, {configMapRef: {name: there}}], env: [{name: A, valueFrom: {secretKeyRef: {name: there, key: key}}}, {name: B, valueFrom: {configMapKeyRef: {name: there, key: key}}}]}]\nvolumes: [{name: v, secret: {secretName: there, items: [{key: key, path: p}]}}, {name: w, configMap: {name: there}}]"},
		"secret of a variable":      {spec: "containers: [{name: app, env: [{name: A, valueFrom: {secretKeyRef: {name: gone, key: key}}}]}]", reason: "CreateContainerConfigError", message: `secret "gone" not found`},
		"key of a variable":         {spec: "containers: [{name: app, env: [{name: A, valueFrom: {secretKeyRef: {name: there, key: other}}}]}]", reason: "CreateContainerConfigError", message: "couldn't find key other in Secret codefresh/there"},
		"configmap of a variable":   {spec: "containers: [{name: app, env: [{name: A, valueFrom: {configMapKeyRef: {name: gone, key: key}}}]}]", reason: "CreateContainerConfigError", message: `configmap "gone" not found`},
		"configmap's key":           {spec: "containers: [{name: app, env: [{name: A, valueFrom: {configMapKeyRef: {name: there, key: other}}}]}]", reason: "CreateContainerConfigError", message: "couldn't find key other in ConfigMap codefresh/there"},
		"secret of all variables":   {spec: "containers: [{name: app, envFrom: [{secretRef: {name: gone}}]}]", reason: "CreateContainerConfigError", message: `secret "gone" not found`},
		"configmap of all of them":  {spec: "containers: [{name: app, envFrom: [{configMapRef: {name: gone}}]}]", reason: "CreateContainerConfigError", message: `configmap "gone" not found`},
		"second container":          {spec: "containers: [{name: app}, {name: side, envFrom: [{secretRef: {name: gone}}]}]", reason: "CreateContainerConfigError", message: `secret "gone" not found`},
		"init container":            {spec: app + "initContainers: [{name: first}, {name: second, envFrom: [{secretRef: {name: gone}}]}]", reason: "CreateContainerConfigError", message: `secret "gone" not found`, init: "second"},
		"secret of a volume":        {spec: app + "volumes: [{name: v, secret: {secretName: gone}}]", reason: "ContainerCreating", event: `MountVolume.SetUp failed for volume "v" : secret "gone" not found`},
		"configmap of a volume":     {spec: app + "volumes: [{name: v, configMap: {name: gone}}]", reason: "ContainerCreating", event: `MountVolume.SetUp failed for volume "v" : configmap "gone" not found`},
		"secret key of a volume":    {spec: app + "volumes: [{name: v, secret: {secretName: there, items: [{key: other, path: p}]}}]", reason: "ContainerCreating", event: `MountVolume.SetUp failed for volume "v" : references non-existent secret key: other`},
		"configmap key of a volume": {spec: app + "volumes: [{name: v, configMap: {name: there, items: [{key: other, path: p}]}}]", reason: "ContainerCreating", event: `MountVolume.SetUp failed for volume "v" : references non-existent config key: other`},
		"all optional":              {spec: "containers: [{name: app, envFrom: [{secretRef: {name: gone, optional: true}}, {configMapRef: {name: gone, optional: true}}], env: [{name: A, valueFrom: {secretKeyRef: {name: gone, key: key, optional: true}}}, {name: B, valueFrom: {configMapKeyRef: {name: there, key: other, optional: true}}}]}]\nvolumes: [{name: v, secret: {secretName: gone, optional: true}}, {name: w, configMap: {name: gone, optional: true}}]"},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: space}}
		if err := yaml.UnmarshalStrict([]byte(test.spec), &pod.Spec); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := newKubelet(t, nil, there...).missing(t.Context(), pod)
		if err != nil {
			t.Fatal(err)
		}
		if got.Reason != test.reason || got.Message != test.message || got.firstEvent() != test.event || got.Init != test.init {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What a pod that runs already has needed may be deleted.
func TestARunningPodNeedsNothingMore(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: space},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", EnvFrom: []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "gone"}}}}}}}}
	for _, ready := range []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionTrue} {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
		want := map[corev1.ConditionStatus]string{corev1.ConditionFalse: "waiting", corev1.ConditionTrue: "ready"}[ready]
		if got, err := newKubelet(t, nil).decide(t.Context(), pod); err != nil || got.Name != want {
			t.Errorf("ready is %s: %+v, %v", ready, got, err)
		}
	}
}
