package plain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

// startReview rehearses the install once everything is answered.
func (s *sitting) startReview() {
	for _, p := range steps.ReviewProbes() {
		s.start(p)
	}
}

// review says everything, and does what is chosen. It ends when another page
// is next.
func (s *sitting) review() error {
	if err := s.settle(steps.ReviewProbes(), s.pace.step); err != nil {
		return err
	}
	problems := s.tellReview()
	for s.onReview() {
		line, err := s.ask(s.reviewPrompt(), false)
		if err != nil {
			return err
		}
		problems, err = s.reviewed(strings.ToLower(line), problems)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sitting) reviewPrompt() string {
	words := "i install"
	if s.deps.DryRun {
		words = "i print and end"
	}
	words += ", a number changes that line, p print the command, s save as, "
	if len(check.Repairs(s.checksOf(s.allProbes()))) > 0 {
		words += "f fix what cfwizard can fix, "
	}
	return words + "q save and leave, < back, an empty line reads this again:"
}

// reviewed does what was chosen on the review.
func (s *sitting) reviewed(line string, problems problem.List) (problem.List, error) {
	lines := steps.Summary(s.state)
	number, _ := strconv.Atoi(line)
	switch {
	case line == "":
		problems = s.tellReview()
	case line == "i" || line == "install":
		return problems, s.confirm(problems)
	case number >= 1 && number <= len(lines):
		s.goTo(steps.Place(s.steps, lines[number-1].Step), 0)
	case line == "p":
		return problems, s.printCommand(problems)
	case line == "s":
		return problems, s.saveAs(problems)
	case line == "f":
		return problems, s.repairAll()
	case line == "q":
		return problems, leaving{how: ui.Left}
	case line == wantBack:
		s.goBack()
	case line == wantHelp:
		s.say("  Every line leads to its step: type its number. Nothing is written to the cluster before you choose i.")
	default:
		return problems, s.choose(line, "Type one of the letters, or a number from 1 to "+strconv.Itoa(len(lines))+".")
	}
	s.wrong = 0
	return problems, nil
}

// tellReview says what is wrong first, then every answer by its number.
func (s *sitting) tellReview() problem.List {
	s.heading(len(s.steps), "Review", "Everything on one page.")
	built, err := plan.Build(s.state.Answers, s.state.Found.Sources)
	s.plan = built
	s.tellProblem(err)
	for _, c := range check.Open(s.checksOf(s.allProbes())) {
		s.say(checkWords(c))
	}
	for _, warning := range built.Warnings {
		s.say("  warn: " + warning)
	}
	for i, line := range steps.Summary(s.state) {
		s.sayf("  %d) %s: %s", i+1, line.Label, line.Text)
	}
	if err == nil {
		s.say("  Will write: " + strings.Join(steps.WillWrite(s.state, built), ", "))
	}
	for _, p := range steps.ReviewProbes() {
		s.told[p.ID] = inWords(s.probes[p.ID].checks)
	}
	return problem.All(err)
}

// confirm begins the install, and asks once more where checks failed.
func (s *sitting) confirm(problems problem.List) error {
	if len(problems) > 0 {
		return s.refuse(problems)
	}
	s.wrong = 0
	if s.deps.DryRun {
		return leaving{how: ui.Printed}
	}
	if err := s.settle(append(needed(s.allProbes()), steps.ReviewProbes()...), steps.ProbeTimeout); err != nil {
		return err
	}
	s.tellNews(steps.ReviewProbes())
	for _, step := range s.steps {
		if slices.ContainsFunc(needed(step.Probes), s.failed) {
			return s.refuse(problem.List{{What: "the step " + step.Title + " has a problem", Fix: "Type its number to mend it."}})
		}
	}
	agreed, err := s.agreeToFailures()
	if err != nil || !agreed {
		return err
	}
	return s.install()
}

// agreeToFailures asks about failed checks. They do not forbid an install: the
// person may know better.
func (s *sitting) agreeToFailures() (bool, error) {
	open := check.Open(s.checksOf(s.allProbes()))
	failed := slices.DeleteFunc(open, func(c check.Check) bool { return c.Status != check.Fail })
	if len(failed) == 0 {
		return true, nil
	}
	s.say("The installation will probably not succeed:")
	for _, c := range failed {
		s.say("  fail: " + c.Title)
	}
	return s.agree("Install although " + text.Plural(len(failed), "check") + " failed?")
}
