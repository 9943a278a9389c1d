package release

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	firstGone   = 20 * time.Millisecond
	longestGone = time.Second // between two looks whether objects are gone
	namedGone   = 5           // of the objects that are waited for
)

// DeleteWithPropagationPolicy is how Helm removes a release. Helm keeps to
// itself why an object could not be deleted.
func (k *kubeClient) DeleteWithPropagationPolicy(resources kube.ResourceList, policy metav1.DeletionPropagation) (*kube.Result, []error) {
	if err := k.refuse(); err != nil {
		return &kube.Result{}, []error{err}
	}
	k.tell.enter(Remove, text.Plural(len(resources), "object"))
	own, err := k.sparing(resources)
	if err != nil {
		return &kube.Result{}, []error{err}
	}
	result, errs := k.Client.DeleteWithPropagationPolicy(own, policy)
	if err := errors.Join(errs...); err != nil {
		k.blame(&problem.Problem{Kind: problem.InstallFailed, Cause: "delete-failed", What: "not everything could be deleted", Why: k.tell.safe(err.Error()), Err: err,
			Fix: "Mend what the cluster says and run `" + k.task.again() + "`."})
	}
	return result, errs
}

// WaitForDelete waits until objects are gone, looks more often than Helm, and
// says what it waits for.
func (k *kubeClient) WaitForDelete(resources kube.ResourceList, timeout time.Duration) error {
	ctx := k.ctx
	if k.tell.now() != Remove {
		ctx = context.WithoutCancel(ctx) // what a hook leaves is deleted also after a stop
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began, pause := time.Now(), firstGone
	spoken := began
	resources = k.notSpared(resources)
	for left := []*resource.Info(resources); ; {
		var err error
		if left, err = k.stillThere(left); err != nil || len(left) == 0 {
			return err
		}
		if time.Since(spoken) > heartbeat {
			spoken = time.Now()
			k.tell.tell(Event{Type: PhaseEvent, State: Started, Message: fmt.Sprintf("%s gone after %d s, until %s; waits for %s",
				ofWhole(len(resources)-len(left), len(resources)), int(time.Since(began).Seconds()), began.Add(timeout).Format("15:04:05"), describeLeft(left))})
		}
		select {
		case <-ctx.Done():
			return k.notGone(ctx, left, timeout)
		case <-time.After(pause):
			pause = min(2*pause, longestGone)
		}
	}
}

func ofWhole(part, whole int) string { return fmt.Sprintf("%d of %d", part, whole) }

// stillThere looks at each object once and tells those that went.
func (k *kubeClient) stillThere(resources []*resource.Info) ([]*resource.Info, error) {
	var left []*resource.Info
	for _, info := range resources {
		err := info.Get()
		switch {
		case apierrors.IsNotFound(err):
			if k.tell.now() == Remove {
				object := objectOf(info)
				k.tell.tell(Event{Type: ObjectEvent, Object: &object, State: Deleted, Message: "gone"})
			}
		case err != nil:
			return nil, err
		default:
			left = append(left, info)
		}
	}
	return left, nil
}

// notGone names what holds the objects.
func (k *kubeClient) notGone(ctx context.Context, left []*resource.Info, timeout time.Duration) error {
	if k.ctx.Err() != nil && k.tell.now() == Remove {
		return context.Cause(k.ctx)
	}
	first := objectOf(left[0])
	k.blame(&problem.Problem{Kind: problem.TimedOut, Cause: "not-gone", What: fmt.Sprintf("%s not gone after %s", text.Plural(len(left), "object"), timeout),
		Why: k.tell.safe("Waited for " + describeLeft(left) + "."), Err: ctx.Err(),
		Fix: fmt.Sprintf("See what holds it with `kubectl get %s %s%s --output yaml`, then run `%s` again.", strings.ToLower(first.Kind), text.Quote(first.Name), inNamespace(first.Namespace), k.task.again())})
	return ctx.Err()
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " --namespace " + text.Quote(namespace)
}

func describeLeft(left []*resource.Info) string {
	var names []string
	for _, info := range left[:min(len(left), namedGone)] {
		name := objectOf(info).Kind + " " + info.Name
		if about, err := meta.Accessor(info.Object); err == nil && len(about.GetFinalizers()) > 0 {
			name += " (held by " + strings.Join(about.GetFinalizers(), ", ") + ")"
		}
		names = append(names, name)
	}
	if more := len(left) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
