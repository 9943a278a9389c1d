package plan

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Form is a way to print a plan.
type Form struct {
	Name    string
	Meaning string
	print   func(Plan) ([]byte, error)
}

// Forms are the ways there are.
var Forms = []Form{
	{"command", "a shell script with kubectl and helm", Plan.Command},
	{"values", "the Helm values", Plan.ValuesYAML},
	{"json", "the whole plan", Plan.JSON},
}

// Print gives the plan in the named form.
func (p Plan) Print(name string) ([]byte, error) {
	var known []string
	for _, form := range Forms {
		if form.Name == name {
			return form.print(p)
		}
		known = append(known, form.Name)
	}
	fix := "Choose one of "
	for i, form := range known {
		if i > 0 {
			fix += ", "
		}
		fix += form
	}
	if near := answers.Nearest(name, known); near != "" {
		fix = "Did you mean " + near + "?"
	}
	return nil, &problem.Problem{Kind: problem.Invalid, Cause: "unknown-form", Field: "-o", What: "there is no form " + name, Fix: fix}
}

// ValuesYAML gives the Helm values as a file.
func (p Plan) ValuesYAML() ([]byte, error) { return yaml.Marshal(p.Values) }

// JSON gives the plan for scripts.
func (p Plan) JSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(p)
	return out.Bytes(), err
}
