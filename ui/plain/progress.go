package plain

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// progress is what the events of an install add up to, for those who cannot
// look at all of it at once.
type progress struct {
	began     time.Time
	timeout   time.Duration
	phase     release.Phase
	workloads map[string]release.Event // the last of each
	last      map[release.Object]string
	problems  map[string]bool // that were told, by object and cause
}

func newProgress(now time.Time, timeout time.Duration) progress {
	return progress{began: now, timeout: timeout, workloads: map[string]release.Event{}, last: map[release.Object]string{}, problems: map[string]bool{}}
}

// line is what an event says, or nothing when it says nothing new.
func (p *progress) line(e release.Event) string {
	switch {
	case e.Type == release.PhaseEvent && e.State == release.Started:
		p.phase = e.Phase
		return p.phaseLine(e)
	case e.Type == release.LogEvent && e.Object != nil:
		return "  log of " + e.Object.Name + ": " + e.Message
	case e.Type == release.ProblemEvent && e.Problem != nil:
		return p.problemLine(e)
	case e.Type != release.ObjectEvent || e.Object == nil:
		return ""
	}
	switch e.Object.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		p.workloads[e.Object.Name] = e
	}
	line := "  " + e.Object.Kind + " " + e.Object.Name + ": " + e.Words()
	if !e.Notable() || p.last[*e.Object] == line {
		return ""
	}
	p.last[*e.Object] = line
	return line
}

// problemLine says a problem that may yet mend itself once, with its fix.
func (p *progress) problemLine(e release.Event) string {
	about := e.Problem.Cause + e.Problem.What
	if e.Object != nil {
		about = e.Object.Kind + " " + e.Object.Name + " " + e.Problem.Cause
	}
	if p.problems[about] {
		return ""
	}
	p.problems[about] = true
	return strings.Join(problemLines(e.Problem), "\n")
}

func (p *progress) phaseLine(e release.Event) string {
	line := "Phase " + string(e.Phase)
	switch {
	case e.Message != "":
		line += ": " + e.Message
	case e.Phase == release.Wait:
		line += ": gives up at " + e.Time.Add(p.timeout).Format("15:04")
	}
	return line
}

// named is how many workloads are named where not all are.
const named = 3

// still says what is waited for.
func (p *progress) still(now time.Time) string {
	line := fmt.Sprintf("Still at %s after %s", p.phase, now.Sub(p.began).Round(time.Second))
	if p.phase == "" {
		line = fmt.Sprintf("Still beginning after %s", now.Sub(p.began).Round(time.Second))
	}
	var waiting []string
	for _, name := range slices.Sorted(maps.Keys(p.workloads)) {
		if e := p.workloads[name]; e.State != release.Ready {
			waiting = append(waiting, name+" ("+e.Words()+")")
		}
	}
	if len(p.workloads) > 0 {
		line += fmt.Sprintf(", %d of %s ready", len(p.workloads)-len(waiting), text.Plural(len(p.workloads), "workload"))
	}
	if len(waiting) > 0 {
		line += "; waiting for " + strings.Join(waiting[:min(named, len(waiting))], ", ")
	}
	if more := len(waiting) - named; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line + "."
}
