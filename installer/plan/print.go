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
	{"terraform", "Terraform, with version 3 of its Helm provider", Plan.Terraform},
	{"terraform-v2", "Terraform, with version 2 of its Helm provider", Plan.TerraformV2},
	{"argocd", "an Argo CD Application", Plan.ArgoCD},
	{"flux", "a Flux OCIRepository and HelmRelease", Plan.Flux},
	{"json", "the whole plan", Plan.JSON},
}

// ManifestForm is the rendered chart. It needs the chart itself, so whoever
// has it prints it.
const ManifestForm = "manifest"

// Print gives the plan in the named form.
func (p Plan) Print(name string) ([]byte, error) {
	known := []string{ManifestForm}
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

// ValuesYAML gives the Helm values as a file, with the extra files in it.
func (p Plan) ValuesYAML() ([]byte, error) { return yaml.Marshal(p.Merged()) }

// JSON gives the plan for scripts.
func (p Plan) JSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(p)
	return out.Bytes(), err
}
