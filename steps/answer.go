package steps

import (
	"maps"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Answer is the state with a field's value in it, or what is wrong with the
// value. The older state is untouched.
func (s State) Answer(f Field, value string) (State, *problem.Problem) {
	changed, err := s.with(f, value)
	if err != nil {
		return s, &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Field: f.Path, What: err.Error(), Fix: "An example: " + f.About().Example}
	}
	if value != "" || !f.Optional {
		if found := changed.Answers.Validate().Problems.About(f.Path); len(found) > 0 {
			return s, found[0]
		}
	}
	if f.Then != nil {
		f.Then(&changed)
	}
	return changed, nil
}

func (s State) with(f Field, value string) (changed State, err error) {
	if f.Kind == File {
		if value, err = WholePath(value); err != nil {
			return s, err
		}
	}
	s.Answers = s.Answers.Clone()
	if f.Own != nil {
		s.Chosen = maps.Clone(s.Chosen)
		f.Own.Write(&s, value)
		return s, nil
	}
	s.Answers, err = s.Answers.Set(f.Path, value)
	return s, err
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

var secretVariables = map[string]string{"codefresh.apiKey": "CF_API_KEY", "git.runtimeToken": "GIT_RUNTIME_TOKEN", "git.userToken": "GIT_USER_TOKEN",
	"argocd.auth": "ARGOCD_AUTH_TOKEN"}
