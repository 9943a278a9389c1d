package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
)

// installNew installs as a session of its own, which can be gone on with by
// its name. Where nothing can be kept, the same command goes on with it.
func (a *app) installNew(cmd *cobra.Command, built plan.Plan, output string) error {
	store, err := session.DefaultStore()
	if err != nil {
		a.showProblems(err)
		return a.installAndVerify(cmd, built, output, func(session.Stage) error { return nil })
	}
	s := session.New(built.Answers(), time.Now())
	if s.Answers.Cluster.Context == "" { // the current one may be another by then
		_, s.Answers.Cluster.Context, _ = a.engine.Contexts(s.Answers.Cluster.Kubeconfig)
	}
	return a.installSession(cmd, store, s, built, output)
}

// installSession installs, and keeps with the session how far that came.
func (a *app) installSession(cmd *cobra.Command, store session.Store, s session.Session, built plan.Plan, output string) error {
	held := sitting{store: store}
	if err := held.hold(s.ID); err != nil {
		return err
	}
	defer held.release()
	a.goesOnWith(s)
	return a.installAndVerify(cmd, built, output, func(stage session.Stage) error {
		s.Stage, s.Updated = stage, time.Now()
		return store.Save(s)
	})
}

// installAndVerify tells keep how far the install came. What cannot be kept
// does not hold it up.
func (a *app) installAndVerify(cmd *cobra.Command, built plan.Plan, output string, keep func(session.Stage) error) error {
	if err := keep(session.Installing); err != nil || a.engine.Again == "" {
		a.showProblems(err)
		a.engine.Again = a.sameCommand()
	}
	err := a.installPlan(cmd, built, output)
	reached := session.Installed
	if err != nil {
		reached = session.Failed
	}
	if unsaved := keep(reached); unsaved != nil {
		a.showProblems(unsaved)
	}
	if err != nil {
		return err
	}
	return a.verify(cmd, built.Answers(), output)
}

// goesOnWith makes what fails name the session that goes on with it.
func (a *app) goesOnWith(s session.Session) { a.engine.Again = "cfwizard resume " + s.ID }

// sameCommand is this run as one would type it again.
func (a *app) sameCommand() string {
	words := []string{"cfwizard"}
	for _, word := range a.args {
		words = append(words, text.Quote(text.Line(word)))
	}
	return strings.Join(words, " ")
}
