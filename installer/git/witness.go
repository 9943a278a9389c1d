package git

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// Webhook is a call that the provider makes about every push.
type Webhook struct {
	ID       string
	Address  string
	LastCode int // what the last delivery was answered with; 0: nothing was delivered yet
}

// Good reports whether the last delivery arrived.
func (w Webhook) Good() bool { return w.LastCode/100 == 2 }

// Delivery is one call of a webhook.
type Delivery struct {
	At   time.Time
	Code int
}

// witness is a dialect whose provider tells what became of its webhooks.
type witness interface {
	webhooks(ctx context.Context, w *work) ([]Webhook, error)
	deliveries(ctx context.Context, w *work, hook Webhook) ([]Delivery, error)
	deleteBranch(ctx context.Context, w *work) error
}

// Witnesses reports whether the provider tells what became of its webhooks.
func Witnesses(p Provider) bool {
	_, can := p.dialect.(witness)
	return can
}

var errNoWitness = errors.New("this provider does not tell what became of its webhooks")

// Webhooks are those of the repository that lead to a host.
func (v *Verifier) Webhooks(ctx context.Context, q Question, host string) ([]Webhook, error) {
	var found []Webhook
	err := v.testify(ctx, q, func(ctx context.Context, d witness, w *work) error {
		all, err := d.webhooks(ctx, w)
		for _, hook := range all {
			if address, err := url.Parse(hook.Address); err == nil && strings.EqualFold(address.Host, host) {
				found = append(found, hook)
			}
		}
		return err
	})
	return found, err
}

// Delivered is the first delivery of a webhook since a time.
func (v *Verifier) Delivered(ctx context.Context, q Question, hook Webhook, since time.Time) (first Delivery, found bool, err error) {
	err = v.testify(ctx, q, func(ctx context.Context, d witness, w *work) error {
		all, err := d.deliveries(ctx, w, hook)
		for _, one := range all {
			if !one.At.Before(since) && (!found || one.At.Before(first.At)) {
				first, found = one, true
			}
		}
		return err
	})
	return first, found, err
}

// DeleteBranch removes the branch that the URL names. It is for branches that
// this program made.
func (v *Verifier) DeleteBranch(ctx context.Context, q Question) error {
	return v.testify(ctx, q, func(ctx context.Context, d witness, w *work) error { return d.deleteBranch(ctx, w) })
}

func (v *Verifier) testify(ctx context.Context, q Question, do func(context.Context, witness, *work) error) error {
	ctx, cancel := context.WithTimeout(ctx, v.timeLimit())
	defer cancel()
	q = q.completed()
	d, can := q.Provider.dialect.(witness)
	w := &work{Question: q}
	err := v.prepare(w)
	switch {
	case err == nil && !can:
		err = errNoWitness
	case err == nil:
		defer w.client.close()
		err = do(ctx, d, w)
	}
	if err == nil {
		return nil
	}
	return &problem.Problem{Kind: problem.Refused, Cause: "git-webhooks", Field: q.Field, What: "the Git provider does not tell about webhooks",
		Why: hider(q.Token, q.Username).Replace(err.Error()), Fix: "Use a token that may manage the repository's webhooks, as the runtime's must."}
}
