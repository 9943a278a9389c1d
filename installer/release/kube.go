package release

import (
	"context"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/text"
)

// kubeClient is Helm's client that tells what it does, and whose waiting ends
// with a context. Embedding keeps the optional interfaces that Helm looks for.
type kubeClient struct {
	*kube.Client
	ctx    context.Context
	client kubernetes.Interface
	tell   *teller
}

// Create tells which phase begins, by what is created.
func (k *kubeClient) Create(resources kube.ResourceList) (*kube.Result, error) {
	if err := k.ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case len(resources) == 1 && k.tell.now() != Hooks && isCRD(resources[0]):
		k.tell.enter(CRDs, "")
	case len(resources) > 1:
		k.tell.enter(Apply, text.Plural(len(resources), "object"))
	}
	result, err := k.Client.Create(resources)
	k.tellCreated(resources, err)
	return result, err
}

// Update is what Helm does instead of Create where objects are there already.
func (k *kubeClient) Update(original, target kube.ResourceList, force bool) (*kube.Result, error) {
	if err := k.ctx.Err(); err != nil {
		return nil, err
	}
	k.tell.enter(Apply, text.Plural(len(target), "object"))
	result, err := k.Client.Update(original, target, force)
	k.tellCreated(target, err)
	return result, err
}

func (k *kubeClient) tellCreated(resources kube.ResourceList, err error) {
	if err != nil {
		return
	}
	for _, info := range resources {
		state := Ready
		if isWorkload(info) {
			state = Waiting
		}
		k.tell.tell(Event{Type: ObjectEvent, Object: objectOf(info), State: state, Message: "created"})
	}
}

// WatchUntilReady waits for a hook.
func (k *kubeClient) WatchUntilReady(resources kube.ResourceList, timeout time.Duration) error {
	k.tell.enter(Hooks, "")
	if err := k.ctx.Err(); err != nil {
		return err
	}
	for _, info := range resources {
		k.tell.tell(Event{Type: ObjectEvent, Object: objectOf(info), State: Waiting, Message: "runs"})
	}
	err := k.watchHook(resources, timeout)
	for _, info := range resources {
		event := Event{Type: ObjectEvent, Object: objectOf(info), State: Ready, Message: "done"}
		if err != nil {
			event.State, event.Message = Failed, text.Line(err.Error())
		}
		k.tell.tell(event)
	}
	return err
}

// watchHook is Helm's wait for a hook, which cannot be cancelled, left behind
// when the context ends.
func (k *kubeClient) watchHook(resources kube.ResourceList, timeout time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- k.Client.WatchUntilReady(resources, timeout) }()
	select {
	case err := <-done:
		return err
	case <-k.ctx.Done():
		return k.ctx.Err()
	}
}

// Wait waits until everything is ready, and asks again only about what was
// not.
func (k *kubeClient) Wait(resources kube.ResourceList, timeout time.Duration) error {
	if k.tell.now() != CRDs {
		k.tell.enter(Wait, "")
	}
	ctx, cancel := context.WithTimeout(k.ctx, timeout)
	defer cancel()
	checker := kube.NewReadyChecker(k.client, func(string, ...any) {}, kube.PausedAsReady(true))
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	pending := resources
	for {
		var notYet kube.ResourceList
		for _, info := range pending {
			ready, err := checker.IsReady(ctx, info)
			switch {
			case err == nil && ready:
				if isWorkload(info) {
					k.tell.tell(Event{Type: ObjectEvent, Object: objectOf(info), State: Ready})
				}
			default:
				notYet = append(notYet, info)
			}
		}
		if len(notYet) == 0 {
			return nil
		}
		pending = notYet
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// WaitWithJobs is Wait: the chart has no Jobs outside its hooks.
func (k *kubeClient) WaitWithJobs(resources kube.ResourceList, timeout time.Duration) error {
	return k.Wait(resources, timeout)
}

func objectOf(info *resource.Info) *Object {
	return &Object{Kind: info.Mapping.GroupVersionKind.Kind, Namespace: info.Namespace, Name: info.Name}
}

func isCRD(info *resource.Info) bool {
	return info.Mapping.GroupVersionKind.Group == apiextensionsv1.GroupName
}

func isWorkload(info *resource.Info) bool {
	switch info.Mapping.GroupVersionKind.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return true
	}
	return false
}
