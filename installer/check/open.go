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
			repair := *c.Repair
			repair.Check = c.ID
			repairs = append(repairs, repair)
		}
	}
	return repairs
}

// NextRepair is the first of the repairs that was not offered yet. They are
// asked for one by one: each that is made may change what the next is about.
func NextRepair(checks []Check, offered map[string]bool) (Repair, bool) {
	repairs := Repairs(checks)
	index := slices.IndexFunc(repairs, func(r Repair) bool { return !offered[r.String()] })
	if index < 0 {
		return Repair{}, false
	}
	return repairs[index], true
}
