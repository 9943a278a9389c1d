package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/ui"
)

// showChecklist shows the items, and ends well only when nothing is open of
// what counts. Where it was waited for, what still comes about has run out of
// time.
func (a *app) showChecklist(installed answers.Answers, items []checklist.Item, output string, open []checklist.Item, waited bool) error {
	switch output {
	case "json":
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(map[string]any{"ok": len(open) == 0, "items": items}); err != nil {
			return err
		}
	case "ticket":
		ticket, err := a.engine.Ticket(installed, items)
		if err != nil {
			return err
		}
		fmt.Fprint(a.Out, ticket)
	default:
		a.showItems(items)
	}
	if len(open) == 0 {
		return nil
	}
	var names []string
	for _, item := range open {
		names = append(names, item.ID+" ("+string(item.State)+")")
	}
	fmt.Fprintln(a.Err, "Still open: "+strings.Join(names, ", "))
	p := &problem.Problem{Kind: problem.InstallFailed, Cause: "checklist-open", What: "needed items are open: " + strings.Join(names, ", ")}
	if waited && checklist.AnyWaiting(open) {
		p.Kind, p.Cause = problem.TimedOut, "timed-out"
	}
	return alreadyTold{p}
}

// stateGlyphs stand beside the words, never instead of them.
var stateGlyphs = map[checklist.State]string{checklist.Done: "✓", checklist.ToDo: "○", checklist.Waiting: "●", checklist.Failed: "✗", checklist.NotNeeded: "–", checklist.Skipped: "–"}

// showItems lists what is done and what is left to do.
func (a *app) showItems(items []checklist.Item) {
	for _, item := range items {
		optional := ""
		if !item.Needed && item.State == checklist.ToDo {
			optional = "optional: "
		}
		fmt.Fprintf(a.Out, "  %s %-10s %-24s %s%s\n", stateGlyphs[item.State], item.State, item.Title, optional, text.Line(item.Detail))
		if item.State == checklist.Done || item.State == checklist.NotNeeded || item.State == checklist.Skipped {
			continue
		}
		for _, hint := range a.hints(item) {
			fmt.Fprintf(a.Out, "    %-10s %-24s %s\n", "", "", hint)
		}
	}
}

func (a *app) hints(item checklist.Item) []string {
	var hints []string
	if item.Fix != "" {
		hints = append(hints, text.Line(item.Fix))
	}
	if item.CanDo() {
		hints = append(hints, "cfwizard checklist --do "+item.ID)
	}
	if item.Link != "" {
		hints = append(hints, item.Link)
	}
	return hints
}

// progress tells on standard error what changed since the last look.
func (a *app) progress(wanted bool) func([]checklist.Item) {
	before := map[string]string{}
	return func(items []checklist.Item) {
		if !wanted {
			return
		}
		for _, item := range items {
			now := string(item.State) + ": " + item.Detail
			if before[item.ID] != now && (item.State == checklist.Waiting || before[item.ID] != "") {
				fmt.Fprintf(a.Err, "%s %s, %s\n", stateGlyphs[item.State], item.Title, text.Line(now))
			}
			before[item.ID] = now
		}
	}
}

// closing is what remains on the terminal of a finished sitting, fit for a
// ticket. Where the cluster does not answer any more, the items have to do.
func (a *app) closing(o ui.Outcome) error {
	ticket, err := a.engine.Ticket(o.Session.Answers, o.Items)
	if err != nil {
		fmt.Fprintf(a.Out, "%s is installed in namespace %s.\n", o.Session.Answers.Runtime.Name, o.Session.Answers.Runtime.Namespace)
		a.showItems(o.Items)
		return nil
	}
	fmt.Fprint(a.Out, ticket)
	return nil
}
