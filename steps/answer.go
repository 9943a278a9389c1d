package steps

import (
	"maps"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Answer is the state with a field's value in it, or what is wrong with the
// value. The older state is untouched.
func (s State) Answer(f Field, value string) (State, *problem.Problem) {
	changed, err := s.Answers.Clone().Set(f.Path, value)
	if err != nil {
		return s, &problem.Problem{Field: f.Path, What: err.Error()}
	}
	if value != "" || !f.Optional {
		if found := changed.Validate().Problems.About(f.Path); len(found) > 0 {
			return s, found[0]
		}
	}
	s.Answers = changed
	return s, nil
}

// WithSecret is the state after a secret was typed and handed to the engine.
// The answers keep only a reference: the variable that stands for it in a
// printed command.
func (s State) WithSecret(path string) State {
	typed := maps.Clone(s.Typed)
	if typed == nil {
		typed = map[string]bool{}
	}
	typed[path] = true
	s.Typed = typed
	if s.Answers.Get(path) == "" {
		s.Answers, _ = s.Answers.Clone().Set(path, answers.SecretRef{Env: secretVariables[path]}.String())
	}
	return s
}

var secretVariables = map[string]string{"codefresh.apiKey": "CF_API_KEY", "git.runtimeToken": "GIT_RUNTIME_TOKEN", "git.userToken": "GIT_USER_TOKEN"}
