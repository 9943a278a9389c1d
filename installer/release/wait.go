package release

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
)

const (
	heartbeat   = 10 * time.Second // how often it is said what is waited for
	absentLimit = 5 * time.Second  // after which an object counts as deleted
	pollPause   = 2 * time.Second  // for what cannot be watched
)

// refuse says why no more is to be done, if so.
func (k *kubeClient) refuse() error {
	if k.ctx.Err() != nil {
		return context.Cause(k.ctx)
	}
	return nil
}

// wait sorts the objects by how their readiness is learnt, and waits for all.
func (k *kubeClient) wait(resources kube.ResourceList, timeout time.Duration, jobs bool) error {
	ctx, cancel := context.WithTimeout(k.ctx, timeout)
	defer cancel()
	k.hello(ctx)
	k.belongs(namesOf(resources)...)
	crds, watched, polled := k.sorted(resources, jobs)
	if k.tell.now() != CRDs {
		k.tell.enter(Wait, waitingWords(ctx, watched, len(watched), time.Now()))
		defer k.tellFinal()
	}
	var work sync.WaitGroup
	errs := make([]error, 3)
	for i, step := range []func(context.Context) error{
		func(ctx context.Context) error { return k.waitForCRDs(ctx, crds) },
		func(ctx context.Context) error { return k.waitWatched(ctx, watched) },
		func(ctx context.Context) error { return k.waitPolled(ctx, polled, jobs) },
	} {
		work.Go(func() {
			if errs[i] = step(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	work.Wait()
	return k.waitError(errs)
}

// waitError is the error that the others followed from. Ours, by a verdict or
// by the person, goes before Helm's.
func (k *kubeClient) waitError(errs []error) error {
	err := firstError(errs)
	if err != nil && k.ctx.Err() != nil {
		return context.Cause(k.ctx)
	}
	return err
}

// firstError is the first one that is not a mere consequence of another.
func firstError(errs []error) error {
	var cancelled error
	for _, err := range errs {
		switch {
		case errors.Is(err, context.Canceled):
			cancelled = err
		case err != nil:
			return err
		}
	}
	return cancelled
}

// sorted tells apart what is watched, what only Helm's own checker knows, and
// CRDs. What is in none of them is ready once it is created.
func (k *kubeClient) sorted(resources kube.ResourceList, jobs bool) (crds, watched, polled []*resource.Info) {
	readable := k.kinds.objects()
	for _, info := range resources {
		kind := info.Mapping.GroupVersionKind.Kind
		switch kind {
		case "CustomResourceDefinition":
			crds = append(crds, info)
		case "ReplicationController":
			polled = append(polled, info)
		case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "PersistentVolumeClaim", "Service", "Job":
			if kind == "Job" && !jobs || kind == "Service" && !hasLoadBalancer(info) {
				continue
			}
			if _, is := readable[kind]; is && info.Namespace == k.namespace {
				watched = append(watched, info)
			} else {
				polled = append(polled, info)
			}
		}
	}
	return crds, watched, polled
}

// hasLoadBalancer is for the only Services that are not ready at once.
func hasLoadBalancer(info *resource.Info) bool {
	service, ok := kube.AsVersioned(info).(*corev1.Service)
	return ok && service.Spec.Type == corev1.ServiceTypeLoadBalancer
}

// waitWatched waits by what the watches see.
func (k *kubeClient) waitWatched(ctx context.Context, pending []*resource.Info) error {
	total, began := len(pending), time.Now()
	absent := map[*resource.Info]time.Time{}
	changes, end := k.subscribe()
	defer end()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		var err error
		if pending, err = k.notReady(pending, absent); err != nil || len(pending) == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changes:
		case <-beat.C:
			k.tell.tell(Event{Type: PhaseEvent, State: Started, Message: waitingWords(ctx, pending, total, began)})
		}
	}
}

// notReady keeps what is not ready yet. What stays absent was deleted.
func (k *kubeClient) notReady(pending []*resource.Info, absent map[*resource.Info]time.Time) ([]*resource.Info, error) {
	seen := k.kinds.objects()
	var left []*resource.Info
	for _, info := range pending {
		object := objectOf(info)
		state := seen.readinessOf(object)
		switch {
		case state.ready:
			continue
		case object.Kind == "Job" && state.failed:
			return nil, fmt.Errorf("job is failed: %s/%s", object.Namespace, object.Name)
		case state.found:
			delete(absent, info)
		case absent[info].IsZero():
			absent[info] = time.Now()
		case time.Since(absent[info]) > absentLimit:
			return nil, notFound(info)
		}
		left = append(left, info)
	}
	return left, nil
}

func notFound(info *resource.Info) error {
	return apierrors.NewNotFound(schema.GroupResource{Group: info.Mapping.Resource.Group, Resource: info.Mapping.Resource.Resource}, info.Name)
}

// waitingWords say what is waited for, how far it is, and until when.
func waitingWords(ctx context.Context, pending []*resource.Info, total int, began time.Time) string {
	var names []string
	for _, info := range pending {
		names = append(names, info.Name)
	}
	words := fmt.Sprintf("%d of %d ready after %d s", total-len(pending), total, int(time.Since(began).Seconds()))
	if deadline, ok := ctx.Deadline(); ok {
		words += ", until " + deadline.Format("15:04:05")
	}
	return words + "; waits for " + strings.Join(names, ", ")
}

// waitPolled asks Helm's own checker about what cannot be watched: kinds of
// long ago, other namespaces, and what may not be listed.
func (k *kubeClient) waitPolled(ctx context.Context, pending []*resource.Info, jobs bool) error {
	checker := kube.NewReadyChecker(k.client, nil, kube.PausedAsReady(true), kube.CheckJobs(jobs))
	for {
		var left []*resource.Info
		for _, info := range pending {
			ready, err := checker.IsReady(ctx, info)
			if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
				return err
			}
			if err != nil || !ready {
				left = append(left, info)
			}
		}
		if pending = left; len(pending) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollPause):
		}
	}
}
