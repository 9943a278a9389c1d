package access

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Change is what must change about a controller, said in each owner's way.
type Change struct {
	Repair check.Repair
	// Values are the settings of the controller's Helm chart that do the same.
	Values map[string]string
	Chart  Chart
	// Custom is the command that changes the operator's own object.
	Custom string
}

// forOwner prints the owner's own change.
func (c Change) forOwner(o facts.Owner) string {
	switch o.Kind {
	case facts.HelmOwner:
		return c.helmCommand(o)
	case facts.ArgoCDOwner:
		return fmt.Sprintf("Change it in Git, where Argo CD's Application %s reads it; a change in the cluster would be reverted. %s", o.Name, c.settings())
	case facts.FluxOwner:
		return fmt.Sprintf("Change it in Git, where Flux reads %s; a change in the cluster would be reverted. %s", facts.Name{Namespace: o.Namespace, Name: o.Name}, c.settings())
	case facts.K3sOwner:
		return "Apply a HelmChartConfig, which k3s adds to its own values:\n" + c.helmChartConfig(o)
	}
	if c.Custom != "" {
		return c.Custom
	}
	return fmt.Sprintf("It belongs to %s, which would revert a change: make it there. What to change: %s.", o, c.Repair.Title)
}

func (c Change) helmCommand(o facts.Owner) string {
	if len(c.Values) == 0 {
		return fmt.Sprintf("Change it in the Helm release %s of namespace %s: %s", o.Name, o.Namespace, c.Repair.Title)
	}
	words := []string{"helm upgrade", text.Quote(o.Name), c.Chart.Name}
	if c.Chart.Repository != "" {
		words = append(words, "--repo", c.Chart.Repository)
	}
	words = append(words, "--namespace", text.Quote(o.Namespace))
	if version := chartVersion(o.Chart); version != "" {
		words = append(words, "--version", text.Quote(version))
	}
	words = append(words, "--reuse-values")
	for _, key := range slices.Sorted(maps.Keys(c.Values)) {
		words = append(words, "--set", text.Quote(key+"="+strings.ReplaceAll(c.Values[key], ",", `\,`)))
	}
	return strings.Join(words, " ")
}

// chartVersion is what follows the name in the label helm.sh/chart.
func chartVersion(label string) string {
	for i := 0; i+1 < len(label); i++ {
		if label[i] == '-' && label[i+1] >= '0' && label[i+1] <= '9' {
			return strings.ReplaceAll(label[i+1:], "_", "+")
		}
	}
	return ""
}

func (c Change) settings() string {
	if len(c.Values) == 0 {
		return "What to change: " + c.Repair.Title + "."
	}
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(c.Values)) {
		settings = append(settings, key+"="+c.Values[key])
	}
	return "Its chart's values: " + strings.Join(settings, ", ") + "; or: " + c.Repair.Title + "."
}

// helmChartConfig is the manifest that k3s and RKE2 merge into their charts.
func (c Change) helmChartConfig(o facts.Owner) string {
	return "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: " + cmp.Or(o.Name, c.Chart.Name) +
		", namespace: kube-system}\nspec:\n  valuesContent: |-\n    " + strings.Join(yamlLines(c.Values), "\n    ")
}

// setArgs changes a container's arguments, one by one: the list itself cannot
// be merged. The tests in the patch refuse a workload that has changed since.
func setArgs(w facts.Workload, container int, title string, args []string) check.Repair {
	path := fmt.Sprintf("/spec/template/spec/containers/%d", container)
	was := w.Containers[container]
	named := check.Operation{Op: "test", Path: path + "/name", Value: was.Name}
	before, after := nonNil(was.Args), nonNil(args)
	return check.Repair{Title: title, Group: "apps", Version: "v1", Resource: strings.ToLower(w.Kind) + "s",
		Namespace: w.Namespace, Name: w.Meta.Name.Name, Before: before, After: after, Warning: "Its pods restart one after another.",
		Patch: append([]check.Operation{named}, check.Turn(path+"/args", before, after)...),
		Undo:  append([]check.Operation{named}, check.Turn(path+"/args", after, before)...)}
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return slices.Clone(list)
}
