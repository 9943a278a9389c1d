package release

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/resource"
)

// errHookTimeout is Helm's text for a hook that does not end.
var errHookTimeout = errors.New("timed out waiting for the condition")

// WatchUntilReady waits for a hook: a Job or a Pod until it has ended, all
// else only until it is created. The outcomes and errors are Helm's.
func (k *kubeClient) WatchUntilReady(resources kube.ResourceList, timeout time.Duration) error {
	k.tell.enter(Hooks, "")
	if len(resources) == 0 {
		return kube.ErrNoObjectsVisited
	}
	var failures []error
	for _, info := range resources {
		if err := k.watchHook(info, timeout); err != nil {
			failures = append(failures, err)
		}
	}
	return helmErrors(failures)
}

func (k *kubeClient) watchHook(info *resource.Info, timeout time.Duration) error {
	if err := k.refuse(); err != nil {
		return err
	}
	object := objectOf(info)
	if object.Kind != "Job" && object.Kind != "Pod" {
		return nil
	}
	k.unsettle(object)
	deadline := time.Now().Add(timeout)
	k.tell.tell(Event{Type: ObjectEvent, Object: &object, State: Waiting, Message: "runs, until " + deadline.Format("15:04:05")})
	err := k.untilEnded(info, object, timeout)
	event := Event{Type: ObjectEvent, Object: &object, State: Ready, Message: "done"}
	if err != nil {
		event.State, event.Message = Failed, err.Error()
	}
	k.settle(event)
	return err
}

// untilEnded waits for the object that was just created, and for no other of
// its name. One that is deleted meanwhile counts as done, as it does for Helm.
func (k *kubeClient) untilEnded(info *resource.Info, object Object, timeout time.Duration) error {
	if _, watched := k.kinds.objects()[object.Kind]; !watched {
		return k.leaveToHelm(info, timeout)
	}
	ctx, cancel := context.WithTimeout(k.ctx, timeout)
	defer cancel()
	changes, end := k.subscribe()
	defer end()
	uid, seen := uidOf(info), false
	for {
		there, ended, err := k.hookEnded(ctx, object, uid)
		if ended || seen && !there {
			return err
		}
		seen = seen || there
		select {
		case <-ctx.Done():
			if k.ctx.Err() != nil {
				return context.Cause(k.ctx)
			}
			return errHookTimeout
		case <-changes:
		}
	}
}

func (k *kubeClient) hookEnded(ctx context.Context, object Object, uid types.UID) (there, ended bool, err error) {
	seen := k.kinds.objects()
	if object.Kind == "Pod" {
		pod, found := find[corev1.Pod](seen, "Pod", object.Namespace, object.Name)
		if !found || pod.UID != uid {
			return false, false, nil
		}
		if pod.Status.Phase == corev1.PodFailed {
			err = fmt.Errorf("pod %s failed", object.Name)
		}
		return true, pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded, err
	}
	job, found := find[batchv1.Job](seen, "Job", object.Namespace, object.Name)
	if !found || job.UID != uid {
		return false, false, nil
	}
	reason, _, ended := jobEnded(job)
	if ended && reason != "" {
		k.settleLog(ctx, job)
		err = fmt.Errorf("job %s failed: %s", object.Name, reason)
	}
	return true, ended || seen.workDone(job), err
}

// leaveToHelm is for who may not list Jobs or Pods: Helm's own wait, which
// cannot be cancelled, is left behind when the context ends.
func (k *kubeClient) leaveToHelm(info *resource.Info, timeout time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- k.Client.WatchUntilReady(kube.ResourceList{info}, timeout) }()
	select {
	case err := <-done:
		return err
	case <-k.ctx.Done():
		return context.Cause(k.ctx)
	}
}

func uidOf(info *resource.Info) types.UID {
	if about, ok := info.Object.(interface{ GetUID() types.UID }); ok {
		return about.GetUID()
	}
	return ""
}

// helmErrors joins errors in the words that Helm puts on record.
func helmErrors(failures []error) error {
	if len(failures) == 0 {
		return nil
	}
	noun := "errors"
	if len(failures) == 1 {
		noun = "error"
	}
	var lines strings.Builder
	for _, err := range failures {
		fmt.Fprintf(&lines, "\n\t* %s", err)
	}
	return helmError{fmt.Sprintf("%d %s occurred:%s\n\n", len(failures), noun, lines.String()), errors.Join(failures...)}
}

type helmError struct {
	words string
	err   error
}

func (e helmError) Error() string { return e.words }
func (e helmError) Unwrap() error { return e.err }
