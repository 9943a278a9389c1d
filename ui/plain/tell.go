package plain

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
)

// tellNews says what probes found that was not said before.
func (s *sitting) tellNews(list []steps.Probe) {
	for _, p := range list {
		if s.probes[p.ID].running {
			continue
		}
		found := inWords(s.probes[p.ID].checks)
		for _, words := range found {
			if !slices.Contains(s.told[p.ID], words) {
				s.say(words)
			}
		}
		s.told[p.ID] = found
	}
}

// inWords says each finding: what is open in full, the worst first; of what
// passed the headline, and how many more there are.
func inWords(checks []check.Check) []string {
	var words []string
	passed, skipped := 0, skips(checks)
	sorted := slices.Clone(checks)
	check.WorstFirst(sorted)
	for _, c := range sorted {
		switch {
		case c.Status == check.Pass:
			passed++
		case c.Status == check.Skip && skipped[c.Why] > 1:
			c.Title = text.Plural(skipped[c.Why], "check")
			skipped[c.Why] = 0
			words = append(words, checkWords(c))
		case c.Status != check.Skip || skipped[c.Why] == 1:
			words = append(words, checkWords(c))
		}
	}
	if len(checks) > 0 && checks[0].Status == check.Pass {
		words = append(words, checkWords(checks[0]))
		passed--
	}
	if passed > 0 {
		words = append(words, "  pass: "+text.Plural(passed, "more check"))
	}
	return words
}

// skips counts what was skipped by why: many for one reason are told as one.
func skips(checks []check.Check) map[string]int {
	count := map[string]int{}
	for _, c := range checks {
		if c.Status == check.Skip {
			count[c.Why]++
		}
	}
	return count
}

// checkWords is a check with why, and how to fix it.
func checkWords(c check.Check) string {
	lines := []string{indented("  ", string(c.Status)+": ", c.Title)}
	if c.Status == check.Pass {
		return lines[0]
	}
	if c.Why != "" {
		lines = append(lines, indented("    ", "why: ", c.Why))
	}
	switch {
	case c.Repair != nil:
		lines = append(lines, "    fix: cfwizard can make this change itself, if you agree.")
	case c.Fix != "":
		lines = append(lines, indented("    ", "fix: ", c.Fix))
	}
	return strings.Join(lines, "\n")
}
