package plain

import (
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// printCommand says what would run. The sitting goes on.
func (s *sitting) printCommand(problems problem.List) error {
	if len(problems) > 0 {
		return s.refuse(problems)
	}
	script, err := s.plan.Command()
	if err != nil {
		return s.refuse(problem.All(err))
	}
	s.say(string(script))
	return nil
}

// saveAs writes the plan in a form that is chosen.
func (s *sitting) saveAs(problems problem.List) error {
	if len(problems) > 0 {
		return s.refuse(problems)
	}
	forms := plan.SavedForms()
	choices := make([]answers.Choice, len(forms))
	for i, form := range forms {
		choices[i] = answers.Choice{Value: form.Name, Meaning: form.Meaning}
	}
	s.say("Save as, without secrets:")
	s.list(choices)
	for {
		line, err := s.ask("Choice [1], < back:", false)
		if err != nil || line == wantBack {
			return err
		}
		picked, wrong := pick(choices, line, 0)
		if wrong == nil {
			s.write(forms, picked)
			return nil
		}
		if err := s.refuse(problem.List{wrong}); err != nil {
			return err
		}
	}
}

func (s *sitting) write(forms []plan.SavedForm, picked string) {
	s.wrong = 0
	for _, form := range forms {
		if form.Name != picked {
			continue
		}
		name, data, err := form.File(s.plan)
		if err == nil {
			name, err = s.deps.Write(name, data)
		}
		if err != nil {
			s.say("  fail: not saved: " + err.Error())
			return
		}
		s.say("  pass: saved as " + name + " in this folder")
	}
}
