package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// Repair is a change to one object that would turn a check. It is applied only
// when a person says so, and carries what takes it back.
type Repair struct {
	Check           string // the check that it would turn
	Release         string // instead of a patch: an action on Helm's release of this name
	Git             string // instead of a patch: create a repository or a branch at the Git host
	Title           string
	Group, Version  string
	Resource        string // as in an URL: deployments
	Namespace, Name string
	Patch, Undo     []Operation
	Before, After   []string // the lines that change, for the diff
	Warning         string   // what else happens, such as a restart
	Asked           bool     // it changes what runs: a general yes is not enough
	Kubectl         string   // how kubectl is called for this cluster; empty: by its name alone
}

// Operation is one step of a JSON patch.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// MarshalJSON writes the value of a test also where it is nothing: that is how
// a patch says that something must not be there.
func (o Operation) MarshalJSON() ([]byte, error) {
	type plain Operation
	if o.Op != "test" {
		return json.Marshal(plain(o))
	}
	return json.Marshal(struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}(o))
}

// absent tests that nothing is there yet.
func absent(path string) Operation { return Operation{Op: "test", Path: path} }

const kubectl = "kubectl"

// Called is how a person calls the programs for a cluster, whichever is the
// current one.
type Called struct{ Kubectl, Helm string }

// helmCommand is one that goes to a cluster.
var helmCommand = regexp.MustCompile(`\bhelm (upgrade|install|uninstall|rollback|get|status|history)\b`)

// At makes the commands of checks lead to their cluster: they were written by
// rules that do not know how a person gets there.
func At(checks []Check, called Called) []Check {
	there := slices.Clone(checks)
	for i, c := range there {
		there[i].Fix = helmCommand.ReplaceAllStringFunc(leading(c.Fix, called.Kubectl), func(command string) string {
			return called.Helm + strings.TrimPrefix(command, "helm")
		})
		if c.Repair != nil {
			here := *c.Repair
			here.Kubectl = called.Kubectl
			there[i].Repair = &here
		}
	}
	return there
}

// leading makes each kubectl in words lead to a cluster, but for those that do.
func leading(words, called string) string {
	parts := strings.Split(words, kubectl+" ")
	for i, part := range parts[1:] {
		if strings.HasPrefix(part, "--context ") || strings.HasPrefix(part, "--kubeconfig ") {
			parts[i+1] = kubectl + " " + part
			continue
		}
		parts[i+1] = called + " " + part
	}
	return strings.Join(parts, "")
}

// Object names what is changed.
func (r Repair) Object() string {
	switch {
	case r.Git != "":
		return "the " + r.Git + " of " + r.Name
	case r.Release != "":
		return "release " + r.Name + " in namespace " + r.Namespace
	}
	name := r.Resource + "/" + r.Name
	if r.Namespace != "" {
		name += " in namespace " + r.Namespace
	}
	return name
}

// Command is what a person would run instead.
func (r Repair) Command() string { return r.command(r.Patch) }

// UndoCommand takes it back.
func (r Repair) UndoCommand() string { return r.command(r.Undo) }

func (r Repair) command(patch []Operation) string {
	if len(patch) == 0 {
		return ""
	}
	words := []string{cmp.Or(r.Kubectl, kubectl)}
	if r.Namespace != "" {
		words = append(words, "-n", text.Quote(r.Namespace))
	}
	resource := r.Resource
	if r.Group != "" {
		resource += "." + r.Group
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return ""
	}
	words = append(words, "patch", resource, text.Quote(r.Name), "--type=json", "-p", text.Quote(string(body)))
	return strings.Join(words, " ")
}

// Diff shows the lines that go and those that come. What stays may hold what
// is nobody's business, and is left out.
func (r Repair) Diff() []string {
	switch {
	case r.Git != "":
		return []string{"+ " + r.Git + " " + r.Name}
	case r.Release != "":
		return []string{"~ " + r.Title}
	}
	var lines []string
	for _, line := range r.Before {
		if !slices.Contains(r.After, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range r.After {
		if !slices.Contains(r.Before, line) {
			lines = append(lines, "+ "+line)
		}
	}
	return lines
}

// Escape makes a word one part of a JSON patch's path.
func Escape(word string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(word)
}

// String names the repair in one line.
func (r Repair) String() string { return fmt.Sprintf("%s: %s", r.Object(), r.Title) }
