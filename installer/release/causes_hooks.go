package release

import (
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

var hookCauses = []cause{
	{ID: "hook-deadline", Reasons: []string{hookFailed}, Only: func(s symptom) bool { return s.Last == "DeadlineExceeded" },
		Fatal: true, Grace: time.Second, Named: time.Second,
		What: "the chart's hook {name} took longer than it may",
		Fix:  "See what it waited for: `kubectl logs job/{name} --namespace {namespace}`, then run `{again}`."},
	{ID: "hook-failed", Reasons: []string{hookFailed},
		Fatal: true, Grace: 5 * time.Second, Named: 5 * time.Second,
		What: "the chart's hook {name} failed",
		Fix:  "Correct what it names and try again; everything else is kept."},
	{ID: "hook-timed-out", Reasons: []string{hookRunning}, Kind: problem.TimedOut, Field: "options.timeout",
		What: "the chart's hook {name} did not end in time",
		Fix:  "See what it does with `kubectl logs job/{name} --namespace {namespace}`, raise options.timeout, and run `{again}`."},
}

// validates is for the chart's own validation hooks.
func validates(s symptom) bool { return strings.HasPrefix(s.Object.Name, "validate-") }

// speaksOf narrows causes to words that speak of something.
func speaksOf(words string, list []cause) []cause {
	for i, c := range list {
		list[i].Only = func(s symptom) bool { return c.Only(s) && says(s.Message+plainLines(s.Log), []string{words}) }
	}
	return list
}

// refusedBy is a cause that the chart's validator, or the chart itself while
// it is rendered, puts into words.
func refusedBy(id, field, what, fix string, parts ...string) []cause {
	both := cause{ID: id, Field: field, What: what, Fix: fix, Fatal: true, Named: time.Second, Grace: time.Second}
	hook, render := both, both
	hook.Reasons, hook.LogSays, hook.Only = []string{hookFailed}, parts, validates
	render.Reasons, render.Says = []string{fromHelm}, parts
	render.Only = func(s symptom) bool { return says(s.Message, []string{"execution error at", "template:"}) }
	return []cause{hook, render}
}
