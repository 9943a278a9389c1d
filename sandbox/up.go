package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/sandbox/supervisor"
)

const readyLine = "ready"

// upCommand starts a supervisor in the background and waits until the sandbox
// answers. Dying before that, even by kill -9, takes the supervisor along.
func upCommand(dir *string) *cobra.Command {
	var scenarios []string
	var tied bool
	var lifetime time.Duration
	cmd := &cobra.Command{Use: "up", Short: "Start the sandbox", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		absolute, err := filepath.Abs(*dir)
		if err != nil {
			return err
		}
		if state, err := supervisor.ReadState(absolute); err == nil {
			if _, err := state.Ask("/calls", nil); err == nil {
				return fmt.Errorf("a sandbox runs in %s already: stop it with `sandbox down --dir %s`", absolute, absolute)
			}
			_ = os.RemoveAll(absolute)
		}
		started, err := launch(absolute, scenarios, tied, lifetime)
		if err != nil {
			return err
		}
		if !tied {
			return started.letGo()
		}
		holdOn()
		started.stop()
		return nil
	}}
	cmd.Flags().StringArrayVar(&scenarios, "scenario", nil, "a scenario to start with; see `sandbox scenario --help`")
	cmd.Flags().BoolVar(&tied, "tied", false, "stay in the foreground and stop when this process or its standard input ends")
	cmd.Flags().DurationVar(&lifetime, "lifetime", 4*time.Hour, "stop by itself after this time")
	return cmd
}

// background is a supervisor that this process started.
type background struct {
	process *exec.Cmd
	leash   io.WriteCloser
}

// letGo lets the supervisor outlive this process.
func (b background) letGo() error {
	_, err := io.WriteString(b.leash, "go on\n")
	return err
}

// stop ends the sandbox and waits until it is gone.
func (b background) stop() {
	_ = b.leash.Close()
	_ = b.process.Wait()
}

func launch(dir string, scenarios []string, tied bool, lifetime time.Duration) (background, error) {
	self, err := os.Executable()
	if err != nil {
		return background{}, err
	}
	args := []string{"supervise", "--dir", dir, "--lifetime", lifetime.String()}
	for _, name := range scenarios {
		args = append(args, "--scenario", name)
	}
	if tied {
		args = append(args, "--tied")
	}
	child := exec.Command(self, args...)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	leash, err := child.StdinPipe()
	if err != nil {
		return background{}, err
	}
	output, err := child.StdoutPipe()
	if err != nil {
		return background{}, err
	}
	if err := child.Start(); err != nil {
		return background{}, fmt.Errorf("starting the supervisor: %w", err)
	}
	started := background{child, leash}
	if err := relay(output, dir, time.Now()); err != nil {
		started.stop()
		return background{}, err
	}
	return started, nil
}

// relay shows what the supervisor starts until it is ready.
func relay(output io.Reader, dir string, began time.Time) error {
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		line := lines.Text()
		if line == readyLine {
			fmt.Fprintf(os.Stderr, "sandbox: ready in %.1f s, in %s\n", time.Since(began).Seconds(), dir)
			return nil
		}
		if message, failed := strings.CutPrefix(line, "error: "); failed {
			return errors.New(message)
		}
		fmt.Fprintf(os.Stderr, "sandbox: starting %s\n", line)
	}
	return fmt.Errorf("the supervisor ended before the sandbox was ready; see the logs in %s/logs", dir)
}

// holdOn waits for a signal or the end of standard input.
func holdOn() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	<-ctx.Done()
}

// superviseCommand is the process in the background. Its standard input is
// the leash: until a line arrives, or always when tied, its end is the end.
func superviseCommand(dir *string) *cobra.Command {
	var scenarios []string
	var tied bool
	var lifetime time.Duration
	cmd := &cobra.Command{Use: "supervise", Hidden: true, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		ctx, cancel := context.WithTimeout(context.Background(), lifetime)
		defer cancel()
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
		go func() {
			leash := bufio.NewReader(os.Stdin)
			_, err := leash.ReadString('\n')
			if err != nil || tied {
				stop()
			}
		}()
		err := supervisor.Run(ctx, *dir, scenarios,
			func(part string) { fmt.Println(part) },
			func(supervisor.State) { fmt.Println(readyLine) })
		if err != nil {
			fmt.Println("error: " + err.Error())
		}
		return err
	}}
	cmd.Flags().StringArrayVar(&scenarios, "scenario", nil, "")
	cmd.Flags().BoolVar(&tied, "tied", false, "")
	cmd.Flags().DurationVar(&lifetime, "lifetime", 4*time.Hour, "")
	return cmd
}
