package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/recovery"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/text"
)

// doctorFlags are what the doctor is asked to do.
type doctorFlags struct {
	output              string
	fix, undo, yes      bool
	rollback, uninstall bool
	agree               []string // checks whose repairs are agreed to
}

func (a *app) doctorCommand() *cobra.Command {
	var flags doctorFlags
	cmd := &cobra.Command{Use: "doctor [-f FILE]", Short: "Say what is wrong and repair what is safe, with your consent", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.output != "text" && flags.output != "json" {
				return unknownOutput(flags.output, "text, json")
			}
			gathered, err := a.gather(cmd, answers.Default())
			if err != nil {
				return err
			}
			if flags.undo {
				return a.undoRepairs(cmd, gathered, flags)
			}
			return a.examine(cmd, gathered, flags)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&flags.fix, "fix", false, "offer each repair, and apply those that you agree to")
	cmd.Flags().BoolVar(&flags.undo, "undo", false, "take back the repairs that were applied to this cluster")
	cmd.Flags().BoolVar(&flags.yes, "yes", false, "agree to every repair that changes nothing that runs")
	cmd.Flags().StringSliceVar(&flags.agree, "agree", nil, "with --fix: agree to the repair of this check, such as ingress.status, though it changes what runs")
	cmd.Flags().BoolVar(&flags.rollback, "rollback", false, "with --fix: agree to roll back a failed upgrade")
	cmd.Flags().BoolVar(&flags.uninstall, "uninstall", false, "with --fix: agree to uninstall what was never deployed")
	return cmd
}

// examine shows what is wrong; with --fix it repairs and looks again.
func (a *app) examine(cmd *cobra.Command, gathered answers.Answers, flags doctorFlags) error {
	look := func() ([]check.Check, error) { return a.diagnose(cmd, gathered) }
	checks, err := look()
	if err != nil {
		return err
	}
	if flags.fix {
		checks, err = mend(checks, look, func(r check.Repair) (bool, error) { return a.offerRepair(cmd, gathered, r, flags) })
		if err != nil {
			return err
		}
	}
	if err := a.showDiagnosis(checks, flags.output); err != nil {
		return err
	}
	return verdict(checks, false)
}

// diagnose looks at what earlier runs left behind, and then at everything that
// a check looks at.
func (a *app) diagnose(cmd *cobra.Command, gathered answers.Answers) ([]check.Check, error) {
	release, err := a.engine.Leftovers(cmd.Context(), gathered)
	if err != nil {
		return check.FromError("cluster.reachable", "cluster", err), cmd.Context().Err()
	}
	checks, err := a.checkAnswers(cmd, gathered)
	return append(release, checks...), err
}

// showDiagnosis shows only what is wrong.
func (a *app) showDiagnosis(checks []check.Check, output string) error {
	open := check.Open(checks)
	if output == "json" {
		return a.showChecks(open, "json")
	}
	if len(open) == 0 {
		fmt.Fprintln(a.Out, "Nothing is wrong.")
	}
	return a.showChecks(open, "table")
}

// mend offers one repair after the other, and looks again after each that was
// made: it may have changed what the next is about, or made one possible. One
// that was made for an object of before is made anew, but not without end.
func mend(checks []check.Check, look func() ([]check.Check, error), offer func(check.Repair) (bool, error)) ([]check.Check, error) {
	offered, again := map[string]bool{}, 3
	for {
		next, found := check.NextRepair(checks, offered)
		if !found {
			return checks, nil
		}
		offered[next.String()] = true
		made, err := offer(next)
		switch {
		case repair.IsOutdated(err) && again > 0:
			again--
			delete(offered, next.String())
		case err != nil:
			return checks, err
		case !made:
			continue
		}
		if checks, err = look(); err != nil {
			return checks, err
		}
	}
}

