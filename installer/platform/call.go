package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

const (
	maxAttempts = 3
	firstPause  = 300 * time.Millisecond
	maxRefusal  = 64 << 10 // bytes read of an answer that refuses
)

// failure is why an attempt came to nothing.
type failure struct {
	*problem.Problem
	passing bool          // another attempt may do better
	wait    time.Duration // what the other side asks for
}

// query asks something. Asking again is safe, so what passes is waited out.
func (c *Client) query(ctx context.Context, query string, variables map[string]any, out any) error {
	return c.call(ctx, maxAttempts, query, variables, out)
}

// mutate changes something, and tries once: an answer that got lost does not
// mean that nothing was done.
func (c *Client) mutate(ctx context.Context, mutation string, variables map[string]any, out any) error {
	return c.call(ctx, 1, mutation, variables, out)
}

// call makes the attempts, all within one time-out.
func (c *Client) call(ctx context.Context, attempts int, query string, variables map[string]any, out any) error {
	if c.unusable != nil {
		return c.unusable
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("encoding the query: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		answer, failed := c.send(ctx, body)
		if failed == nil {
			return c.decode(answer, out)
		}
		if !failed.passing || attempt >= attempts {
			return failed.Problem
		}
		if c.pause(ctx, max(failed.wait, backoff(attempt))) != nil {
			return c.brokenOff(ctx, failed.Problem)
		}
	}
}

// send makes one attempt and returns the body of a good answer.
func (c *Client) send(ctx context.Context, body []byte) ([]byte, *failure) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(c.path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.noAnswer(err)
	}
	request.Header.Set("Authorization", c.key.Reveal())
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", c.base.Host)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.noAnswer(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		// The status says enough where the rest of the answer does not arrive.
		refusal, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
		return nil, c.refused(response, refusal)
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, c.maxBytes+1))
	switch {
	case err != nil:
		return nil, c.noAnswer(err)
	case int64(len(answer)) > c.maxBytes:
		return nil, &failure{Problem: c.notCodefresh(fmt.Sprintf("Its answer is larger than %d MB.", c.maxBytes>>20))}
	}
	return answer, nil
}

// backoff doubles with every attempt. The chance in it keeps many programs
// that failed together from coming back together.
func backoff(attempt int) time.Duration {
	full := firstPause << (attempt - 1)
	return full/2 + rand.N(full/2)
}

// pause waits, but not for what the context will not live to see.
func pause(ctx context.Context, length time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < length {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
