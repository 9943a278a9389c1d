package release

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

const (
	silenceLimit = 3 * time.Second
	pingTimeout  = 4 * time.Second
)

// listen notices that the API server is gone, or does not know us any more. A
// cut network makes watches silent, not broken: after a silence it is asked.
func (w *watcher) listen(ctx context.Context) {
	tick := time.NewTicker(silenceLimit)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.doubts:
		case <-tick.C:
			if w.silence() < silenceLimit {
				continue
			}
		}
		w.askServer(ctx)
	}
}

func (w *watcher) askServer(ctx context.Context) {
	call, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	err := w.ping(call)
	if ctx.Err() != nil {
		return
	}
	if answered(err) {
		w.heard()
		w.note(noAnswer, symptom{})
		return
	}
	w.note(noAnswer, symptom{Object: Object{Kind: "API server"}, Reason: noAnswer, Message: err.Error()})
}

// answered reports whether an API server in working order is at the other end.
func answered(err error) bool {
	var status apierrors.APIStatus
	if err == nil {
		return true
	}
	return errors.As(err, &status) && !apierrors.IsUnauthorized(err) && !apierrors.IsInternalError(err) && !apierrors.IsServiceUnavailable(err)
}

// doubt has the API server asked at once.
func (w *watcher) doubt() {
	select {
	case w.doubts <- struct{}{}:
	default:
	}
}

// heard remembers that the API server is there.
func (w *watcher) heard() {
	w.mu.Lock()
	w.lastTime = time.Now()
	w.mu.Unlock()
}

func (w *watcher) silence() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Since(w.lastTime)
}
