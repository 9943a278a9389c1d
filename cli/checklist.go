package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func (a *app) checklistCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{Use: "checklist [-f FILE]", Short: "The completion checklist of an installed runtime, each item verified now", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "table" && output != "json" {
				return unknownOutput(output, "table, json")
			}
			gathered, err := a.gather(cmd, answers.Default())
			if err != nil {
				return err
			}
			items, err := a.engine.Checklist(cmd.Context(), gathered)
			if err != nil {
				return err
			}
			return a.showChecklist(items, output)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	return cmd
}

// showChecklist ends well only when every needed item is verified.
func (a *app) showChecklist(items []checklist.Item, output string) error {
	var open []string
	for _, item := range items {
		if item.Needed && item.State != checklist.Done && item.State != checklist.NotNeeded {
			open = append(open, item.ID+" ("+string(item.State)+")")
		}
	}
	if output == "json" {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(map[string]any{"ok": len(open) == 0, "items": items}); err != nil {
			return err
		}
	} else {
		a.showItems(items)
	}
	if len(open) == 0 {
		return nil
	}
	fmt.Fprintln(a.Err, "Still open: "+strings.Join(open, ", "))
	return alreadyTold{&problem.Problem{Kind: problem.InstallFailed, Cause: "checklist-open", What: "needed items are open: " + strings.Join(open, ", ")}}
}