// offerRepair shows a repair as a diff and as a command, and asks.
func (a *app) offerRepair(cmd *cobra.Command, gathered answers.Answers, r check.Repair, flags doctorFlags) (made bool, err error) {
	if !flags.yes && !flags.rollback && !flags.uninstall && len(flags.agree) == 0 && !a.canAsk() {
		return false, notConfirmed("changed", agreement(r))
	}
	a.showRepair(r)
	if agreed, err := a.agreed(cmd.Context(), r, flags); !agreed || err != nil {
		return false, err
	}
	err = a.applyRepair(cmd, gathered, r)
	if repair.IsOutdated(err) {
		fmt.Fprintln(a.Err, "  not done: it has changed since it was looked at")
	}
	return err == nil, err
}

// agreed asks, or looks for the flag that stands for a yes. A general yes does
// not reach what changes what runs.
func (a *app) agreed(ctx context.Context, r check.Repair, flags doctorFlags) (bool, error) {
	flag := agreement(r)
	switch {
	case flag == "--rollback" && flags.rollback, flag == "--uninstall" && flags.uninstall, r.Release == "" && slices.Contains(flags.agree, r.Check), flags.yes && !r.Asked:
		return true, nil
	case a.canAsk() && !flags.yes:
		return a.agree(ctx, "Apply it?")
	case r.Asked:
		fmt.Fprintf(a.Err, "  not done: it changes what runs. Do it with: cfwizard doctor --fix %s\n", flag)
	default:
		fmt.Fprintf(a.Err, "  not done: %s was not given\n", flag)
	}
	return false, nil
}

// agreement is the flag that stands for a yes to this repair.
func agreement(r check.Repair) string {
	switch {
	case !r.Asked:
		return "--yes"
	case r.Release == recovery.ActionRollBack:
		return "--rollback"
	case r.Release == recovery.ActionUninstall:
		return "--uninstall"
	}
	return "--agree " + r.Check
}

func (a *app) applyRepair(cmd *cobra.Command, gathered answers.Answers, r check.Repair) error {
	if r.Release != "" {
		where, err := a.engine.Recover(cmd.Context(), gathered, r, a.tellText(time.Now()))
		if where != "" {
			fmt.Fprintf(a.Err, "  what was there is kept, without secrets, in %s\n", where)
		}
		if err == nil {
			fmt.Fprintln(a.Err, "  done")
		}
		return err
	}
	record, err := a.engine.Repair(cmd.Context(), gathered, r)
	switch {
	case err != nil:
		return err
	case record.ID == "":
		fmt.Fprintln(a.Err, "  done")
	default:
		fmt.Fprintf(a.Err, "  applied; undo it with: cfwizard doctor --undo (%s)\n", record.ID)
	}
	return nil
}

func (a *app) showRepair(r check.Repair) {
	fmt.Fprintf(a.Err, "%s\n", text.Line(r.String()))
	for _, line := range r.Diff() {
		fmt.Fprintf(a.Err, "    %s\n", text.Line(line))
	}
	if command := r.Command(); command != "" {
		fmt.Fprintf(a.Err, "  as a command: %s\n", text.Line(command))
	}
	if r.Warning != "" {
		fmt.Fprintf(a.Err, "  %s\n", text.Line(r.Warning))
	}
}

// undoRepairs takes back what was applied to this cluster, the newest first.
func (a *app) undoRepairs(cmd *cobra.Command, gathered answers.Answers, flags doctorFlags) error {
	records, err := a.engine.Repairs(gathered)
	if err != nil {
		return err
	}
	if !flags.yes && !a.canAsk() && len(records) > 0 {
		return notConfirmed("changed", "--yes")
	}
	undone := []string{}
	for _, record := range records {
		back := record.Repair
		back.Before, back.After, back.Patch = back.After, back.Before, back.Undo
		a.showRepair(back)
		agreed := flags.yes
		if !agreed {
			if agreed, err = a.agree(cmd.Context(), "Take it back?"); err != nil {
				return err
			}
		}
		if !agreed {
			continue
		}
		if err := a.engine.TakeBack(cmd.Context(), gathered, record); err != nil {
			return err
		}
		undone = append(undone, record.ID)
	}
	if flags.output == "json" {
		return json.NewEncoder(a.Out).Encode(map[string]any{"undone": undone})
	}
	fmt.Fprintf(a.Out, "%s taken back.\n", text.Plural(len(undone), "repair"))
	return nil
}
