package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/removal"
	"github.com/cfwizard/cfwizard/installer/text"
)

// uninstallFlags are what is agreed to.
type uninstallFlags struct {
	output string
	yes    bool
	removal.Options
}

func (a *app) uninstallCommand() *cobra.Command {
	var flags uninstallFlags
	cmd := &cobra.Command{Use: "uninstall", Short: "Remove a runtime that Helm manages, whoever installed it", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.output != "text" && flags.output != "json" {
				return unknownOutput(flags.output, "text, json")
			}
			return a.toldAsJSON(cmd.Context(), a.uninstall(cmd, flags), flags.output)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&flags.yes, "yes", false, "remove what is shown without asking")
	cmd.Flags().BoolVar(&flags.CRDs, "crds", false, "also the CRDs that the chart keeps, with all their resources")
	cmd.Flags().BoolVar(&flags.Namespace, "delete-namespace", false, "also the namespace, if nothing else is in it")
	cmd.Flags().BoolVar(&flags.Record, "platform", false, "also the runtime's record in Codefresh")
	return cmd
}

// uninstall shows what would go, asks, and removes it.
func (a *app) uninstall(cmd *cobra.Command, flags uninstallFlags) error {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return err
	}
	found, err := a.engine.PreviewUninstall(cmd.Context(), gathered)
	if err != nil {
		return err
	}
	found.Named = a.names(cmd, "runtime.name")
	checks := append([]check.Check{}, found.Checks(flags.Options)...)
	if found.Nothing(flags.Options) && check.Worst(checks) != check.Fail {
		return a.nothingToRemove(found, flags)
	}
	a.showRemoval(found, flags, checks)
	if err := verdict(checks, false); err != nil {
		return a.endedByChecks(err, flags.output)
	}
	if err := a.confirm(cmd.Context(), flags.yes, "Remove it?", "removed"); err != nil {
		return err
	}
	if !flags.yes && found.Record == installer.RecordThere && !flags.Record {
		if flags.Record, err = a.agree(cmd.Context(), "Remove the runtime's record in Codefresh too?"); err != nil {
			return err
		}
	}
	tell := a.tellText(time.Now())
	if flags.output == "json" {
		tell = a.tellJSON
	}
	found.Record, err = a.engine.Uninstall(cmd.Context(), found, flags.Options, tell)
	return a.endRemoval(found, flags, err)
}

func (a *app) nothingToRemove(found installer.Removal, flags uninstallFlags) error {
	words := fmt.Sprintf("There is nothing to remove: Helm knows no release %s in namespace %s", found.Release, found.Namespace)
	if flags.output == "json" {
		return a.doneJSON(nil, words)
	}
	fmt.Fprintln(a.Out, words+".")
	if found.Record == installer.RecordThere {
		fmt.Fprintf(a.Err, "Codefresh still knows a runtime %s: add --platform, or delete it at %s\n", text.Line(found.Runtime), text.Line(found.Link))
	}
	return nil
}

// endedByChecks ends the lines of JSON; the checks themselves were shown.
func (a *app) endedByChecks(err error, output string) error {
	if output == "json" {
		_ = a.doneJSON(err, "checks failed; nothing was removed")
	}
	return err
}

// endRemoval says what came of it, and what of it is still elsewhere.
func (a *app) endRemoval(found installer.Removal, flags uninstallFlags, err error) error {
	words := fmt.Sprintf("Release %s is removed from namespace %s; nothing that was to go is left.", found.Release, found.Namespace)
	switch {
	case found.Record == installer.RecordThere:
		words += fmt.Sprintf(" Codefresh still lists the runtime %s: delete it with cfwizard uninstall --platform, or at %s", found.Runtime, found.Link)
	case found.Record == installer.RecordUnknown:
		words += fmt.Sprintf(" Codefresh could not be asked about the runtime %s: look at %s", found.Runtime, found.Link)
	}
	switch {
	case err != nil:
		return err
	case flags.output == "json":
		return a.doneJSON(nil, words)
	}
	fmt.Fprintln(a.Out, text.Line(words))
	return nil
}

// showRemoval lists what goes, what stays and what is in the way.
func (a *app) showRemoval(found installer.Removal, flags uninstallFlags, checks []check.Check) {
	if flags.output == "json" {
		_ = json.NewEncoder(a.Out).Encode(map[string]any{"time": time.Now(), "type": "preview", "removal": found, "checks": checks})
		return
	}
	if found.Status != "" {
		fmt.Fprintf(a.Err, "Release %s in namespace %s: revision %d, chart %s, %s\n", found.Release, found.Namespace, found.Revision, text.Line(found.Version), text.Line(found.Status))
	}
	stays := []cluster.Found{}
	a.showGone("objects of the release", found.Objects)
	a.showGone("left by hooks", found.Leftovers)
	a.showGone("made by cfwizard", found.Ours)
	a.showGone("made by the runtime", found.Made)
	if flags.CRDs {
		a.showGone("kept by the chart", found.Kept)
	} else {
		stays = found.Kept
	}
	record := "runtime " + text.Line(found.Runtime) + " in Codefresh"
	if flags.Namespace {
		fmt.Fprintf(a.Err, "  - goes   namespace %s\n", found.Namespace)
	} else {
		fmt.Fprintf(a.Err, "  · stays  namespace %s (--delete-namespace)\n", found.Namespace)
	}
	if len(stays) > 0 {
		fmt.Fprintf(a.Err, "  · stays  %s (--crds)\n", kindsOf(stays))
	}
	switch {
	case found.Record == installer.RecordThere && flags.Record:
		fmt.Fprintf(a.Err, "  - goes   %s\n", record)
	case found.Record == installer.RecordThere:
		fmt.Fprintf(a.Err, "  · stays  %s (--platform)\n", record)
	case found.Record == installer.RecordUnknown:
		fmt.Fprintf(a.Err, "  ? %s: not known. %s\n", record, text.Line(found.Unasked))
	}
	if n := len(found.Applications); n > 0 {
		fmt.Fprintf(a.Err, "  ~ %s of the runtime itself lose their finalizers, as the chart's own hook does\n", text.Plural(n, "Application"))
	}
	for _, c := range checks {
		a.showCheck(a.Err, c)
	}
}

func (a *app) showGone(what string, objects []cluster.Found) {
	if len(objects) > 0 {
		fmt.Fprintf(a.Err, "  - goes   %s: %s\n", what, kindsOf(objects))
	}
}

// kindsOf counts objects by kind, and names them where they are few.
func kindsOf(objects []cluster.Found) string {
	if len(objects) <= 6 {
		return text.Line(strings.Join(cluster.Names(objects), ", "))
	}
	counts := map[string]int{}
	for _, o := range objects {
		counts[o.Kind]++
	}
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%d %s", counts[kind], text.Line(kind)))
	}
	return fmt.Sprintf("%d (%s)", len(objects), strings.Join(words, ", "))
}
