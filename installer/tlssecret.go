package installer

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/reach"
	"github.com/cfwizard/cfwizard/installer/text"
)

// tlsSecret reads the Secret with the host's certificate and judges it.
func (e *Engine) tlsSecret(ctx context.Context, a answers.Answers, c facts.Cluster, q reach.Question) check.Check {
	want := preflight.Wanted(facts.Namespace{}, a)
	place := access.TLSPlace(c, want)
	var found *corev1.Secret
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err == nil {
		found, err = connection.Client.CoreV1().Secrets(place.Namespace).Get(ctx, place.Name, metav1.GetOptions{})
	}
	if err != nil {
		return withoutSecret(place, access.IssuedLater(c, want), err)
	}
	return reach.JudgeSecret(string(found.Type), found.Data[corev1.TLSCertKey], found.Data[corev1.TLSPrivateKeyKey], q, nil, time.Now())
}

// withoutSecret judges a Secret that was not read: only one that is surely not
// there, and that nobody will make, is a failure.
func withoutSecret(place facts.Name, issued bool, err error) check.Check {
	c := check.Check{ID: "access.tls-secret", Scope: "access", Field: "access.ingress.tlsSecret", Status: check.Skip, Why: text.Line(err.Error())}
	switch {
	case !apierrors.IsNotFound(err):
		c.Title = "the Secret " + place.Name + " could not be read in namespace " + place.Namespace
	case issued:
		c.Title, c.Why = "the Secret "+place.Name+" is made by cert-manager once the Ingress is there", ""
	default:
		c.Status, c.Title = check.Fail, "there is no Secret "+place.Name+" in namespace "+place.Namespace
		c.Fix = "Create it: kubectl -n " + text.Quote(place.Namespace) + " create secret tls " + text.Quote(place.Name) + " --cert=FILE --key=FILE"
	}
	return c
}
