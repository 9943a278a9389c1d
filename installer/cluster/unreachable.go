package cluster

import (
	"errors"
	"net"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Unreachable says why the API server did not answer, in a person's words.
func (c *Connection) Unreachable(err error) error {
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
