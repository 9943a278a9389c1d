package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// sitting is the one saved session that this process has open.
type sitting struct {
	store session.Store
	free  func()
}

// hold opens a session for this process, and gives back the one before. Where
// nothing can be saved, which the wizard tells, nothing is held.
func (s *sitting) hold(id string) error {
	free, err := s.store.Lock(id)
	if err != nil && problem.All(err)[0].Cause == "session-open" {
		return err
	}
	s.release()
	s.free = free
	return nil
}

func (s *sitting) release() {
	if s.free != nil {
		s.free()
	}
	s.free = nil
}

// others are the saved sessions but for the given one, the newest first.
func (s *sitting) others(id string) []session.Session {
	all, _ := s.store.List() // `cfwizard sessions` tells what cannot be read
	var others []session.Session
	for _, each := range all {
		if each.ID != id {
			others = append(others, each)
		}
	}
	return others
}

// unfinished are those to go on with.
func unfinished(sessions []session.Session) []session.Session {
	return slices.DeleteFunc(slices.Clone(sessions), func(s session.Session) bool { return s.Stage == session.Installed })
}

func answersOf(sessions []session.Session) []answers.Answers {
	var all []answers.Answers
	for _, s := range sessions {
		all = append(all, s.Answers)
	}
	return all
}

// cameWithAnswers reports whether the person said already what is wanted: then
// nobody is asked whether to go on with something else.
func (a *app) cameWithAnswers(cmd *cobra.Command) bool {
	if a.inputs.file != "" || a.inputs.fromValues != "" {
		return true
	}
	for _, field := range answers.Fields {
		_, source := a.given(cmd, field)
		if strings.HasPrefix(source, "--") && !strings.HasPrefix(field.Path, "cluster.") {
			return true
		}
	}
	return false
}

// opens goes over to a saved session, with what flags and environment say laid
// over it.
func (a *app) opens(cmd *cobra.Command, held *sitting) func(id string) (session.Session, plan.Sources, error) {
	return func(id string) (s session.Session, sources plan.Sources, err error) {
		if s, err = held.store.Load(id); err != nil {
			return s, sources, err
		}
		if s.Answers, err = a.gather(cmd, s.Answers); err != nil {
			return s, sources, err
		}
		if sources, err = a.engine.Sources(cmd.Context(), s.Answers, true); err != nil {
			return s, sources, err
		}
		if err = held.hold(id); err == nil {
			a.goesOnWith(s)
		}
		return s, sources, err
	}
}

// reads takes the answers from a file that the person names.
func (a *app) reads(cmd *cobra.Command) func(name string) (answers.Answers, error) {
	return func(name string) (answers.Answers, error) {
		whole, err := steps.WholePath(name)
		if err != nil {
			return answers.Answers{}, err
		}
		a.inputs.file = whole
		defer func() { a.inputs.file = "" }()
		return a.gather(cmd, answers.Default())
	}
}
