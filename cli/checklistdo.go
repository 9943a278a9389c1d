package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// doItem shows what the item would do, asks, does it, and ends well only when
// its effect is verified.
func (a *app) doItem(cmd *cobra.Command, installed answers.Answers, flags checklistFlags) error {
	items, err := a.look(cmd.Context(), installed)
	if err != nil {
		return err
	}
	item, found := checklist.ByID(items, flags.do)
	if !found {
		return &problem.Problem{Kind: problem.Invalid, Cause: "item-not-there", Field: "--do", What: "this runtime's checklist has no item " + flags.do, Fix: "See which it has: cfwizard checklist"}
	}
	if item.State == checklist.Done || item.State == checklist.NotNeeded {
		fmt.Fprintf(a.Err, "Nothing to do: %s is %s.\n", item.Title, item.State)
		return a.showChecklist(installed, items, flags.output, nil, false)
	}
	given, err := givenFor(item, installed, flags.set)
	if err != nil {
		return err
	}
	item.Preview = item.PreviewWith(given)
	a.previewItem(item)
	if !item.CanDo() {
		return &problem.Problem{Kind: problem.Invalid, Cause: "item-by-hand", Field: "--do", What: item.Title + " is " + string(item.State) + ", and a person has to do it", Fix: byHand(item)}
	}
	if err := a.confirm(cmd.Context(), flags.yes, "Do it?", "changed"); err != nil {
		return err
	}
	told, err := a.engine.DoItem(cmd.Context(), installed, item.ID, given)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "%s.\n", text.Line(told))
	return a.afterDoing(cmd, installed, item, flags)
}

// settling is how long an item may look as if nothing had been done.
const settling = 15 * time.Second

// afterDoing waits for the effect of what was done: while the item is waiting,
// and for a little while it looks as before.
func (a *app) afterDoing(cmd *cobra.Command, installed answers.Answers, before checklist.Item, flags checklistFlags) error {
	if !cmd.Flags().Changed("wait") {
		flags.wait = effectWait
	}
	itself := func(items []checklist.Item) []checklist.Item {
		item, found := checklist.ByID(items, flags.do)
		if !found || item.State == checklist.Done || item.State == checklist.NotNeeded {
			return nil
		}
		return []checklist.Item{item}
	}
	began := time.Now()
	items, err := checklist.Await(cmd.Context(), a.patience(installed, flags, func(items []checklist.Item) bool {
		open := itself(items)
		unchanged := len(open) > 0 && open[0].State == before.State && open[0].Detail == before.Detail
		return checklist.AnyWaiting(open) || unchanged && time.Since(began) < settling
	}))
	if err != nil {
		return err
	}
	return a.showChecklist(installed, items, flags.output, itself(items), flags.wait > 0)
}

func byHand(item checklist.Item) string {
	switch {
	case item.Fix != "":
		return item.Fix
	case item.Command != "":
		return "Run: " + item.Command
	case item.Link != "":
		return "Open: " + item.Link
	}
	return "Look again in a moment: cfwizard checklist --wait 10m"
}

// previewItem shows what would be done, before anybody is asked.
func (a *app) previewItem(item checklist.Item) {
	fmt.Fprintf(a.Err, "%s: %s\n", item.Title, text.Line(item.Detail))
	if item.Does != "" {
		fmt.Fprintf(a.Err, "  It %s.\n", text.Line(item.Does))
	}
	for _, line := range item.Preview {
		fmt.Fprintf(a.Err, "    %s\n", text.Block(line))
	}
	if item.Warning != "" {
		fmt.Fprintf(a.Err, "  ! warning: %s\n", text.Line(item.Warning))
	}
}
