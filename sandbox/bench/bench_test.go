// Package bench measures the program against helm and kubectl in one run, as
// ratios: `make bench` builds what it needs and prints them.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func binary(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(os.Getenv("CFWIZARD_BIN"), name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is not built: run `make bench`", name)
	}
	return path
}

// ratio prints a comparison and fails when it is worse than allowed.
func ratio(t *testing.T, what string, ours, theirs, limit float64, unit string) {
	t.Helper()
	if !(ours > 0 && theirs > 0) {
		t.Fatalf("%s: %v against %v compares nothing", what, ours, theirs)
	}
	r := ours / theirs
	fmt.Printf("%-34s %10.2f %-3s against %10.2f %-3s = %.2f, at most %.2f\n", what, ours, unit, theirs, unit, r, limit)
	if r > limit {
		t.Errorf("%s: the ratio is %.2f, at most %.2f is allowed", what, r, limit)
	}
}

func TestVersionIsAsQuickAsHelms(t *testing.T) {
	ours, theirs := median(t, binary(t, "cfwizard"), "version"), median(t, binary(t, "helm"), "version")
	ratio(t, "cfwizard version / helm version", ours, theirs, 1.5, "ms")
}

// median runs a command often, in turns with nothing else, and gives the
// middle time in milliseconds.
func median(t *testing.T, name string, args ...string) float64 {
	t.Helper()
	const runs = 31
	times := make([]time.Duration, 0, runs)
	for range runs {
		began := time.Now()
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return float64(times[runs/2].Microseconds()) / 1000
}

func TestTheBinaryIsNotMuchLargerThanHelms(t *testing.T) {
	size := func(name string) float64 {
		info, err := os.Stat(binary(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return float64(info.Size()) / (1 << 20)
	}
	ratio(t, "size of cfwizard / size of helm", size("cfwizard"), size("helm"), 1.3, "MB")
}
