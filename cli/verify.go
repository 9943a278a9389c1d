package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// verify looks at what makes the installed runtime usable. What comes about by
// itself or is left to a person is only told; a runtime that cannot come online
// is a failure.
func (a *app) verify(cmd *cobra.Command, installed answers.Answers, output string) error {
	items, err := a.look(cmd.Context(), installed)
	if err != nil {
		return unverified(err)
	}
	if output == "json" {
		a.tellItems(items)
	} else {
		a.showItems(items)
	}
	if err := notOnline(items); err != nil {
		return err
	}
	if output == "json" {
		return a.doneJSON(nil, "release "+installed.Runtime.Release+" is deployed")
	}
	return nil
}

var itemStates = map[checklist.State]release.State{checklist.Done: release.Ready, checklist.ToDo: release.Ahead, checklist.Waiting: release.Waiting,
	checklist.Failed: release.Failed, checklist.NotNeeded: release.Skipped, checklist.Skipped: release.Skipped}

// tellItems tells each item as a line of JSON.
func (a *app) tellItems(items []checklist.Item) {
	for _, item := range items {
		a.tellJSON(release.Event{Time: time.Now(), Type: release.CheckEvent, Phase: release.Verify, State: itemStates[item.State],
			Message: text.Line(item.ID + ": " + item.Title + ": " + item.Detail)})
	}
}

// unverified is for an install of which nothing more can be seen.
func unverified(err error) error {
	first := *problem.All(err)[0]
	first.What = "the release is deployed, but it could not be verified: " + first.What
	first.Fix = strings.TrimSpace(first.Fix + " Then look: cfwizard checklist")
	return &first
}

// notOnline is what keeps a deployed runtime from ever coming online.
func notOnline(items []checklist.Item) error {
	online, _ := checklist.ByID(items, checklist.Online)
	if online.State != checklist.Failed {
		return nil
	}
	fix := online.Fix
	if fix == "" {
		fix = "See what keeps it: cfwizard doctor"
	}
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "not-online", What: "the release is deployed, but the runtime is not online", Why: online.Detail, Fix: fix}
}
