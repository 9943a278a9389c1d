// Package cluster runs the control plane's programs as child processes on
// loopback, with their certificates, ports, kubeconfig and nodes.
package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// lifelineFD is the descriptor of the pipe that tells a child that its parent
// is gone, however it went.
const lifelineFD = 3

// HoldLifeline ends this process when the process that started it ends. The
// parent holds the other end of the pipe; the kernel closes it even after
// kill -9.
func HoldLifeline() {
	if os.Getenv("SANDBOX_LIFELINE") != "1" {
		return
	}
	go func() {
		pipe := os.NewFile(lifelineFD, "lifeline")
		_, _ = pipe.Read(make([]byte, 1))
		os.Exit(1)
	}()
}

// process is one program of the control plane.
type process struct {
	name     string
	args     []string
	logFile  string
	cmd      *exec.Cmd
	lifeline *os.File
	done     chan struct{}
	mu       sync.Mutex
	err      error
}

// start runs this very binary as the named program.
func start(name, logDir string, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program's own file: %w", err)
	}
	p := &process{name: name, args: args, logFile: filepath.Join(logDir, name+".log"), done: make(chan struct{})}
	log, err := os.OpenFile(p.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", name, err)
	}
	defer log.Close()
	childEnd, ourEnd, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making the lifeline of %s: %w", name, err)
	}
	defer childEnd.Close()
	p.lifeline = ourEnd
	p.cmd = exec.Command(self, append([]string{name}, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.ExtraFiles = []*os.File{childEnd}
	p.cmd.Env = append(os.Environ(), "SANDBOX_LIFELINE=1", "KWOK_WORKDIR="+logDir)
	p.cmd.Dir = logDir
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	go p.reap()
	return p, nil
}

func (p *process) reap() {
	err := p.cmd.Wait()
	p.mu.Lock()
	p.err = err
	p.mu.Unlock()
	close(p.done)
}

// stop asks the program to end, and makes it end after two seconds.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.done:
	case <-time.After(2 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	p.lifeline.Close()
}

// exited reports why the program ended, if it did.
func (p *process) exited() error {
	select {
	case <-p.done:
		p.mu.Lock()
		defer p.mu.Unlock()
		return fmt.Errorf("%s ended early (%v); see %s", p.name, p.err, p.logFile)
	default:
		return nil
	}
}

// bootLimit is how long a part may take to come up on a busy machine.
const bootLimit = 2 * time.Minute

// waitUntil polls a condition until it holds, a program ends or time is up.
func waitUntil(ctx context.Context, what string, programs []*process, condition func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, bootLimit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := condition(ctx)
		if err == nil {
			return nil
		}
		for _, p := range programs {
			if exit := p.exited(); exit != nil {
				return exit
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w (last answer: %v)", what, ctx.Err(), err)
		case <-tick.C:
		}
	}
}
