package checklist

import (
	"context"
	"time"
)

// Wait is how to wait for items that come about by themselves.
type Wait struct {
	Look  func(context.Context) ([]Item, error)
	Every time.Duration
	Bound time.Duration                        // zero: look once
	For   func([]Item) bool                    // whether there is still something to wait for
	Tell  func(items []Item)                   // after every look
	After func(time.Duration) <-chan time.Time // nil: the clock's
}

// Await looks again until nothing is waiting any more, or the bound is
// reached. What it gives is always what was seen last.
func Await(ctx context.Context, w Wait) ([]Item, error) {
	if w.After == nil {
		w.After = time.After
	}
	bound := w.After(w.Bound)
	for {
		items, err := w.Look(ctx)
		if err != nil {
			return items, err
		}
		if w.Tell != nil {
			w.Tell(items)
		}
		if w.Bound <= 0 || !w.For(items) {
			return items, nil
		}
		select {
		case <-ctx.Done():
			return items, ctx.Err()
		case <-bound:
			return items, nil
		case <-w.After(w.Every):
		}
	}
}

// NeededWaiting reports whether a needed item is waiting.
func NeededWaiting(items []Item) bool { return AnyWaiting(Open(items)) }
