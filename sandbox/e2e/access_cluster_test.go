package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

// lab is a sandbox whose objects are changed directly: that is many times
// faster than a kubectl for each change.
type lab struct {
	*sandbox
	cluster dynamic.Interface
}

func newLab(s *sandbox) *lab {
	s.t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", s.env["KUBECONFIG"])
	if err != nil {
		s.t.Fatal(err)
	}
	config.QPS, config.Timeout, config.WarningHandler = -1, 30*time.Second, rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		s.t.Fatal(err)
	}
	return &lab{s, client}
}

// resource is where an object is.
func (l *lab) resource(object *unstructured.Unstructured) dynamic.ResourceInterface {
	kind := object.GroupVersionKind()
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	if irregular, known := irregularPlurals[kind.Kind]; known {
		plural.Resource = irregular
	}
	return l.cluster.Resource(plural).Namespace(object.GetNamespace())
}

var irregularPlurals = map[string]string{"Gateway": "gateways", "IngressClassParams": "ingressclassparams"}

// apply brings the cluster to a fixture: each object is as it says, whatever
// was there.
func (l *lab) apply(f *fixture) {
	l.t.Helper()
	for _, object := range f.objects {
		_, err := l.resource(object).Create(context.Background(), object, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			err = retry.RetryOnConflict(retry.DefaultBackoff, func() error { return l.replace(object) })
		}
		if err != nil {
			l.t.Fatalf("applying %s %s: %v", object.GetKind(), object.GetName(), err)
		}
	}
}

func (l *lab) replace(object *unstructured.Unstructured) error {
	object = object.DeepCopy()
	object.SetResourceVersion(l.get(object).GetResourceVersion())
	_, err := l.resource(object).Update(context.Background(), object, metav1.UpdateOptions{})
	return err
}

// get reads an object of a fixture as it is in the cluster.
func (l *lab) get(object *unstructured.Unstructured) *unstructured.Unstructured {
	l.t.Helper()
	found, err := l.resource(object).Get(context.Background(), object.GetName(), metav1.GetOptions{})
	if err != nil {
		l.t.Fatalf("reading %s %s: %v", object.GetKind(), object.GetName(), err)
	}
	return found
}

// balance gives a Service's load balancer its address, since nobody here makes
// load balancers.
func (l *lab) balance(service *unstructured.Unstructured, address string) {
	l.t.Helper()
	now := l.get(service)
	if kind, _, _ := unstructured.NestedString(now.Object, "spec", "type"); kind != "LoadBalancer" {
		return
	}
	var wanted []any
	switch {
	case address == noAddress:
	case strings.Trim(address, "0123456789.") == "":
		wanted = append(wanted, map[string]any{"ip": address, "ipMode": "VIP"})
	default:
		wanted = append(wanted, map[string]any{"hostname": address})
	}
	has, _, _ := unstructured.NestedSlice(now.Object, "status", "loadBalancer", "ingress")
	if equality.Semantic.DeepEqual(has, wanted) {
		return
	}
	err := unstructured.SetNestedSlice(now.Object, wanted, "status", "loadBalancer", "ingress")
	if err == nil {
		_, err = l.resource(now).UpdateStatus(context.Background(), now, metav1.UpdateOptions{})
	}
	if err != nil {
		l.t.Fatalf("giving the load balancer an address: %v", err)
	}
}

// remove takes objects away. Namespaces and kinds may stay.
func (l *lab) remove(objects ...*unstructured.Unstructured) {
	l.t.Helper()
	for _, object := range objects {
		if slices.Contains([]string{"Namespace", "CustomResourceDefinition"}, object.GetKind()) {
			continue
		}
		background := metav1.DeletePropagationBackground
		err := l.resource(object).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{PropagationPolicy: &background})
		if err != nil && !apierrors.IsNotFound(err) {
			l.t.Errorf("removing %s %s: %v", object.GetKind(), object.GetName(), err)
		}
	}
}

// ready waits until a workload has a pod that is ready.
func (l *lab) ready(t *testing.T, workload *unstructured.Unstructured) {
	t.Helper()
	eventually(t, workload.GetKind()+" "+workload.GetName()+" is ready", func() bool { return l.hasReadyPod(workload) })
}

func (l *lab) hasReadyPod(workload *unstructured.Unstructured) bool {
	l.t.Helper()
	status, _, _ := unstructured.NestedMap(l.get(workload).Object, "status")
	return status["availableReplicas"] != nil || status["numberAvailable"] != nil && status["numberAvailable"] != int64(0)
}

// part is a part of one of a fixture's objects, KIND/NAME, as it is in the
// cluster.
type part struct{ object, path string }

// programOf is what a Deployment runs.
func programOf(deployment string) part {
	return part{"Deployment/" + deployment, "spec.template.spec.containers"}
}

func (l *lab) read(f *fixture, p part) string {
	l.t.Helper()
	field, _, err := unstructured.NestedFieldNoCopy(l.get(f.object(p.object)).Object, strings.Split(p.path, ".")...)
	if err != nil {
		l.t.Fatal(err)
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(field); err != nil {
		l.t.Fatal(err)
	}
	return text.String()
}
