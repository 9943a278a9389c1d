package cluster

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
)

// furniture is what every cluster in use has: a DNS service and an ingress
// controller with an address.
//
//go:embed furniture.yaml
var furniture string

// Furnish puts the furniture in. Load balancers get the address that their
// annotation names, since nobody here makes them.
func (c *Cluster) Furnish(ctx context.Context) error {
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	queries, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(queries))
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(furniture), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(&object.Object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the furniture: %w", err)
		}
		if err := put(ctx, client, mapper, object); err != nil {
			return fmt.Errorf("putting in %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
}

// WaitForFurniture waits until the ingress controller's pod is ready.
func (c *Cluster) WaitForFurniture(ctx context.Context) error {
	return waitUntil(ctx, "the ingress controller", c.all(), func(ctx context.Context) error {
		controller, err := c.Client.AppsV1().Deployments("ingress-nginx").Get(ctx, "ingress-nginx-controller", metav1.GetOptions{})
		if err == nil && controller.Status.AvailableReplicas == 0 {
			err = errors.New("it has no ready pod")
		}
		return err
	})
}

func put(ctx context.Context, client dynamic.Interface, mapper meta.RESTMapper, object *unstructured.Unstructured) error {
	kind := object.GroupVersionKind()
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	at := dynamic.ResourceInterface(client.Resource(mapping.Resource))
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		at = client.Resource(mapping.Resource).Namespace(object.GetNamespace())
	}
	made, err := at.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "sandbox", Force: true})
	if err != nil {
		return err
	}
	address := object.GetAnnotations()["sandbox.cfwizard.io/address"]
	if address == "" {
		return nil
	}
	status := []any{map[string]any{"ip": address}}
	if err := unstructured.SetNestedSlice(made.Object, status, "status", "loadBalancer", "ingress"); err != nil {
		return err
	}
	_, err = at.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	return err
}
