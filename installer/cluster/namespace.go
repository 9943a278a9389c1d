package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// ReadNamespace reads one namespace; one that does not exist is no error.
func (c *Connection) ReadNamespace(ctx context.Context, name string) facts.Namespace {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	out := facts.Namespace{Name: name}
	r, err := c.reader()
	if err != nil {
		out.Unread = append(out.Unread, unreadBecause("namespace "+name, err))
		return out
	}
	got, err := r.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return out
	case err != nil:
		out.Unread = append(out.Unread, unreadBecause("namespace "+name, err))
	default:
		out.Exists, out.Labels = true, got.Labels
		out.Terminating = got.DeletionTimestamp != nil || got.Status.Phase == corev1.NamespaceTerminating
	}
	core := r.client.CoreV1()
	readList(r, ctx, "quotas of namespace "+name, core.ResourceQuotas(name).List, func(q corev1.ResourceQuota) { out.Quotas = append(out.Quotas, quotasOf(q)...) })
	readList(r, ctx, "limit ranges of namespace "+name, core.LimitRanges(name).List, func(l corev1.LimitRange) { out.Limits = append(out.Limits, limitsOf(l)...) })
	r.group.Wait()
	out.Unread = append(out.Unread, r.facts.Unread...)
	return out
}

func quotasOf(q corev1.ResourceQuota) []facts.Quota {
	var out []facts.Quota
	for resource, hard := range q.Status.Hard {
		used := q.Status.Used[resource]
		out = append(out, facts.Quota{Name: q.Name, Resource: string(resource), Hard: hard.MilliValue(), Used: used.MilliValue(),
			HardText: text.Line(hard.String()), UsedText: text.Line(used.String())})
	}
	return out
}

func limitsOf(l corev1.LimitRange) []facts.Limit {
	var out []facts.Limit
	for _, item := range l.Spec.Limits {
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		for resource, most := range item.Max {
			out = append(out, facts.Limit{Name: l.Name, Resource: string(resource), Max: most.String()})
		}
		for resource, given := range item.Default {
			out = append(out, facts.Limit{Name: l.Name, Resource: string(resource), Default: given.String()})
		}
	}
	return out
}

// EnsureNamespace creates a namespace that is not there. Who may not create
// namespaces can use one that is.
func (c *Connection) EnsureNamespace(ctx context.Context, name string) (made bool, err error) {
	namespaces := c.Client.CoreV1().Namespaces()
	if _, err := namespaces.Get(ctx, name, metav1.GetOptions{}); err == nil {
		return false, nil
	}
	_, err = namespaces.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return false, nil
	}
	return err == nil, err
}
