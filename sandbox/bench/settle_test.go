package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	ticksPerSecond = 100 // of /proc, on every Linux
	calm           = 0.2 // of one core
	settleLimit    = time.Minute
)

// settle waits until a sandbox has done what the run before left to do, such
// as collecting what belonged to deleted objects.
func settle(t *testing.T, dir string) {
	t.Helper()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	deadline := time.After(settleLimit)
	for before, quiet := cpuOf(t, dir), 0; quiet < 2; {
		select {
		case <-deadline:
			return // slower for whoever comes next, and told by the numbers
		case <-tick.C:
		}
		now := cpuOf(t, dir)
		if quiet++; now-before > calm {
			quiet = 0
		}
		before = now
	}
}

// cpuOf sums the seconds that the programs of a sandbox have computed.
func cpuOf(t *testing.T, dir string) (seconds float64) {
	t.Helper()
	for file := range programsOf(t, dir) {
		stat, err := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		for _, ticks := range fields[11:13] {
			if n, err := strconv.ParseFloat(ticks, 64); err == nil {
				seconds += n / ticksPerSecond
			}
		}
	}
	return seconds
}

// programsOf are the programs of a sandbox: the files of their command lines,
// and these.
func programsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(line), dir) {
			found[file] = string(line)
		}
	}
	return found
}
