package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

func (a *app) runWizard(cmd *cobra.Command) error {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return err
	}
	if !a.canSit() {
		return a.cannotAsk(cmd.Context(), gathered)
	}
	store, err := session.DefaultStore()
	if err != nil {
		return err
	}
	return a.sit(cmd, &sitting{store: store}, session.New(gathered, time.Now()), false)
}

// cannotAsk says which answers are missing when nobody can be asked.
func (a *app) cannotAsk(ctx context.Context, gathered answers.Answers) error {
	list := problem.List{{Kind: problem.Invalid, Cause: "no-terminal", What: "there is no terminal to ask in",
		Why: "Standard input, output and error must be terminals for the wizard.",
		Fix: "Write an answers file and run `cfwizard install -f FILE --yes`."}}
	if _, err := a.engine.Plan(ctx, gathered, true); err != nil {
		list = append(list, problem.All(err)...)
	}
	return list
}

// sit runs the wizard on a session and shows what came of it.
func (a *app) sit(cmd *cobra.Command, held *sitting, s session.Session, resume bool) error {
	sources, err := a.engine.Sources(cmd.Context(), s.Answers, true)
	if err != nil {
		return err
	}
	if err := held.hold(s.ID); err != nil {
		return err
	}
	a.goesOnWith(s)
	defer held.release()
	saved := held.others(s.ID)
	ctx, cancel := context.WithCancel(context.WithoutCancel(cmd.Context()))
	defer cancel()
	deps := ui.Deps{
		Engine: &a.engine, Session: s, Sources: sources, Save: held.store.Save, Write: writeNew, DryRun: a.inputs.dryRun, Resume: resume, Now: time.Now,
		Earlier: steps.Earlier(answersOf(saved)),
	}
	if !resume && !a.cameWithAnswers(cmd) {
		deps.Saved, deps.Open, deps.Read = unfinished(saved), a.opens(cmd, held), a.reads(cmd)
	}
	if a.plainly() {
		return a.ending(a.sitPlainly(ctx, deps))
	}
	outcome, err := ui.Run(ctx, deps, ui.Terminal{In: a.In, Out: a.Err, Renderer: ui.NewRenderer(a.Err, a.Getenv), Ended: cmd.Context().Done()})
	var crash *ui.Crash
	if errors.As(err, &crash) {
		return a.crashed(crash, "Your answers are saved. Go on with `cfwizard resume "+outcome.Session.ID+"`, and report the file.")
	}
	if err != nil {
		return &problem.Problem{Kind: problem.Internal, Cause: "screen-broke", What: "the screen broke", Why: err.Error(),
			Fix: "Your answers are saved. Go on with `cfwizard resume " + outcome.Session.ID + "`.", Err: err}
	}
	return a.ending(outcome)
}

// ending says on the given-back terminal how the sitting ended.
func (a *app) ending(o ui.Outcome) error {
	if o.Unsaved != nil {
		a.showProblems(o.Unsaved)
	}
	switch o.Ending {
	case ui.Printed:
		return a.printCommand(o.Plan)
	case ui.Finished:
		return a.closing(o)
	}
	if o.Err != nil {
		a.showProblems(o.Err)
		a.reportCrashIn(o.Err)
	}
	if o.Ending == ui.Detached {
		return a.detached(o)
	}
	switch {
	case o.Untouched:
		fmt.Fprintln(a.Err, "Nothing was begun. Go on with an earlier session: cfwizard resume")
	case o.Unsaved == nil:
		fmt.Fprintf(a.Err, "Saved. Go on with: cfwizard resume %s\n", o.Session.ID)
	}
	switch {
	case o.Err != nil:
		return alreadyTold{o.Err}
	case o.Ending == ui.Interrupted:
		return alreadyTold{&problem.Problem{Kind: problem.Interrupted, Cause: "interrupted", What: "interrupted"}}
	}
	return nil
}

// printCommand ends a dry run with what would run.
func (a *app) printCommand(built plan.Plan) error {
	script, err := built.Command()
	if err != nil {
		return err
	}
	_, err = a.Out.Write(script)
	return err
}

// detached says what goes on without us, and how to come back to it.
func (a *app) detached(o ui.Outcome) error {
	fmt.Fprintf(a.Err, "Detached. What was applied goes on in the cluster, in namespace %s; nothing more is applied until you come back.\n", o.Session.Answers.Runtime.Namespace)
	fmt.Fprintf(a.Err, "Come back to it with: cfwizard resume %s\n", o.Session.ID)
	return alreadyTold{&problem.Problem{Kind: problem.Interrupted, Cause: "detached", What: "detached"}}
}

// writeNew writes a file that is not there yet: a taken name gets a number.
func writeNew(name string, data []byte) (string, error) {
	extension := filepath.Ext(name)
	for number := 1; number < 1000; number++ {
		chosen := name
		if number > 1 {
			chosen = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), number, extension)
		}
		file, err := os.OpenFile(chosen, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(data)
		return chosen, errors.Join(err, file.Close())
	}
	return "", errors.New("there are a thousand files of that name")
}
