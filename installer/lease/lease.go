// Package lease keeps two runs from installing the same release at once: a
// Lease in the runtime's namespace says who does, and since when.
package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// A lease that was not renewed for this long is taken over: whoever held it
// was killed, or has lost the cluster.
const (
	duration = 30 * time.Second
	renewal  = 10 * time.Second
)

// Held is a lease that this run holds until it is released.
type Held struct {
	leases clientv1.LeaseInterface
	name   string
	holder string
	stop   context.CancelFunc
	done   chan struct{}
}

// Name is the Lease of a release.
func Name(release string) string { return "cfwizard-" + release }

// Acquire takes the lease, or says who holds it. lost is called once when it
// was taken away while it was held.
func Acquire(ctx context.Context, client kubernetes.Interface, namespace, release string, lost func()) (*Held, error) {
	h := &Held{leases: client.CoordinationV1().Leases(namespace), name: Name(release), holder: Me(), done: make(chan struct{})}
	if err := h.take(ctx, release); err != nil {
		return nil, err
	}
	ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	go h.renew(ctx, lost)
	return h, nil
}

func (h *Held) take(ctx context.Context, release string) error {
	wanted := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: h.name, Labels: map[string]string{"app.kubernetes.io/managed-by": "cfwizard"}}, Spec: h.spec(time.Now())}
	_, err := h.leases.Create(ctx, wanted, metav1.CreateOptions{})
	if err == nil || !apierrors.IsAlreadyExists(err) {
		return wrap(err)
	}
	found, err := h.leases.Get(ctx, h.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return h.take(ctx, release) // it was given back just now
	}
	if err != nil {
		return wrap(err)
	}
	if holder, since, working := AtWork(found, time.Now()); working && holder != h.holder {
		return &problem.Problem{Kind: problem.InstallFailed, Cause: "installing-elsewhere", What: "release " + release + " is being installed by " + holder,
			Why: "It holds the lease " + h.name + " since " + since.Local().Format(time.DateTime) + ".",
			Fix: "Wait for it, or stop it there. A run that was killed frees the lease " + duration.String() + " later."}
	}
	found.Spec = h.spec(time.Now())
	_, err = h.leases.Update(ctx, found, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) {
		return h.take(ctx, release) // somebody was quicker: look who
	}
	return wrap(err)
}

func (h *Held) spec(now time.Time) coordinationv1.LeaseSpec {
	seconds, at := int32(duration.Seconds()), metav1.NewMicroTime(now)
	return coordinationv1.LeaseSpec{HolderIdentity: &h.holder, LeaseDurationSeconds: &seconds, AcquireTime: &at, RenewTime: &at}
}

// Holder tells who holds a lease now, if anybody does.
func Holder(l *coordinationv1.Lease, now time.Time) (holder string, since time.Time, held bool) {
	if l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" || l.Spec.RenewTime == nil {
		return "", time.Time{}, false
	}
	if l.Spec.AcquireTime != nil {
		since = l.Spec.AcquireTime.Time
	}
	return text.Line(*l.Spec.HolderIdentity), since, now.Sub(l.Spec.RenewTime.Time) < duration
}

// AtWork tells who works on the release: a process of this machine that is no
// more does not, though its lease has not run out.
func AtWork(l *coordinationv1.Lease, now time.Time) (holder string, since time.Time, working bool) {
	holder, since, held := Holder(l, now)
	return holder, since, held && !diedHere(holder)
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("taking the lease: %w", err)
}

// renew keeps the lease. A cluster that does not answer for a while is no
// reason to stop; somebody else in the lease is.
func (h *Held) renew(ctx context.Context, lost func()) {
	defer close(h.done)
	tick := time.NewTicker(renewal)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := h.touch(ctx); errors.Is(err, errTaken) {
			lost()
			return
		}
	}
}

var errTaken = errors.New("somebody else holds the lease")

func (h *Held) touch(ctx context.Context) error {
	found, err := h.leases.Get(ctx, h.name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if found.Spec.HolderIdentity == nil || *found.Spec.HolderIdentity != h.holder {
		return errTaken
	}
	now := metav1.NowMicro()
	found.Spec.RenewTime = &now
	_, err = h.leases.Update(ctx, found, metav1.UpdateOptions{})
	return err
}

// Release gives the lease back, so that the next run need not wait.
func (h *Held) Release(ctx context.Context) {
	h.stop()
	<-h.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewal)
	defer cancel()
	found, err := h.leases.Get(ctx, h.name, metav1.GetOptions{})
	if err != nil || found.Spec.HolderIdentity == nil || *found.Spec.HolderIdentity != h.holder {
		return
	}
	_ = h.leases.Delete(ctx, h.name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &found.ResourceVersion}})
}
