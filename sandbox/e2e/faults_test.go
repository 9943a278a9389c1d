package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	medianSeconds   = 5
	longestSeconds  = 15
	faultsAtOneTime = 3
)

// Every fault is named rightly and soon after the cluster shows it, with what
// mends it.
func TestFaults(t *testing.T) {
	slowProof(t)
	list := slices.Concat(containerFaults, hookFaults, schedulingFaults, clusterFaults)
	sandboxes := make(chan *sandbox, faultsAtOneTime)
	for range faultsAtOneTime {
		sandboxes <- boot(t)
	}
	var mu sync.Mutex
	var rows []outcome
	t.Run("faults", func(t *testing.T) {
		for i, f := range list {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				s := <-sandboxes
				defer func() { sandboxes <- s }()
				row := s.runFault(t, f, i)
				row.judge(t)
				mu.Lock()
				defer mu.Unlock()
				rows = append(rows, row)
			})
		}
	})
	report(t, rows)
}

// judge holds one fault to its cause, its time and its fix.
func (row outcome) judge(t *testing.T) {
	t.Helper()
	switch {
	case !row.right:
		t.Errorf("%s was named first, want %s (%s)", row.first, row.wanted, row.ended)
	case row.seconds > longestSeconds:
		t.Errorf("named after %.1f s, want at most %d s", row.seconds, longestSeconds)
	case !strings.Contains(row.message, ". "):
		t.Errorf("no fix is told: %s", row.message)
	}
}

// report prints the table of faults, and judges how soon they are named.
func report(t *testing.T, rows []outcome) {
	t.Helper()
	var table strings.Builder
	var times []float64
	for _, row := range rows {
		mark := "wrong"
		if row.right {
			mark = "right"
			times = append(times, row.seconds)
		}
		fmt.Fprintf(&table, "%-34s %-32s %6.1f s  %-8s  %s\n", row.fault, row.first, row.seconds, row.ended, mark)
	}
	t.Logf("\n%-34s %-32s %8s  %-8s\n%s", "fault", "cause named first", "after", "then", table.String())
	if len(times) == 0 {
		t.Fatal("no fault was named rightly")
	}
	slices.Sort(times)
	if median := times[len(times)/2]; median > medianSeconds {
		t.Errorf("the median is %.1f s, want at most %d s", median, medianSeconds)
	} else {
		t.Logf("%d of %d right, median %.1f s, longest %.1f s", len(times), len(rows), median, times[len(times)-1])
	}
}
