// Package valuesfile reads Helm values files that people wrote by hand: it
// judges them as today's chart reads them, and turns them into answers.
package valuesfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	helmyaml "sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// MaxBytes is the largest values file that is read.
const MaxBytes = 2 << 20

// File is a values file as Helm reads it, with the place of every value in it.
type File struct {
	Name  string
	tree  map[string]any
	nodes map[string]*yaml.Node // the values as they are written, by path
	keys  map[string]*yaml.Node // their keys
	order []string              // the paths as they stand
}

// Parse reads a values file.
func Parse(name string, data []byte) (File, error) {
	f := File{Name: name, tree: map[string]any{}, nodes: map[string]*yaml.Node{}, keys: map[string]*yaml.Node{}}
	if len(data) > MaxBytes {
		return f, f.refuse("", fmt.Sprintf("the file is larger than %d bytes", MaxBytes), "Is this the right file?")
	}
	var document yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&document)
	if errors.Is(err, io.EOF) {
		return f, nil
	}
	if err != nil {
		return f, f.refuse(place(name, err), "this is not valid YAML: "+strings.TrimPrefix(err.Error(), "yaml: "), "Correct it.")
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return f, f.refuse(fmt.Sprintf("%s:%d:%d", name, root.Line, root.Column), "a values file is a map", "Start with global:.")
	}
	err = root.Decode(&map[string]any{}) // which also refuses what is given twice, or holds itself
	if err == nil {
		err = helmyaml.Unmarshal(data, &f.tree)
	}
	if err != nil {
		what := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: "), "yaml: ")
		return f, f.refuse(place(name, err), "this is not valid YAML: "+what, "Correct it.")
	}
	f.walk(root, "")
	return f, nil
}

func (f File) refuse(at, what, fix string) error {
	if at == "" {
		at = f.Name
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "bad-values", Place: at, What: what, Fix: fix}
}

var lineNumber = regexp.MustCompile(`line (\d+)`)

// place finds the line in the parser's own message.
func place(name string, err error) string {
	line := "1"
	if found := lineNumber.FindStringSubmatch(err.Error()); found != nil {
		line = found[1]
	}
	return name + ":" + line + ":1"
}

// walk notes where everything stands. What a merge key brings stands where it
// is written, unless the map has it itself.
func (f *File) walk(n *yaml.Node, path string) {
	n = written(n)
	if n.Kind != yaml.MappingNode {
		return
	}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		full := strings.TrimPrefix(path+"."+key.Value, ".")
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if _, known := f.nodes[full]; known {
			continue
		}
		f.nodes[full], f.keys[full] = value, key
		f.order = append(f.order, full)
		f.walk(value, full)
	}
	for _, each := range merged {
		if each = written(each); each.Kind != yaml.SequenceNode {
			each = &yaml.Node{Content: []*yaml.Node{each}}
		}
		for _, source := range each.Content {
			f.walk(source, path)
		}
	}
}

// written is what a node stands for: an alias is what its anchor names.
func written(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Place is where a path stands, as file:line:column, or where it would.
func (f File) Place(path string) string {
	for {
		if key, ok := f.keys[path]; ok {
			return fmt.Sprintf("%s:%d:%d", f.Name, key.Line, key.Column)
		}
		cut := strings.LastIndex(path, ".")
		if cut < 0 {
			return f.Name + ":1:1"
		}
		path = path[:cut]
	}
}

// find gives a value as Helm reads it.
func (f File) find(path string) (value any, found bool) {
	value, found = f.tree, true
	for name := range strings.SplitSeq(path, ".") {
		table, isTable := value.(map[string]any)
		if value, found = table[name]; !isTable || !found {
			return nil, false
		}
	}
	return value, true
}

func (f File) has(path string) bool { _, found := f.find(path); return found }

// text is a value as a text; lists and maps are empty. A number is given as it
// is written: as Helm reads it, its zeros may be gone.
func (f File) text(path string) string {
	value, _ := f.find(path)
	if _, number := value.(float64); number && f.nodes[path] != nil {
		return written(f.nodes[path]).Value
	}
	return textOf(value)
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool, float64:
		return fmt.Sprint(v)
	}
	return ""
}

func (f File) on(path string, fallback bool) bool {
	value, _ := f.find(path)
	if on, isSwitch := value.(bool); isSwitch {
		return on
	}
	return fallback
}

// items gives what is in a list.
func (f File) items(path string) []any {
	value, _ := f.find(path)
	items, _ := value.([]any)
	return items
}

// list gives the texts of a list.
func (f File) list(path string) []string {
	var texts []string
	for _, item := range f.items(path) {
		texts = append(texts, textOf(item))
	}
	return texts
}
