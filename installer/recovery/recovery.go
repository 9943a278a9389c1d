// Package recovery reads what an interrupted or failed install left behind, and
// proposes only what is safe.
package recovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	helm "helm.sh/helm/v3/pkg/release"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/lease"
	"github.com/cfwizard/cfwizard/installer/release"
)

// Findings are what is left of earlier runs.
type Findings struct {
	Release, Namespace string
	History            []*helm.Release // the newest first
	Holder             string          // who installs right now, if anybody
	Leftovers          []cluster.Found // of hooks, that should be gone
}

// Look reads the release's records, the lease and the leftovers of hooks.
func Look(ctx context.Context, c *cluster.Connection, namespace, name string) (Findings, error) {
	f := Findings{Release: name, Namespace: namespace}
	var err error
	if f.History, err = release.History(c, namespace, name); err != nil {
		return f, err
	}
	if f.Holder, err = holder(ctx, c, namespace, name); err != nil {
		return f, err
	}
	if len(f.History) == 0 || f.Holder != "" {
		return f, nil
	}
	f.Leftovers, err = c.OfHooks(ctx, namespace, hookManifests(f.History[0], passing)...)
	return f, err
}

// holder is who works on the release right now, if anybody.
func holder(ctx context.Context, c *cluster.Connection, namespace, name string) (string, error) {
	found, err := c.Client.CoordinationV1().Leases(namespace).Get(ctx, lease.Name(name), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading the lease: %w", err)
	}
	who, _, working := lease.AtWork(found, time.Now())
	if !working {
		return "", nil
	}
	return who, nil
}

func hookManifests(r *helm.Release, wanted func(*helm.Hook) bool) []string {
	var manifests []string
	for _, hook := range r.Hooks {
		if wanted(hook) {
			manifests = append(manifests, hook.Manifest)
		}
	}
	return manifests
}

// passing reports whether Helm deletes the hook's object after it has run. A
// failed Job is kept on purpose: its log says why.
func passing(hook *helm.Hook) bool {
	if slices.Contains(hook.Events, helm.HookPreDelete) || slices.Contains(hook.Events, helm.HookPostDelete) {
		return false
	}
	return slices.Contains(hook.DeletePolicies, helm.HookFailed)
}

// TakeOver marks a record that a killed run left pending as failed, so that
// Helm and this program go on.
func TakeOver(c *cluster.Connection, namespace, name string) error {
	store := release.Records(c, namespace)
	last, err := store.Last(name)
	if err != nil {
		return fmt.Errorf("reading Helm's record: %w", err)
	}
	if !last.Info.Status.IsPending() {
		return nil
	}
	last.SetStatus(helm.StatusFailed, "interrupted; taken over by cfwizard")
	if err := store.Update(last); err != nil {
		return fmt.Errorf("marking the record: %w", err)
	}
	return nil
}

// Clean deletes the leftovers of hooks. The lease that this run holds is no
// reason to leave them.
func Clean(ctx context.Context, c *cluster.Connection, namespace, name string) error {
	history, err := release.History(c, namespace, name)
	if err != nil || len(history) == 0 {
		return err
	}
	left, err := c.OfHooks(ctx, namespace, hookManifests(history[0], passing)...)
	if err != nil || len(left) == 0 {
		return err
	}
	finder, err := c.Finder(ctx)
	if err != nil {
		return err
	}
	return finder.Delete(ctx, left...)
}
