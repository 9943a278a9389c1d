package check

import "slices"

// WorstFirst sorts checks: what failed, what warns, what was skipped, what
// passed. Within these the order stays.
func WorstFirst(checks []Check) {
	order := []Status{Fail, Warn, Skip, Pass}
	slices.SortStableFunc(checks, func(a, b Check) int { return slices.Index(order, a.Status) - slices.Index(order, b.Status) })
}

// Open are the failures and warnings among checks, the worst first.
func Open(checks []Check) []Check {
	var open []Check
	for _, c := range checks {
		if c.Status == Fail || c.Status == Warn {
			open = append(open, c)
		}
	}
	WorstFirst(open)
	return open
}

// Repairs are what this program could mend of what is open, in the checks' order.
func Repairs(checks []Check) []Repair {
	var repairs []Repair
	for _, c := range checks {
		if c.Repair != nil && (c.Status == Fail || c.Status == Warn) {
			repairs = append(repairs, *c.Repair)
		}
	}
	return repairs
}
