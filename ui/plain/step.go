package plain

import (
	"slices"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

// step asks the questions of the step that the sitting is at, from the one
// that it is at.
func (s *sitting) step() error {
	step := s.steps[s.at]
	s.heading(s.at, step.Title, step.Why)
	if err := s.settle(needed(steps.Probes(s.steps[:s.at])), steps.ProbeTimeout); err != nil {
		return err
	}
	for explain := true; ; explain = false {
		asked := step.Asked(s.state)
		if s.field >= len(asked) {
			if done, err := s.leaveStep(step); done || err != nil {
				return err
			}
			continue
		}
		got, err := s.question(asked[s.field], explain)
		switch {
		case err != nil:
			return err
		case got == goBack && s.field == 0:
			if s.goBack() {
				return nil
			}
			s.say("  This is the first question.")
		case got == goBack:
			s.field--
		default:
			if err := s.answered(step, asked[s.field].Path, s.field == len(asked)-1); err != nil {
				return err
			}
			s.field++
		}
	}
}

// answered keeps an answer, and finds out what depends on it. The last one of
// a step is waited for with the step.
func (s *sitting) answered(step steps.Step, path string, last bool) error {
	s.save()
	dependsOn := func(p steps.Probe) bool { return slices.Contains(p.Inputs, path) }
	s.startWhere(dependsOn)
	if last {
		return nil
	}
	here := slices.DeleteFunc(s.concerned(step), func(p steps.Probe) bool { return p.Needed || !dependsOn(p) })
	if err := s.settle(here, s.pace.answer); err != nil {
		return err
	}
	s.tellNews(here)
	return nil
}

// concerned are the probes of the step, and those of steps before that look at
// its answers: a token tells more of the repository.
func (s *sitting) concerned(step steps.Step) []steps.Probe {
	var list []steps.Probe
	for _, p := range steps.Probes(s.steps[:s.at]) {
		if slices.ContainsFunc(step.Asked(s.state), func(f steps.Field) bool { return slices.Contains(p.Inputs, f.Path) }) {
			list = append(list, p)
		}
	}
	return append(list, step.Probes...)
}

// leaveStep goes on to the next step, unless something holds this one. Then
// the question that can mend it is next.
func (s *sitting) leaveStep(step steps.Step) (done bool, err error) {
	holding, concerned := needed(step.Probes), s.concerned(step)
	for _, p := range holding {
		if s.failed(p) {
			s.start(p)
		}
	}
	if err := s.settle(holding, steps.ProbeTimeout); err != nil {
		return false, err
	}
	if !slices.ContainsFunc(holding, s.failed) {
		if err := s.settle(concerned, s.pace.step); err != nil {
			return false, err
		}
	}
	s.tellNews(concerned)
	if err := s.offerRepairs(concerned); err != nil {
		return false, err
	}
	asked := step.Asked(s.state)
	if slices.ContainsFunc(holding, s.failed) {
		for _, p := range holding {
			delete(s.told, p.ID) // the next try is told whatever it finds
		}
		return s.held(asked, "  This must be mended before the next step. The last question is asked again; its answer as it is tries once more.")
	}
	if problems := step.Problems(s.state); len(problems) > 0 {
		s.field = max(slices.IndexFunc(asked, func(f steps.Field) bool { return f.Path == problems[0].Field }), 0)
		return false, s.refuse(problem.List{problems[0]})
	}
	s.goOn()
	return true, nil
}

// held asks the last question again. A step without one is asked for by an
// empty line.
func (s *sitting) held(asked []steps.Field, why string) (bool, error) {
	s.say(why)
	s.field = max(len(asked)-1, 0)
	if len(asked) > 0 {
		return false, nil
	}
	_, err := s.ask("An empty line tries again:", false)
	return false, err
}

// goOn leads to the next step, and says which ones it skips.
func (s *sitting) goOn() {
	next := steps.Next(s.steps, s.state, s.at)
	for skipped := s.at + 1; skipped < next; skipped++ {
		if _, why := s.steps[skipped].Needed(s.state); why != "" {
			s.say("")
			s.sayf("Step %d of %d: %s is skipped: %s.", skipped+1, len(s.steps)+3, s.steps[skipped].Title, why)
		}
	}
	s.goTo(next, 0)
}

// goBack leads to the last question of the step before that has one.
func (s *sitting) goBack() bool {
	at := s.at
	for {
		at = steps.Previous(s.steps, s.state, at)
		if at < 0 {
			return false
		}
		if asked := s.steps[at].Asked(s.state); len(asked) > 0 {
			s.goTo(at, len(asked)-1)
			return true
		}
	}
}

func (s *sitting) goTo(at, field int) {
	s.at, s.field = at, field
	s.save()
	if s.onReview() {
		s.startReview()
	}
}

// goToField leads to the question about a field.
func (s *sitting) goToField(at int, path string) {
	asked := s.steps[at].Asked(s.state)
	s.goTo(at, max(slices.IndexFunc(asked, func(f steps.Field) bool { return f.Path == path }), 0))
}
