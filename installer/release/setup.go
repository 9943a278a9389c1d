package release

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// prepareNamespace makes sure of the namespace and of the Secret that carries
// the tokens to the chart. It says whether it had to write any of them.
func prepareNamespace(ctx context.Context, r Request, t *teller) (wrote bool, err error) {
	if wrote, err = r.Cluster.EnsureNamespace(ctx, r.Plan.Namespace); err != nil {
		return false, r.writeProblem("namespace "+r.Plan.Namespace, err)
	}
	t.tell(Event{Type: ObjectEvent, Object: &Object{Kind: "Namespace", Name: r.Plan.Namespace}, State: Ready})
	for _, object := range r.Plan.Objects {
		if object.Kind != "Secret" {
			continue
		}
		wroteSecret, err := r.writeSecret(ctx, object)
		if err != nil {
			return false, err
		}
		wrote = wrote || wroteSecret
		t.tell(Event{Type: ObjectEvent, Object: &Object{Kind: "Secret", Namespace: object.Namespace, Name: object.Name}, State: Ready})
	}
	return wrote, nil
}

// writeSecret creates our Secret, or changes it where it says something else.
func (r Request) writeSecret(ctx context.Context, object plan.Object) (wrote bool, err error) {
	content := map[string][]byte{}
	for _, key := range object.Keys {
		value, ok := r.Tokens[key]
		if !ok || value.Empty() {
			return false, fmt.Errorf("no value for %s in Secret %s", key, object.Name)
		}
		content[key] = []byte(value.Reveal())
	}
	wanted := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: object.Name, Namespace: object.Namespace, Labels: object.Labels}, Data: content}
	secrets := r.Cluster.Client.CoreV1().Secrets(object.Namespace)
	_, err = secrets.Create(ctx, wanted, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		found, err := secrets.Get(ctx, object.Name, metav1.GetOptions{})
		if err == nil && reflect.DeepEqual(found.Data, wanted.Data) && maps.Equal(found.Labels, wanted.Labels) {
			return false, nil
		}
		_, err = secrets.Update(ctx, wanted, metav1.UpdateOptions{})
		return true, r.secretProblem(object, err)
	}
	return true, r.secretProblem(object, err)
}

func (r Request) secretProblem(object plan.Object, err error) error {
	if err == nil {
		return nil
	}
	return r.writeProblem("Secret "+object.Name, err)
}

// writeProblem says why something could not be written to the cluster.
func (r Request) writeProblem(what string, err error) error {
	p := &problem.Problem{Kind: problem.InstallFailed, Cause: "write-failed", What: what + " could not be written", Why: text.Line(err.Error()), Err: err,
		Fix: "Mend what the cluster says and run again; everything else is kept."}
	switch {
	case apierrors.IsForbidden(err):
		p.Cause, p.What = "forbidden", "you may not create "+what
		p.Fix = "Ask for cluster-admin, or use a context that has it: --context NAME."
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		p.Cause, p.What = "namespace-terminating", "namespace "+r.Plan.Namespace+" is being deleted"
		p.Fix = "Wait until it is gone: kubectl wait --for=delete namespace/" + r.Plan.Namespace
	case strings.Contains(err.Error(), "connection refused"):
		p.Kind, p.Cause = problem.Unreachable, "cluster-unreachable"
		p.Fix = "Check the cluster with `kubectl version` and run `" + r.Task.again() + "`."
	}
	return p
}
