package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/cfwizard/cfwizard/sandbox/supervisor"
)

const (
	brokenPoints  = 54
	networkIsAway = 8 * time.Second
)

// run is an install without questions that something happens to.
type brokenRun struct {
	*sandbox
	cmd      *exec.Cmd
	terminal *os.File // the other end of its terminal
	away     atomic.Bool
}

// breakages are the ways in which a run is broken off.
var breakages = []struct {
	name   string
	happen func(*brokenRun)
}{
	{"kill -9", func(r *brokenRun) { _ = r.cmd.Process.Kill() }},
	{"SIGTERM", func(r *brokenRun) { _ = r.cmd.Process.Signal(syscall.SIGTERM) }},
	{"SIGHUP", func(r *brokenRun) { _ = r.cmd.Process.Signal(syscall.SIGHUP) }},
	{"terminal closed", func(r *brokenRun) { _ = r.terminal.Close() }},
	{"network cut", func(r *brokenRun) {
		r.away.Store(true)
		time.AfterFunc(networkIsAway, func() { r.away.Store(false) })
	}},
	{"API server restarted", func(r *brokenRun) { r.restartAPI() }},
}

func (s *sandbox) restartAPI() {
	s.t.Helper()
	state, err := supervisor.ReadState(s.dir)
	if err == nil {
		_, err = state.Ask("/restart-api", "1s")
	}
	if err != nil {
		s.t.Errorf("the API server was not restarted: %v", err)
	}
}

// breakOff installs, and lets something happen at an event. It gives the events
// that were told.
func (s *sandbox) breakOff(file string, at int, happen func(*brokenRun)) (events []map[string]any) {
	s.t.Helper()
	r := &brokenRun{sandbox: s, cmd: exec.Command(filepath.Join(s.home, "tools", "cfwizard"), "install", "-f", file, "--yes", "--skip-checks", "-o", "json")}
	kubeconfig := s.faulty("cut", func(_ int64, w http.ResponseWriter, _ *http.Request) bool { return r.away.Load() && drop(w) })
	r.cmd.Env, r.cmd.Dir = append(s.environ(), "KUBECONFIG="+kubeconfig), s.home
	ours, theirs, err := pty.Open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer ours.Close()
	defer theirs.Close()
	r.terminal, r.cmd.Stdin = ours, theirs
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s.follow(r.cmd, func(number int, event map[string]any) {
		if events = append(events, event); number == at {
			happen(r)
		}
	})
	return events
}

// TestSoakBrokenAnywhere breaks runs off at each phase, at each hook and in
// between, in every way. The next run reaches deployed, helm accepts it, and
// nothing of the hooks stays behind.
func TestSoakBrokenAnywhere(t *testing.T) {
	slowProof(t)
	var (
		next, reached atomic.Int64
		group         sync.WaitGroup
	)
	for range 2 {
		s := boot(t)
		points := s.pointsToBreak()
		group.Go(func() {
			for i := int(next.Add(1) - 1); i < brokenPoints; i = int(next.Add(1) - 1) {
				if s.mendsItself(points[i*len(points)/brokenPoints], i) {
					reached.Add(1)
				}
			}
		})
	}
	group.Wait()
	if reached.Load() != brokenPoints {
		t.Errorf("%d of %d points reached deployed", reached.Load(), brokenPoints)
	}
	t.Logf("%d of %d points reached deployed", reached.Load(), brokenPoints)
}

// pointsToBreak are the events of a whole install at which something happens in
// the cluster: phases, hooks, and objects in between.
func (s *sandbox) pointsToBreak() (points []int) {
	s.t.Helper()
	whole := s.breakOff(s.answersNamed("whole"), -1, nil)
	s.removeRuntime()
	for i, event := range whole {
		if event["type"] == "phase" || event["phase"] == "hooks" || i%10 == 0 {
			points = append(points, i)
		}
	}
	if len(points) < brokenPoints {
		s.t.Fatalf("only %d points in %d events", len(points), len(whole))
	}
	return points
}

// mendsItself breaks a run off and brings the release to deployed again: every
// second time by way of the doctor.
func (s *sandbox) mendsItself(at, number int) bool {
	how := breakages[number%len(breakages)]
	file := s.answersNamed(fmt.Sprintf("broken%d", number))
	events := s.breakOff(file, at, how.happen)
	began := time.Now()
	if number/len(breakages)%2 == 1 {
		s.run("cfwizard", "doctor", "-f", file, "--fix", "--yes")
	}
	r := s.run("cfwizard", "install", "-f", file, "--yes", "--skip-checks")
	status, left := s.status("cf-gitops-runtime", "codefresh"), s.hookLeftovers()
	last := events[min(at, len(events)-1)]
	fmt.Printf("%-20s at event %3d (%v): %s after %s\n", how.name, at, last["phase"], status, time.Since(began).Round(time.Second))
	right := r.code == 0 && status == "deployed" && left == ""
	if !right {
		s.t.Errorf("%s at event %d: the next run ended with %d, helm says %s, left: %s\n%s", how.name, at, r.code, status, left, r.stderr)
	}
	right = right && s.helmAccepts()
	s.removeRuntime()
	return right
}

// helmAccepts lets helm itself go on with the release.
func (s *sandbox) helmAccepts() bool {
	for _, args := range [][]string{{"history", "cf-gitops-runtime", "--namespace", "codefresh"}, {"get", "manifest", "cf-gitops-runtime", "--namespace", "codefresh"}} {
		if r := s.run("helm", args...); r.code != 0 || r.stdout == "" {
			s.t.Errorf("helm %v: %s", slices.Concat(args), r.stderr)
			return false
		}
	}
	return true
}
