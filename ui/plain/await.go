package plain

import (
	"context"
	"time"

	"github.com/cfwizard/cfwizard/ui"
)

// await looks at something slow, at most so long. Ctrl+c ends the wait.
func await[T any](s *sitting, limit time.Duration, work func(context.Context) (T, error)) (T, error) {
	return wait(s, limit, false, work)
}

// carryOut does something that writes. It is never broken off: ctrl+c asks it
// to end, and leaves with it; only a second one leaves at once.
func carryOut[T any](s *sitting, limit time.Duration, work func(context.Context) (T, error)) (T, error) {
	return wait(s, limit, true, work)
}

type result[T any] struct {
	value T
	err   error
}

func wait[T any](s *sitting, limit time.Duration, writes bool, work func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	done := make(chan result[T], 1)
	go func() { done <- unbroken(ctx, work) }()
	var left bool
	var overdue <-chan time.Time
	for ended := s.terminal.Ended; ; {
		select {
		case r := <-done:
			if left {
				s.tellProblem(r.err)
				return *new(T), s.interrupted()
			}
			return r.value, r.err
		case found := <-s.probed:
			s.land(found)
		case <-s.terminal.Interrupts:
			if !writes || left {
				return *new(T), s.interrupted()
			}
			left = true
			cancel()
			s.say("", "It ends after what it is doing. Ctrl+C once more leaves at once.")
		case <-ended:
			if !writes {
				return *new(T), s.interrupted()
			}
			left, ended, overdue = true, nil, time.After(ui.HangUpLimit)
			cancel()
		case <-overdue:
			return *new(T), s.interrupted()
		}
	}
}

// unbroken makes a panic an error: the terminal must be given back.
func unbroken[T any](ctx context.Context, work func(context.Context) (T, error)) (r result[T]) {
	defer func() {
		if cause := recover(); cause != nil {
			r.err = ui.Broke(cause)
		}
	}()
	r.value, r.err = work(ctx)
	return r
}
