package plain

import (
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// say writes lines, made safe: what comes from elsewhere must not move the
// cursor.
func (s *sitting) say(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(s.terminal.Out, text.Block(line))
	}
}

func (s *sitting) sayf(format string, words ...any) { s.say(fmt.Sprintf(format, words...)) }

// indented puts every line of a text under its label.
func indented(indent, label, words string) string {
	words = strings.TrimRight(words, "\n ")
	return indent + label + strings.ReplaceAll(words, "\n", "\n"+indent+"  ")
}

// block puts every line of a text below what was said.
func block(words string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(words, "\n "), "\n", "\n    ")
}

// tellProblem says what happened, why, and how to fix it.
func (s *sitting) tellProblem(err error) {
	for _, p := range problem.All(err) {
		s.say(problemLines(p)...)
	}
}

func problemLines(p *problem.Problem) []string {
	lines := []string{indented("  ", "problem: ", p.What)}
	if p.Why != "" {
		lines = append(lines, indented("    ", "why: ", p.Why))
	}
	if p.Fix != "" {
		lines = append(lines, indented("    ", "fix: ", p.Fix))
	}
	return lines
}

func (s *sitting) greet() {
	s.say("This is cfwizard, line by line. It installs the Codefresh GitOps Runtime.",
		"An empty line takes the value in brackets, ? explains a question, < goes back to the one before.",
		"Ctrl+D saves and leaves. Nothing is written to the cluster before you confirm the review.")
	if s.deps.DryRun {
		s.say("This is a dry run: it ends by printing what would run.")
	}
}

// heading begins a page.
func (s *sitting) heading(page int, title, why string) {
	s.say("")
	s.sayf("Step %d of %d: %s. %s", page+1, len(s.steps)+3, title, why)
}
