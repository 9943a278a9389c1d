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
	doubtful // refused by the rules of a namespace that only stands in
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

// standsIn reports whether an object goes into a namespace that is yet to be
// created. The default one stands in for it: what the server itself checks is
// the same there, but policies and rights may differ.
func (s Script) standsIn(p prop) bool {
	return p.namespaced && p.object.GetNamespace() == s.Namespace && !s.NamespaceExists
}

// try creates one object without keeping it.
func (s *stage) try(ctx context.Context, t *try) {
	object, standsIn := t.object.DeepCopy(), s.script.standsIn(t.prop)
	client := dynamic.ResourceInterface(s.dynamic.Resource(t.resource))
	if standsIn {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	if t.namespaced {
		client = s.dynamic.Resource(t.resource).Namespace(object.GetNamespace())
	}
	_, err := client.Create(ctx, object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: "cfwizard"})
	switch {
	case err == nil:
		t.outcome = accepted
	case apierrors.IsAlreadyExists(err) && standsIn:
		t.outcome = accepted // only the stand-in namespace has one
	case apierrors.IsAlreadyExists(err):
		s.whose(ctx, client, t)
	case strings.Contains(err.Error(), "does not support dry run"):
		t.outcome = noDryRun
	case noAnswer(err):
		t.outcome = silent
	case standsIn && byRule(err):
		t.outcome, t.reason = doubtful, text.Line(err.Error())
	default:
		t.outcome, t.reason = refused, text.Line(err.Error())
	}
}

// byRule tells a refusal by rights or policies, which namespaces differ in,
// from one of the object itself.
func byRule(err error) bool {
	return apierrors.IsForbidden(err) || strings.Contains(err.Error(), "admission webhook") || strings.Contains(err.Error(), "ValidatingAdmissionPolicy")
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
	return object.GetLabels()["app.kubernetes.io/managed-by"] == "Helm" && facts.OfRelease(object.GetAnnotations(), s.script.Namespace, s.script.Release)
}
