package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// checklistFlags are what the command can be told.
type checklistFlags struct {
	output, release  string
	do, skip, unskip string
	set              []string
	yes              bool
	wait, every      time.Duration
}

// After an item was done, its effect is waited for this long unless said
// otherwise.
const effectWait = time.Minute

func (a *app) checklistCommand() *cobra.Command {
	var flags checklistFlags
	cmd := &cobra.Command{Use: "checklist", Short: "The completion checklist of an installed runtime, each item verified now", Args: cobra.NoArgs,
		Long: "The completion checklist of a runtime that Helm installed, by this program or not, each item verified now.\n" +
			"Without -f, -n and --release, the only runtime of the cluster is meant. Ends with 0 only when every needed item is verified, else with 5,\n" +
			"or with 6 when --wait ran out for one that comes about by itself.",
		Example: "  cfwizard checklist\n  cfwizard checklist --wait 10m\n  cfwizard checklist --do git-user-token --git.userToken env:GIT_TOKEN --yes\n" +
			"  cfwizard checklist --do git-source --set repo=https://github.com/acme/apps.git --set path=prod --yes\n  cfwizard checklist --skip argo-application",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runChecklist(cmd, flags) }}
	a.inputs.addTo(cmd)
	f := cmd.Flags()
	f.StringVarP(&flags.output, "output", "o", "table", "table, json or ticket")
	f.StringVar(&flags.release, "release", "", "the Helm release of the runtime")
	f.StringVar(&flags.do, "do", "", "do this item, after showing what it would do")
	f.StringArrayVar(&flags.set, "set", nil, "NAME=VALUE: what the item that is done must be told")
	f.BoolVar(&flags.yes, "yes", false, "do it without asking")
	f.StringVar(&flags.skip, "skip", "", "skip this item, for everyone who looks at this runtime")
	f.StringVar(&flags.unskip, "unskip", "", "take a skip back")
	f.DurationVar(&flags.wait, "wait", 0, "wait this long for items that come about by themselves")
	f.DurationVar(&flags.every, "every", 3*time.Second, "how often to look while waiting")
	return cmd
}

func (a *app) runChecklist(cmd *cobra.Command, flags checklistFlags) error {
	if flags.output != "table" && flags.output != "json" && flags.output != "ticket" {
		return unknownOutput(flags.output, "table, json, ticket")
	}
	for _, id := range []string{flags.do, flags.skip, flags.unskip} {
		if id == "" {
			continue
		}
		if err := checklist.Known(id); err != nil {
			return err
		}
	}
	installed, err := a.installed(cmd, flags.release)
	if err != nil {
		return err
	}
	for id, choice := range map[string]string{flags.skip: checklist.ChoiceSkipped, flags.unskip: checklist.ChoiceNone} {
		if id == "" {
			continue
		}
		if err := a.engine.ChooseItem(cmd.Context(), installed, id, choice); err != nil {
			return err
		}
	}
	if flags.do != "" {
		return a.doItem(cmd, installed, flags)
	}
	items, err := checklist.Await(cmd.Context(), a.patience(installed, flags, checklist.NeededWaiting))
	if err != nil {
		return err
	}
	return a.showChecklist(installed, items, flags.output, checklist.Open(items), flags.wait > 0)
}

// patience is how the flags say to wait, with progress on standard error.
func (a *app) patience(installed answers.Answers, flags checklistFlags, still func([]checklist.Item) bool) checklist.Wait {
	return checklist.Wait{Every: flags.every, Bound: flags.wait, For: still, Tell: a.progress(flags.wait > 0),
		Look: func(ctx context.Context) ([]checklist.Item, error) { return a.look(ctx, installed) }}
}

// look verifies the items now. A look that was broken off shows nothing.
func (a *app) look(ctx context.Context, installed answers.Answers) ([]checklist.Item, error) {
	items, err := a.engine.Checklist(ctx, installed)
	if err == nil {
		err = ctx.Err()
	}
	return items, err
}

// installed are the answers of the runtime that is meant: those of a file, or
// else what the cluster knows, and over them what flags and environment say.
func (a *app) installed(cmd *cobra.Command, release string) (answers.Answers, error) {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil || a.inputs.file != "" || a.inputs.fromValues != "" {
		if release != "" {
			gathered.Runtime.Release = release
		}
		return gathered, err
	}
	if release == "" {
		release = a.wanted(cmd, "runtime.release")
	}
	found, err := a.engine.AnswersOf(cmd.Context(), gathered.Cluster, a.wanted(cmd, "runtime.namespace"), release)
	if err != nil {
		return gathered, err
	}
	return a.gather(cmd, found)
}

// given reads NAME=VALUE of the flag --set, and the answers that an item wants.
func givenFor(item checklist.Item, installed answers.Answers, set []string) (checklist.Given, error) {
	given := checklist.Given{}
	for _, input := range item.Inputs {
		if !input.Secret {
			given[input.Name] = cmp.Or(installed.Get(input.Name), input.Default)
		}
	}
	for _, each := range set {
		name, value, found := strings.Cut(each, "=")
		if !found || name == "" {
			return nil, &problem.Problem{Kind: problem.Invalid, Cause: "usage", Field: "--set", What: "this is not NAME=VALUE", Fix: "Write it so: --set name=apps"}
		}
		given[name] = value
	}
	return given, nil
}
