package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// upgradeFlags are what is agreed to.
type upgradeFlags struct {
	output         string
	yes, downgrade bool
}

func (a *app) upgradeCommand() *cobra.Command {
	var flags upgradeFlags
	cmd := &cobra.Command{Use: "upgrade [--chart-version V] [-f FILE]", Short: "Bring a runtime to another chart version and keep its values", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.output != "text" && flags.output != "json" {
				return unknownOutput(flags.output, "text, json")
			}
			return a.toldAsJSON(cmd.Context(), a.upgrade(cmd, flags), flags.output)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&flags.yes, "yes", false, "upgrade without asking")
	cmd.Flags().BoolVar(&flags.downgrade, "allow-downgrade", false, "also to an older chart version")
	return cmd
}

// previewUpgrade gathers twice: first to find the release, then over what the
// release says.
func (a *app) previewUpgrade(cmd *cobra.Command) (installer.Upgrade, error) {
	named, err := a.gather(cmd, answers.Default())
	if err != nil {
		return installer.Upgrade{}, err
	}
	installed, err := a.engine.Installed(cmd.Context(), named)
	if err != nil {
		return installer.Upgrade{}, err
	}
	given, err := a.gather(cmd, installed.Answers)
	if err != nil {
		return installer.Upgrade{}, err
	}
	return a.engine.PreviewUpgrade(cmd.Context(), installed, given)
}

func (a *app) upgrade(cmd *cobra.Command, flags upgradeFlags) error {
	u, err := a.previewUpgrade(cmd)
	if err != nil {
		return a.withPlaces(cmd, err)
	}
	if u.Nothing() {
		words := fmt.Sprintf("Release %s is at chart %s already: there is nothing to do", u.Release, u.From)
		if flags.output == "json" {
			return a.doneJSON(nil, words)
		}
		fmt.Fprintln(a.Out, words+".")
		return nil
	}
	a.showUpgrade(u, flags.output)
	if u.Downgrade() && !flags.downgrade {
		return &problem.Problem{Kind: problem.Invalid, Cause: "downgrade", Field: "runtime.version", What: fmt.Sprintf("chart %s is older than %s, which is installed", u.To, u.From),
			Why: "What the newer version wrote, the older one may not understand.", Fix: "Choose a newer one with --chart-version, or add --allow-downgrade. A failed upgrade is taken back by cfwizard doctor --fix."}
	}
	if err := a.confirm(cmd.Context(), flags.yes, "Upgrade it?", "changed"); err != nil {
		return err
	}
	return a.runUpgrade(cmd, u, flags)
}

func (a *app) runUpgrade(cmd *cobra.Command, u installer.Upgrade, flags upgradeFlags) error {
	began := time.Now()
	tell := a.tellText(began)
	if flags.output == "json" {
		tell = a.tellJSON
	}
	result, err := a.engine.Upgrade(cmd.Context(), u, tell)
	if err = a.cutOff(cmd.Context(), err); err != nil {
		if problem.KindOf(err) != problem.Interrupted {
			fmt.Fprintf(a.Err, "What runs is in between. Mend the cause and run cfwizard upgrade again, or go back to chart %s: cfwizard doctor --fix\n", u.From)
		}
		return a.installFailed(cmd, u.Plan, err)
	}
	words := fmt.Sprintf("Release %s, revision %d: chart %s → %s in %s", result.Release, result.Revision, u.From, result.Version, time.Since(began).Round(time.Second))
	if flags.output == "json" {
		return a.doneJSON(nil, words)
	}
	fmt.Fprintln(a.Out, words+".")
	return nil
}

// showUpgrade says from where to where, and what becomes of which objects.
func (a *app) showUpgrade(u installer.Upgrade, output string) {
	if output == "json" {
		_ = json.NewEncoder(a.Out).Encode(map[string]any{"time": time.Now(), "type": "preview", "upgrade": u})
		return
	}
	fmt.Fprintf(a.Err, "Release %s in namespace %s, revision %d, %s: chart %s → %s\n", u.Release, u.Namespace, u.Revision, u.Status, u.From, u.To)
	a.showObjects("+ added", u.Changes.Added)
	a.showObjects("~ changed", u.Changes.Changed)
	a.showObjects("- removed", u.Changes.Removed)
	a.showObjects("~ hooks", u.Changes.Hooks)
	if u.Changes.Relabelled > 0 {
		fmt.Fprintf(a.Err, "  ~ relabelled %d: only the labels of the chart's version\n", u.Changes.Relabelled)
	}
	if len(u.Changes.CRDs) > 0 {
		fmt.Fprintf(a.Err, "  ~ CRDs %d: %s\n", len(u.Changes.CRDs), text.Line(strings.Join(u.Changes.CRDs, ", ")))
	}
	if len(u.Changes.LeftCRDs) > 0 {
		fmt.Fprintf(a.Err, "  · CRDs that Helm leaves as they are: %s\n", text.Line(strings.Join(u.Changes.LeftCRDs, ", ")))
	}
	if len(u.Values) > 0 {
		fmt.Fprintf(a.Err, "  ~ values %d: %s\n", len(u.Values), text.Line(strings.Join(u.Values, ", ")))
	}
}

func (a *app) showObjects(what string, objects []release.Object) {
	if len(objects) == 0 {
		return
	}
	var names []string
	for _, o := range objects {
		names = append(names, o.Kind+" "+o.Name)
	}
	fmt.Fprintf(a.Err, "  %s %d: %s\n", what, len(objects), text.Line(strings.Join(names, ", ")))
}
