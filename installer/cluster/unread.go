package cluster

import (
	"context"
	"errors"
	"net"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// unreadBecause sorts an error of the API server by what a person can do.
func unreadBecause(what string, err error) facts.Unread {
	u := facts.Unread{What: what, Reason: facts.Failed, Detail: text.Line(err.Error())}
	var network net.Error
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		u.Reason = facts.NotAllowed
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), apierrors.IsTimeout(err),
		strings.Contains(err.Error(), "rate limiter Wait"):
		u.Reason = facts.TooSlow
	case errors.As(err, &network) && network.Timeout():
		u.Reason = facts.TooSlow
	case errors.As(err, &network), strings.Contains(err.Error(), "EOF"), strings.Contains(err.Error(), "connection"):
		u.Reason = facts.Lost
	}
	return u
}
