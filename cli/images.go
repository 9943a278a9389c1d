package cli

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func (a *app) imagesCommand() *cobra.Command {
	var output, registry string
	cmd := &cobra.Command{Use: "images --registry R", Short: "List the chart's images, and the values that move every one to another registry", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "list" && output != "csv" && output != "values" {
				return unknownOutput(output, "list, csv, values")
			}
			gathered, err := a.gather(cmd, answers.Default())
			if err != nil {
				return err
			}
			if registry == "" {
				registry = gathered.Images.Registry
			}
			if registry == "" && output != "list" {
				return &problem.Problem{Kind: problem.Invalid, Cause: "usage", Field: "--registry", What: "it is needed for " + output, Fix: "Name the registry, such as registry.example.com/mirror."}
			}
			found, err := a.engine.Images(cmd.Context(), gathered, registry)
			if err != nil {
				return a.withPlaces(cmd, err)
			}
			return a.showImages(found, registry, output)
		}}
	a.inputs.addTo(cmd)
	cmd.Flags().StringVar(&registry, "registry", "", "the registry to move them to, with a path if need be")
	cmd.Flags().StringVarP(&output, "output", "o", "list", "list, csv (source,target) or values")
	return cmd
}

// showImages ends badly when an image would stay where it is.
func (a *app) showImages(found installer.Images, registry, output string) error {
	switch output {
	case "list":
		for _, image := range found.Images {
			fmt.Fprintln(a.Out, image.Source)
		}
	case "csv":
		lines := csv.NewWriter(a.Out)
		for _, image := range found.Images {
			_ = lines.Write([]string{image.Source, image.Target})
		}
		lines.Flush()
		if err := lines.Error(); err != nil {
			return err
		}
	case "values":
		values, err := yaml.Marshal(found.Values)
		if err != nil {
			return err
		}
		if _, err := a.Out.Write(values); err != nil {
			return err
		}
	}
	if len(found.Outside) == 0 {
		return nil
	}
	return &problem.Problem{Kind: problem.CheckFailed, Cause: "images-outside", Field: "images.registry", What: fmt.Sprintf("%d images stay outside %s", len(found.Outside), registry),
		Why: "No value of the chart names them: " + strings.Join(found.Outside, ", ") + ".", Fix: "Let the nodes' container runtime mirror those registries."}
}
