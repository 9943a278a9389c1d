package cluster

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Facts is what was read of the cluster, in one pass. What may not be read is
// named in Unread and is never taken as absent.
type Facts struct {
	Context        string
	Server         string
	Version        string
	User           string
	ClusterAdmin   bool
	Nodes          []corev1.Node
	IngressClasses []networkingv1.IngressClass
	Unread         []string
}

// Read gathers the facts in parallel. Only a cluster that does not answer at
// all, or refuses the user, is an error.
func (c *Connection) Read(ctx context.Context) (Facts, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	f := Facts{Context: text.Line(c.Context), Server: text.Line(c.Server)}
	version, err := c.Client.Discovery().ServerVersion()
	if err != nil {
		return f, c.unreachable(err)
	}
	f.Version = text.Line(version.GitVersion)
	c.readAll(ctx, &f)
	return f, ctx.Err()
}

func (c *Connection) readAll(ctx context.Context, f *Facts) {
	var mu sync.Mutex
	var group sync.WaitGroup
	read := func(what string, call func() (func(), error)) {
		group.Go(func() {
			store, err := call()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				f.Unread = append(f.Unread, what)
				return
			}
			store()
		})
	}
	read("who you are", func() (func(), error) {
		me, err := c.Client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		return func() { f.User = text.Line(me.Status.UserInfo.Username) }, err
	})
	read("your rights", func() (func(), error) {
		all := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "*", Group: "*", Resource: "*"}}}
		review, err := c.Client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, all, metav1.CreateOptions{})
		return func() { f.ClusterAdmin = review.Status.Allowed }, err
	})
	read("nodes", func() (func(), error) {
		list, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{Limit: 500})
		return func() { f.Nodes = list.Items }, err
	})
	read("ingress classes", func() (func(), error) {
		list, err := c.Client.NetworkingV1().IngressClasses().List(ctx, metav1.ListOptions{})
		return func() { f.IngressClasses = list.Items }, err
	})
	group.Wait()
}

// Fingerprint is the cluster in a few words, so that nobody installs into the
// wrong one.
func (f Facts) Fingerprint() string {
	words := []string{f.Context}
	if provider := f.Provider(); provider != "" {
		words = append(words, provider)
	}
	words = append(words, "Kubernetes "+strings.TrimPrefix(f.Version, "v"))
	if len(f.Nodes) > 0 {
		words = append(words, text.Plural(len(f.Nodes), "node"))
	}
	return strings.Join(words, " · ")
}

// unreachable says why the API server did not answer, in a person's words.
func (c *Connection) unreachable(err error) error {
	p := &problem.Problem{Kind: problem.Unreachable, Cause: "cluster-unreachable", Field: "cluster.context",
		What: "the cluster of context " + text.Line(c.Context) + " does not answer", Why: reason(err), Err: err,
		Fix: "Check it with `kubectl --context " + text.Line(c.Context) + " version`. Is the VPN up, and the address " + text.Line(c.Server) + " right?"}
	if apierrors.IsUnauthorized(err) || strings.Contains(err.Error(), "the server has asked for the client to provide credentials") {
		p.Cause, p.What = "cluster-unauthorized", "the cluster does not know you"
		p.Fix = "Log in again, as you would for kubectl, and check with `kubectl auth whoami`."
	}
	return p
}

// reason is the innermost cause of a network error: the outer ones repeat the
// address and the method.
func reason(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "the name " + text.Line(dns.Name) + " cannot be resolved"
	}
	var call *url.Error
	if errors.As(err, &call) {
		err = call.Err
	}
	return text.Line(err.Error())
}
