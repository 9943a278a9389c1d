package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"
)

// Finder looks for single objects of any kind, and deletes them.
type Finder struct {
	mapper meta.RESTMapper
	client metadata.Interface
}

// Found is an object that is there.
type Found struct {
	Kind        string                      `json:"kind"`
	Namespace   string                      `json:"namespace,omitempty"`
	Name        string                      `json:"name"`
	Finalizers  []string                    `json:"finalizers,omitempty"`
	Labels      map[string]string           `json:"-"`
	Annotations map[string]string           `json:"-"`
	Going       bool                        `json:"-"` // it was deleted, and something holds it
	UID         types.UID                   `json:"-"`
	API         schema.GroupVersionResource `json:"-"` // where the API server has it
}

func (f Found) String() string { return f.Kind + " " + f.Name }

// Resource is how kubectl names the object's kind.
func (f Found) Resource() string { return f.API.GroupResource().String() }

// Finder asks for the kinds that the cluster serves.
func (c *Connection) Finder(ctx context.Context) (*Finder, error) {
	kinds, err := c.Kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking for the kinds of objects: %w", err)
	}
	client, err := metadata.NewForConfig(c.Config)
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	return &Finder{mapper: restmapper.NewDiscoveryRESTMapper(kinds), client: client}, nil
}

// abreast is how many objects are asked for at once.
const abreast = 8

// Find looks for the objects of manifests, which lie in a namespace where they
// name none. What is not there, and what the cluster has no kind for, is left
// out.
func (f *Finder) Find(ctx context.Context, namespace string, manifests ...string) ([]Found, error) {
	wanted := f.targets(namespace, manifests)
	found, errs := make([]*Found, len(wanted)), make([]error, len(wanted))
	slots := make(chan struct{}, abreast)
	var work sync.WaitGroup
	for i, target := range wanted {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			found[i], errs[i] = f.Again(ctx, target)
		})
	}
	work.Wait()
	var there []Found
	for i := range wanted {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if found[i] != nil {
			there = append(there, *found[i])
		}
	}
	return there, nil
}

func (f *Finder) targets(namespace string, manifests []string) []Found {
	var wanted []Found
	for _, manifest := range manifests {
		var object metav1.PartialObjectMetadata
		if err := yaml.Unmarshal([]byte(manifest), &object); err != nil || object.Name == "" {
			continue
		}
		kind := object.GroupVersionKind()
		mapping, err := f.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			continue
		}
		target := Found{Kind: kind.Kind, Name: object.Name, API: mapping.Resource}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			target.Namespace = namespace
			if object.Namespace != "" {
				target.Namespace = object.Namespace
			}
		}
		wanted = append(wanted, target)
	}
	return wanted
}

// Again looks for one object; nil says that it is not there.
func (f *Finder) Again(ctx context.Context, target Found) (*Found, error) {
	object, err := f.client.Resource(target.API).Namespace(target.Namespace).Get(ctx, target.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", target, err)
	}
	found := asFound(target.Kind, target.API, object)
	return &found, nil
}

func asFound(kind string, resource schema.GroupVersionResource, object *metav1.PartialObjectMetadata) Found {
	return Found{Kind: kind, Namespace: object.Namespace, Name: object.Name, Finalizers: object.Finalizers, Labels: object.Labels,
		Annotations: object.Annotations, Going: object.DeletionTimestamp != nil, UID: object.UID, API: resource}
}

// List gives the objects of a kind, named as in an URL, in a namespace or in
// all. A kind that the cluster does not have has none.
func (f *Finder) List(ctx context.Context, resource schema.GroupResource, namespace, selector string) ([]Found, error) {
	served, err := f.mapper.ResourceFor(resource.WithVersion(""))
	if meta.IsNoMatchError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking for the kind %s: %w", resource, err)
	}
	kind, err := f.mapper.KindFor(served)
	if err != nil {
		return nil, fmt.Errorf("asking for the kind %s: %w", resource, err)
	}
	var found []Found
	err = pages(ctx, func(ctx context.Context, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
		options.LabelSelector = selector
		return f.client.Resource(served).Namespace(namespace).List(ctx, options)
	}, func(page *metav1.PartialObjectMetadataList) {
		for i := range page.Items {
			found = append(found, asFound(kind.Kind, served, &page.Items[i]))
		}
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("listing %s: %w", resource, err)
	}
	return found, nil
}

// Delete deletes objects. What is gone already is no error.
func (f *Finder) Delete(ctx context.Context, objects ...Found) error {
	policy := metav1.DeletePropagationBackground
	var failed []string
	for _, o := range objects {
		options := metav1.DeleteOptions{PropagationPolicy: &policy}
		if o.UID != "" {
			options.Preconditions = metav1.NewUIDPreconditions(string(o.UID)) // and no other of its name
		}
		err := f.client.Resource(o.API).Namespace(o.Namespace).Delete(ctx, o.Name, options)
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			failed = append(failed, o.String()+": "+err.Error())
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("deleting: %s", strings.Join(failed, "; "))
	}
	return nil
}

// Free takes the finalizers off objects, so that deleting them does not wait
// for a controller.
func (f *Finder) Free(ctx context.Context, objects ...Found) error {
	for _, o := range objects {
		_, err := f.client.Resource(o.API).Namespace(o.Namespace).Patch(ctx, o.Name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("taking the finalizers off %s: %w", o, err)
		}
	}
	return nil
}

// Namespace is a namespace as an object.
func (f *Finder) Namespace(name string) Found {
	return Found{Kind: "Namespace", Name: name, API: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}}
}

// Names lists objects for a sentence.
func Names(objects []Found) []string {
	names := make([]string, len(objects))
	for i, o := range objects {
		names[i] = o.String()
	}
	slices.Sort(names)
	return names
}
