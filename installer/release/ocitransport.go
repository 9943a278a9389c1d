package release

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cfwizard/cfwizard/installer/journal"
)

// leash bounds the calls of Helm's registry client, which takes no context: by
// a context, in size, and in tries.
type leash struct {
	ctx    context.Context
	base   http.RoundTripper
	silent atomic.Bool // the last call had no answer of a registry in order
}

const (
	registryTries = 3
	firstPause    = 200 * time.Millisecond
)

// RoundTrip tries again where the registry is in trouble.
func (l *leash) RoundTrip(request *http.Request) (*http.Response, error) {
	pause := firstPause
	for try := 1; ; try++ {
		response, err := l.once(request)
		l.silent.Store(err != nil || inTrouble(response))
		if err != nil || try == registryTries || !inTrouble(response) || request.Body != nil {
			return response, err
		}
		_ = response.Body.Close()
		select {
		case <-l.ctx.Done():
			return nil, context.Cause(l.ctx)
		case <-time.After(pause):
			pause *= 2
		}
	}
}

func inTrouble(r *http.Response) bool {
	return r.StatusCode >= http.StatusInternalServerError || r.StatusCode == http.StatusTooManyRequests
}

func (l *leash) once(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	stop := context.AfterFunc(l.ctx, cancel)
	end := func() { stop(); cancel() }
	response, err := journal.Transport(l.base).RoundTrip(request.WithContext(ctx))
	if err != nil {
		end()
		if l.ctx.Err() != nil {
			err = context.Cause(l.ctx)
		}
		return nil, err
	}
	if response.ContentLength > maxChartBytes {
		end()
		return nil, errors.Join(errTooLarge, response.Body.Close())
	}
	response.Body = &boundedBody{response.Body, maxChartBytes, end}
	return response, nil
}

// boundedBody ends with an error where it is longer than a chart may be.
type boundedBody struct {
	io.ReadCloser
	left int64
	end  func()
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func (b *boundedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
