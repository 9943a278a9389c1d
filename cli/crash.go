package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/ui"
)

// execute runs the command. A defect of the program becomes a problem too.
func (a *app) execute(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = a.crashed(&ui.Crash{What: fmt.Sprint(cause), Stack: string(debug.Stack())}, "Report the file.")
		}
	}()
	return a.cutOff(ctx, a.root.ExecuteContext(ctx))
}

// crashed keeps a report of a defect, without secrets, and says where it is.
func (a *app) crashed(crash *ui.Crash, fix string) error {
	p := &problem.Problem{Kind: problem.Internal, Cause: "crashed", What: "cfwizard broke; this is a defect of the program", Fix: fix}
	path, err := a.engine.CrashReport(crash.What, crash.Stack)
	if err != nil {
		p.Why = "No report could be written: " + err.Error()
		return p
	}
	p.Why = "What is known of it, without secrets, is in " + path
	return p
}

// reportCrashIn keeps a report where an installation ended by a defect.
func (a *app) reportCrashIn(err error) {
	var crash *ui.Crash
	if errors.As(err, &crash) {
		a.showProblems(a.crashed(crash, "Report the file."))
	}
}
