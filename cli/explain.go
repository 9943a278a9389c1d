package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

func (a *app) explainCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{Use: "explain [FIELD]", Short: "Explain an answers field", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				data, err := answers.Schema()
				fmt.Fprintf(a.Out, "%s\n", data)
				return err
			}
			if len(args) == 0 {
				for _, field := range answers.Fields {
					fmt.Fprintf(a.Out, "%-32s %s\n", field.Path, field.Title)
				}
				return nil
			}
			return a.explain(args[0])
		}}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the answers file, for editors")
	return cmd
}

func (a *app) explain(path string) error {
	field, found := answers.FieldAt(path)
	if !found {
		return unknownField(path)
	}
	fmt.Fprintf(a.Out, "%s: %s\n\n%s\n\n", field.Path, field.Title, field.Meaning)
	for _, line := range [][2]string{{"Default", field.Default()}, {"Example", field.Example}, {"Flag", field.Flag()}, {"Environment", field.Env()}, {"Helm value", field.HelmValue}} {
		if line[1] != "" {
			fmt.Fprintf(a.Out, "%-12s %s\n", line[0], line[1])
		}
	}
	for i, choice := range field.Choices {
		label := ""
		if i == 0 {
			label = "Values"
		}
		fmt.Fprintf(a.Out, "%-12s %-18s %s\n", label, choice.Value, choice.Meaning)
	}
	return nil
}

func unknownField(path string) error {
	var known, below []string
	for _, field := range answers.Fields {
		known = append(known, field.Path)
		if strings.HasPrefix(field.Path, path+".") {
			below = append(below, field.Path)
		}
	}
	fix := "See `cfwizard explain` for all fields."
	if near := answers.Nearest(path, known); near != "" {
		fix = "Did you mean " + near + "?"
	}
	if len(below) > 0 {
		fix = "It has the fields " + strings.Join(below, ", ") + "."
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "unknown-field", Field: path, What: "there is no such field", Fix: fix}
}
