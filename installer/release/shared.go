package release

import (
	"context"
	"maps"
	"sync"
)

// shared makes each thing once, however many ask for it at the same time, and
// keeps what came of it. What failed is made anew for the next who asks.
type shared[T any] struct {
	mu     sync.Mutex
	makers map[string]*maker[T]
}

// maker is a thing in the making, or made.
type maker[T any] struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	result  T
	err     error
}

// get gives the thing of a key. It is made without the context of whoever came
// first, and given up only when nobody waits for it any more.
func (s *shared[T]) get(ctx context.Context, key string, build func(context.Context) (T, error)) (T, error) {
	m := s.join(ctx, key, build)
	select {
	case <-m.done:
		return m.result, m.err
	case <-ctx.Done():
		s.leave(key, m)
		var none T
		return none, context.Cause(ctx)
	}
}

func (s *shared[T]) join(ctx context.Context, key string, build func(context.Context) (T, error)) *maker[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.makers[key]
	if m == nil {
		m = &maker[T]{done: make(chan struct{})}
		if s.makers == nil {
			s.makers = map[string]*maker[T]{}
		}
		s.makers[key] = m
		ctx, m.cancel = context.WithCancel(context.WithoutCancel(ctx))
		go s.run(ctx, key, m, build)
	}
	m.waiting++
	return m
}

func (s *shared[T]) run(ctx context.Context, key string, m *maker[T], build func(context.Context) (T, error)) {
	defer m.cancel()
	m.result, m.err = build(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.err != nil {
		s.forget(key, m)
	}
	close(m.done)
}

func (s *shared[T]) leave(key string, m *maker[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.waiting--
	select {
	case <-m.done:
	default:
		if m.waiting == 0 {
			m.cancel()
			s.forget(key, m)
		}
	}
}

func (s *shared[T]) forget(key string, m *maker[T]) {
	if s.makers[key] == m {
		delete(s.makers, key)
	}
}

// made gives a thing that is there already.
func (s *shared[T]) made(key string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	m := s.makers[key]
	if m == nil {
		return none, false
	}
	select {
	case <-m.done:
		return m.result, true
	default:
		return none, false
	}
}

// keepOnly drops all that is made but one.
func (s *shared[T]) keepOnly(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.makers, func(other string, m *maker[T]) bool {
		select {
		case <-m.done:
			return other != key
		default:
			return false
		}
	})
}
