package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// cutOff tells what failed because a signal ended the program as what it is,
// whatever the part that noticed makes of it. What was told already stays so:
// line by line, a person may have gone on after a signal.
func (a *app) cutOff(ctx context.Context, err error) error {
	var told alreadyTold
	if err == nil || ctx.Err() == nil || errors.As(err, &told) || problem.KindOf(err) == problem.Interrupted {
		return err
	}
	fix := "Run the same command again."
	if a.engine.Again != "" {
		fix = "Go on with `" + a.engine.Again + "`."
	}
	return &problem.Problem{Kind: problem.Interrupted, Cause: "interrupted", What: "interrupted", Why: "A signal ended it; what was done until then stays.", Fix: fix, Err: err}
}

// unlessEnded waits for what cannot be stopped, such as a read of standard
// input, and leaves it when the program is to end.
func unlessEnded[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// agree asks a question that only a clear yes answers.
func (a *app) agree(ctx context.Context, question string) (bool, error) {
	fmt.Fprintf(a.Err, "  %s [y/N] ", question)
	if a.lines == nil {
		a.lines = bufio.NewReader(a.In)
	}
	answer, err := unlessEnded(ctx, func() (string, error) {
		line, _ := a.lines.ReadString('\n') // who says nothing does not agree
		return line, nil
	})
	if err != nil {
		fmt.Fprintln(a.Err)
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

// confirm asks, unless a yes was given. It ends well only with one; done says
// what else is not, such as removed.
func (a *app) confirm(ctx context.Context, yes bool, question, done string) error {
	switch {
	case yes:
		return nil
	case !a.canAsk():
		return notConfirmed(done, "--yes")
	}
	agreed, err := a.agree(ctx, question)
	if err == nil && !agreed {
		err = &problem.Problem{Kind: problem.Interrupted, Cause: "declined", What: "nothing was " + done, Fix: "Run it again and answer y if you want it after all."}
	}
	return err
}

// notConfirmed is for where nobody can be asked. The flag stands for a yes.
func notConfirmed(done, flag string) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: "not-confirmed", Field: "--yes", What: "nothing is " + done + " without your word", Fix: "Run it in a terminal, or add " + flag + "."}
}
