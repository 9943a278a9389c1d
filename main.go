// Command cfwizard installs the Codefresh GitOps Runtime into a Kubernetes
// cluster: it asks what it cannot find out, installs with Helm, and verifies.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cfwizard/cfwizard/cli"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/ui/quietstart"
)

// version is stamped when a release is built.
var version = "dev"

func main() {
	quietstart.End()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := cli.Run(ctx, os.Args[1:], cli.Program{
		Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, ExitCode: exitCode,
	})
	stop()
	os.Exit(code)
}

// exitCode is the one place that turns an error into the program's exit code.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	switch problem.KindOf(err) {
	case problem.Invalid:
		return 2
	case problem.CheckFailed:
		return 3
	case problem.WarningsOnly:
		return 4
	case problem.InstallFailed:
		return 5
	case problem.TimedOut:
		return 6
	case problem.Refused:
		return 7
	case problem.Unreachable:
		return 8
	case problem.Interrupted:
		return 130
	}
	return 1
}
