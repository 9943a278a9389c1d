package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// useContext takes the platform's address and the API key from a context of
// the Codefresh CLI's own file, which is only read. What is given otherwise
// wins for the address; the key stays in memory.
func (a *app) useContext(cmd *cobra.Command, gathered answers.Answers) (answers.Answers, error) {
	name := a.inputs.cfContext
	if name == "" {
		return gathered, nil
	}
	path, err := platform.DefaultContextsPath()
	if err != nil {
		return gathered, err
	}
	contexts, err := platform.Contexts(path)
	if err != nil {
		return gathered, err
	}
	var names []string
	for _, c := range contexts {
		names = append(names, c.Name)
		if c.Name != name {
			continue
		}
		a.engine.KeepSecret("codefresh.apiKey", c.Key)
		if field, _ := answers.FieldAt("codefresh.url"); c.URL != "" && gathered.Codefresh.URL == answers.Default().Codefresh.URL {
			if _, source := a.given(cmd, field); source == "" {
				gathered.Codefresh.URL = c.URL
			}
		}
		return gathered, nil
	}
	fix := "It has: " + strings.Join(names, ", ") + "."
	if len(names) == 0 {
		fix = "Create one with `cf config create-context`, or give the key otherwise."
	}
	return gathered, &problem.Problem{Kind: problem.Invalid, Cause: "unknown-context", Field: "--cf-context", What: "there is no context " + name + " in " + path, Fix: fix}
}
