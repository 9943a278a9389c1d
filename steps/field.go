package steps

import "github.com/cfwizard/cfwizard/installer/problem"

// Value is the answer as it stands.
func (f Field) Value(s State) string { return s.Answers.Get(f.Path) }

// Answer puts a value into a copy of the state, when it is valid.
func (f Field) Answer(s State, value string) (State, *problem.Problem) {
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
