package rehearsal

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/cfwizard/cfwizard/installer/check"
)

// A policy of the namespace that stands in for one that is yet to be created
// says nothing sure about that one; what is wrong with an object does.
func TestRefusalsInTheNamespaceThatStandsIn(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	policy := errors.New(`pods "a" is forbidden: violates PodSecurity "restricted:latest"`)
	webhook := &apierrors.StatusError{ErrStatus: apierrors.NewBadRequest(`admission webhook "policy.example.com" denied the request: no registry but ours`).ErrStatus}
	for name, test := range map[string]struct {
		answer error
		exists bool // the runtime's namespace
		want   check.Status
	}{
		"a policy":                      {apierrors.NewForbidden(deployments, "a", policy), false, check.Warn},
		"a webhook":                     {webhook, false, check.Warn},
		"the object itself":             {apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "Deployment"}, "a", nil), false, check.Fail},
		"a policy of the namespace":     {apierrors.NewForbidden(deployments, "a", policy), true, check.Fail},
		"a webhook about the namespace": {webhook, true, check.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewSimpleDynamicClient(runtime.NewScheme())
			client.PrependReactor("create", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
				if want := map[bool]string{true: "codefresh", false: "default"}[test.exists]; action.GetNamespace() != want {
					t.Errorf("tried in namespace %s", action.GetNamespace())
				}
				return true, nil, test.answer
			})
			script := Script{Namespace: "codefresh", NamespaceExists: test.exists}
			s, one := &stage{script: script, dynamic: client}, try{prop: propOf("Deployment", "apps", "deployments", true)}
			s.try(t.Context(), &one)
			checks := judge(script, []try{one})
			if got := checks[0]; got.Status != test.want || got.Fix == "" || strings.Contains(got.Why, "stands in") == (got.Status == check.Fail) {
				t.Errorf("%s %s: %s", got.Status, got.Title, got.Why)
			}
			if summed := checks[1]; summed.Status != test.want || summed.Fix == "" {
				t.Errorf("in sum: %s %s", summed.Status, summed.Title)
			}
		})
	}
}

// Nothing is known of who has an object that was not looked for.
func TestCollisionsPassOnlyWhereItWasLooked(t *testing.T) {
	script := Script{Namespace: "codefresh", NamespaceExists: true}
	for outcome, want := range map[outcome]check.Status{
		accepted: check.Pass, ours: check.Pass, unknown: check.Pass, foreign: check.Fail,
		untried: check.Skip, refused: check.Skip, silent: check.Skip, noDryRun: check.Skip,
	} {
		one := try{prop: propOf("Deployment", "apps", "deployments", true), outcome: outcome}
		if got := collisions(script, []try{one}); got.Status != want {
			t.Errorf("outcome %d: %s %s, want %s", outcome, got.Status, got.Title, want)
		}
	}
	fresh := try{prop: propOf("Deployment", "apps", "deployments", true), outcome: doubtful}
	if got := collisions(Script{Namespace: "codefresh"}, []try{fresh}); got.Status != check.Pass {
		t.Errorf("in a namespace that is yet to be created: %s %s", got.Status, got.Title)
	}
}
