package rehearsal

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// outcome is what came of trying one object.
type outcome int

const (
	untried outcome = iota
	accepted
	ours     // there, and of this release
	foreign  // there, and of somebody else
	refused  // the API server does not want it
	unknown  // its kind is not served
	noDryRun // an admission webhook cannot rehearse
	silent   // no answer
)

// try is one object with its outcome.
type try struct {
	prop
	outcome outcome
	reason  string
	owner   facts.Owner
	forbids bool // refused for lack of rights
}

// tryAll tries every object that the user may create.
func (s *stage) tryAll(ctx context.Context, props []prop, r *rights) []try {
	tries := make([]try, len(props))
	for i, p := range props {
		tries[i] = try{prop: p}
		if p.unknown {
			tries[i].outcome = unknown
		}
	}
	each(ctx, len(tries), func(i int) {
		t := &tries[i]
		if t.outcome == unknown || r.denies(createRight(t.prop)) {
			return
		}
		s.try(ctx, t)
	})
	return tries
}

func createRight(p prop) right {
	want := right{group: p.resource.Group, resource: p.resource.Resource, verb: "create"}
	if p.namespaced {
		want.namespace = p.object.GetNamespace()
	}
	return want
}

// try creates one object without keeping it. In a namespace that is yet to be
// created, the default one stands in: what the server checks is the same.
func (s *stage) try(ctx context.Context, t *try) {
	object := t.object.DeepCopy()
	client := dynamic.ResourceInterface(s.dynamic.Resource(t.resource))
	if t.namespaced {
		if object.GetNamespace() == s.script.Namespace && !s.script.NamespaceExists {
			object.SetNamespace(metav1.NamespaceDefault)
		}
		client = s.dynamic.Resource(t.resource).Namespace(object.GetNamespace())
	}
	_, err := client.Create(ctx, object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "cfwizard"})
	switch {
	case err == nil:
		t.outcome = accepted
	case apierrors.IsAlreadyExists(err) && object.GetNamespace() != t.object.GetNamespace():
		t.outcome = accepted // only the stand-in namespace has one
	case apierrors.IsAlreadyExists(err):
		s.whose(ctx, client, t)
	case strings.Contains(err.Error(), "does not support dry run"):
		t.outcome = noDryRun
	case noAnswer(err):
		t.outcome = silent
	default:
		t.outcome, t.reason, t.forbids = refused, text.Line(err.Error()), apierrors.IsForbidden(err)
	}
}

// noAnswer tells a server in trouble from one that says no. A webhook that
// fails is a no, though the server calls it an error of its own.
func noAnswer(err error) bool {
	return apierrors.ReasonForError(err) == metav1.StatusReasonUnknown || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsServiceUnavailable(err) || (apierrors.IsInternalError(err) && !strings.Contains(err.Error(), "webhook"))
}

// whose finds out who owns an object that is there. Hooks replace theirs.
func (s *stage) whose(ctx context.Context, client dynamic.ResourceInterface, t *try) {
	found, err := client.Get(ctx, t.object.GetName(), metav1.GetOptions{})
	switch {
	case err != nil:
		t.outcome = silent
	case t.hook || s.belongs(found):
		t.outcome = ours
	default:
		t.outcome = foreign
		t.owner = facts.Meta{Name: facts.Name{Namespace: found.GetNamespace(), Name: found.GetName()}, Labels: found.GetLabels(), Annotations: found.GetAnnotations()}.Owner()
	}
}

// belongs applies Helm's own rule.
func (s *stage) belongs(object *unstructured.Unstructured) bool {
	annotations := object.GetAnnotations()
	return object.GetLabels()["app.kubernetes.io/managed-by"] == "Helm" &&
		annotations["meta.helm.sh/release-name"] == s.script.Release && annotations["meta.helm.sh/release-namespace"] == s.script.Namespace
}
