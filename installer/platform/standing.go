package platform

import (
	"context"
	"sync"
)

// Standing is an account with what counts for one more runtime.
type Standing struct {
	Account  Account
	Runtimes []Runtime
	Limits   Limits
}

// Standing asks for all of it at once. Limits and runtimes that Codefresh does
// not tell stay unknown; an account that it does not tell is an error.
func (c *Client) Standing(ctx context.Context) (Standing, error) {
	var s Standing
	var group sync.WaitGroup
	var runtimesErr, limitsErr error
	group.Go(func() { s.Runtimes, runtimesErr = c.Runtimes(ctx) })
	group.Go(func() { s.Limits, limitsErr = c.Limits(ctx) })
	account, err := c.Account(ctx)
	group.Wait()
	s.Account = account
	for _, each := range []error{err, unlessUntold(runtimesErr), unlessUntold(limitsErr)} {
		if each != nil {
			return s, each
		}
	}
	return s, nil
}
