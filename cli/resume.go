package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
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
// that still has questions needs a person; of one that ended well, what is left
// to do is shown.
func (a *app) resumeUnattended(cmd *cobra.Command, store session.Store, s session.Session) error {
	switch s.Stage {
	case session.Asking:
		return a.cannotAsk(cmd.Context(), s.Answers)
	case session.Installed:
		fmt.Fprintf(a.Err, "Session %s is installed. What is left to do:\n", s.ID)
		items, err := a.look(cmd.Context(), s.Answers)
		if err != nil {
			return err
		}
		return a.showChecklist(s.Answers, items, "table", checklist.Open(items), false)
	}
	built, err := a.engine.Plan(cmd.Context(), s.Answers, false)
	if err != nil {
		return err
	}
	if a.inputs.dryRun {
		return a.printCommand(built)
	}
	fmt.Fprintf(a.Err, "Going on with session %s: %s\n", s.ID, s.Stage)
	return a.installSession(cmd, store, s, built, "text")
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
		fmt.Fprintf(a.Out, "%s  %-10s  step %-8s  %s in %s\n", s.ID, s.Stage, s.Step, text.Line(s.Answers.Runtime.Name), text.Line(s.Answers.Cluster.Context))
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
