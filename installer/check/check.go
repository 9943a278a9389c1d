// Package check is a judgement about the cluster, the account, Git or the
// access mode: a status, why, and how to fix it.
package check

import "github.com/cfwizard/cfwizard/installer/problem"

// Status is the judgement.
type Status string

// The judgements.
const (
	Pass Status = "pass"
	Warn Status = "warn"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Check is one judgement. Every fail and warn has a fix.
type Check struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Scope    string       `json:"scope"`
	Status   Status       `json:"status"`
	Why      string       `json:"why"`
	Fix      string       `json:"fix"`
	Evidence string       `json:"evidence"`
	Field    string       `json:"-"` // the answer that it is about
	Kind     problem.Kind `json:"-"` // of the error behind it, if any
	// Repair is set where this program can do the fix itself.
	Repair *Repair `json:"-"`
}

// FromError is the failed check of an error.
func FromError(id, scope string, err error) []Check {
	var checks []Check
	for _, p := range problem.All(err) {
		checks = append(checks, Check{ID: id, Scope: scope, Title: p.What, Status: Fail, Why: p.Why, Fix: p.Fix, Field: p.Field, Kind: p.Kind})
	}
	return checks
}

// Worst is the worst status among checks.
func Worst(checks []Check) Status {
	worst := Pass
	for _, c := range checks {
		if c.Status == Fail {
			return Fail
		}
		if c.Status == Warn {
			worst = Warn
		}
	}
	return worst
}
