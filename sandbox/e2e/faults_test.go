package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

const (
	faultsWanted    = 30
	rightWanted     = 0.9
	medianSeconds   = 5
	longestSeconds  = 15
	faultsAtOneTime = 3
)

// Every fault is named rightly and soon after the cluster shows it, with what
// mends it.
func TestFaults(t *testing.T) {
	slowProof(t)
	t.Parallel()
	list := slices.Concat(containerFaults, hookFaults, schedulingFaults, clusterFaults)
	rows := make([]outcome, len(list))
	var next atomic.Int64
	t.Run("faults", func(t *testing.T) {
		for n := range faultsAtOneTime {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				s := boot(t)
				for i := next.Add(1) - 1; int(i) < len(list); i = next.Add(1) - 1 {
					rows[i] = s.runFault(t, list[i], int(i))
				}
			})
		}
	})
	report(t, rows)
}

// report prints the table of faults, and judges it.
func report(t *testing.T, rows []outcome) {
	t.Helper()
	var table strings.Builder
	var times []float64
	right := 0
	for _, row := range rows {
		mark := "wrong"
		if row.right {
			mark = "right"
			right++
			times = append(times, row.seconds)
		}
		fmt.Fprintf(&table, "%-34s %-32s %6.1f s  %-8s  %s\n", row.fault, row.first, row.seconds, row.ended, mark)
		if row.right && row.seconds > longestSeconds {
			t.Errorf("%s: named after %.1f s, want at most %d s", row.fault, row.seconds, longestSeconds)
		}
		if row.right && !strings.Contains(row.message, ". ") {
			t.Errorf("%s: no fix is told: %s", row.fault, row.message)
		}
	}
	slices.Sort(times)
	t.Logf("\n%-34s %-32s %8s  %-8s\n%s", "fault", "cause named first", "after", "then", table.String())
	if len(rows) < faultsWanted || float64(right) < rightWanted*float64(len(rows)) {
		t.Fatalf("%d of %d faults were named rightly", right, len(rows))
	}
	if median := times[len(times)/2]; median > medianSeconds {
		t.Errorf("the median is %.1f s, want at most %d s", median, medianSeconds)
	} else {
		t.Logf("%d of %d right, median %.1f s, longest %.1f s", right, len(rows), median, times[len(times)-1])
	}
}
