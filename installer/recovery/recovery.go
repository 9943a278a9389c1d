// Package recovery reads what an interrupted or failed install left behind, and
// proposes only what is safe.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/lease"
)

// Findings are what is left of earlier runs.
type Findings struct {
	Release, Namespace string
	History            []*release.Release // the newest first
	Holder             string             // who installs right now, if anybody
	Leftovers          []Leftover
}

// Leftover is an object of a hook that should be gone.
type Leftover struct {
	Kind, Namespace, Name string
	resource              schema.GroupVersionResource
}

func (l Leftover) String() string { return l.Kind + " " + l.Name }

// Look reads the release's records, the lease and the leftovers of hooks.
func Look(ctx context.Context, c *cluster.Connection, namespace, name string) (Findings, error) {
	f := Findings{Release: name, Namespace: namespace}
	history, err := records(c, namespace).History(name)
	if err != nil && !errors.Is(err, driver.ErrReleaseNotFound) {
		return f, fmt.Errorf("reading Helm's records: %w", err)
	}
	slices.SortFunc(history, func(a, b *release.Release) int { return b.Version - a.Version })
	f.History = history
	found, err := c.Client.CoordinationV1().Leases(namespace).Get(ctx, lease.Name(name), metav1.GetOptions{})
	if err == nil {
		if holder, _, held := lease.Holder(found, time.Now()); held {
			f.Holder = holder
		}
	} else if !apierrors.IsNotFound(err) {
		return f, fmt.Errorf("reading the lease: %w", err)
	}
	if len(history) == 0 || f.Holder != "" {
		return f, nil
	}
	f.Leftovers, err = leftovers(ctx, c, history[0])
	return f, err
}

func records(c *cluster.Connection, namespace string) *storage.Storage {
	return storage.Init(driver.NewSecrets(c.Client.CoreV1().Secrets(namespace)))
}

// leftovers are the hook objects of a record that Helm was to delete and that
// are still there.
func leftovers(ctx context.Context, c *cluster.Connection, r *release.Release) ([]Leftover, error) {
	kinds, err := c.Kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking for the kinds of objects: %w", err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(kinds)
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	var found []Leftover
	for _, hook := range r.Hooks {
		if !passing(hook) {
			continue
		}
		var object metav1.PartialObjectMetadata
		if err := yaml.Unmarshal([]byte(hook.Manifest), &object); err != nil {
			continue
		}
		kind := object.GroupVersionKind()
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			continue
		}
		at := Leftover{Kind: kind.Kind, Name: object.Name, resource: mapping.Resource}
		if mapping.Scope.Name() == "namespace" {
			at.Namespace = r.Namespace
		}
		if _, err := client.Resource(at.resource).Namespace(at.Namespace).Get(ctx, at.Name, metav1.GetOptions{}); err == nil {
			found = append(found, at)
		}
	}
	return found, nil
}

// passing reports whether Helm deletes the hook's object after it has run. A
// failed Job is kept on purpose: its log says why.
func passing(hook *release.Hook) bool {
	if slices.Contains(hook.Events, release.HookPreDelete) || slices.Contains(hook.Events, release.HookPostDelete) {
		return false
	}
	return slices.Contains(hook.DeletePolicies, release.HookFailed)
}

// TakeOver marks a record that a killed run left pending as failed, so that
// Helm and this program go on.
func TakeOver(c *cluster.Connection, namespace, name string) error {
	store := records(c, namespace)
	last, err := store.Last(name)
	if err != nil {
		return fmt.Errorf("reading Helm's record: %w", err)
	}
	if !last.Info.Status.IsPending() {
		return nil
	}
	last.SetStatus(release.StatusFailed, "interrupted; taken over by cfwizard")
	if err := store.Update(last); err != nil {
		return fmt.Errorf("marking the record: %w", err)
	}
	return nil
}

// Clean deletes the leftovers of hooks.
func Clean(ctx context.Context, c *cluster.Connection, namespace, name string) error {
	f, err := Look(ctx, c, namespace, name)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return fmt.Errorf("preparing the client: %w", err)
	}
	var failed []string
	for _, l := range f.Leftovers {
		if err := client.Resource(l.resource).Namespace(l.Namespace).Delete(ctx, l.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			failed = append(failed, l.String()+": "+err.Error())
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("deleting: %s", strings.Join(failed, "; "))
	}
	return nil
}
