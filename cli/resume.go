package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/session"
)

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "resume [SESSION]", Short: "Go on with a saved session, the newest if not named", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := session.DefaultStore()
			if err != nil {
				return err
			}
			s, err := a.find(cmd, store, args)
			if err != nil {
				return err
			}
			if s.Answers, err = a.gather(cmd, s.Answers); err != nil {
				return err
			}
			if a.canSit() {
				return a.sit(cmd, &sitting{store: store}, s, true)
			}
			return a.resumeUnattended(cmd, store, s)
		}}
	cmd.Flags().BoolVar(&a.inputs.dryRun, "dry-run", false, "everything but writing")
	cmd.Flags().BoolVar(&a.inputs.plain, "plain", false, plainUsage)
	a.inputs.addTo(cmd)
	return cmd
}

// resumeUnattended goes on with an install that was confirmed before. One
// that still has questions needs a person.
func (a *app) resumeUnattended(cmd *cobra.Command, store session.Store, s session.Session) error {
	if s.Stage == session.Asking {
		return a.cannotAsk(s.Answers)
	}
	built, err := a.engine.Plan(s.Answers, false)
	if err != nil {
		return err
	}
	held := sitting{store: store}
	if err := held.hold(s.ID); err != nil {
		return err
	}
	defer held.release()
	fmt.Fprintf(a.Err, "Going on with session %s: %s\n", s.ID, s.Stage)
	err = a.installPlan(cmd, built, "text")
	s.Stage = session.Installed
	if err != nil {
		s.Stage = session.Failed
	}
	if saveErr := store.Save(s); saveErr != nil {
		a.showProblems(saveErr)
	}
	return err
}

func (a *app) sessionsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "sessions", Short: "The saved sessions", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.listSessions() }}
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List them, the newest first", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.listSessions() }},
		&cobra.Command{Use: "show ID", Short: "Print the answers of one", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return a.showSession(args[0]) }},
		&cobra.Command{Use: "delete ID", Short: "Delete one", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error {
				store, err := session.DefaultStore()
				if err != nil {
					return err
				}
				return store.Delete(args[0])
			}},
	)
	return cmd
}

func (a *app) listSessions() error {
	store, err := session.DefaultStore()
	if err != nil {
		return err
	}
	sessions, problems := store.List()
	for _, s := range sessions {
		fmt.Fprintf(a.Out, "%s  %-10s  step %-8s  %s in %s\n", s.ID, s.Stage, s.Step, s.Answers.Runtime.Name, s.Answers.Cluster.Context)
	}
	if len(sessions) == 0 && len(problems) == 0 {
		fmt.Fprintln(a.Err, "There is no saved session. Start one with `cfwizard`.")
	}
	if len(problems) > 0 {
		a.showProblems(problems)
	}
	return nil
}

func (a *app) showSession(id string) error {
	store, err := session.DefaultStore()
	if err != nil {
		return err
	}
	s, err := store.Load(id)
	if err != nil {
		return err
	}
	data, err := s.Answers.Write()
	if err != nil {
		return err
	}
	_, err = a.Out.Write(data)
	return err
}
