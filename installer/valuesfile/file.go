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

	"github.com/cfwizard/cfwizard/installer/problem"
)

// MaxBytes is the largest values file that is read.
const MaxBytes = 2 << 20

// File is a values file with the place of every value in it.
type File struct {
	Name  string
	tree  map[string]any
	nodes map[string]*yaml.Node // the values, by path
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
	if err := root.Decode(&f.tree); err != nil {
		return f, f.refuse(place(name, err), "this is not valid YAML: "+strings.TrimPrefix(err.Error(), "yaml: "), "Correct it.")
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

func (f *File) walk(n *yaml.Node, path string) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		full := key.Value
		if path != "" {
			full = path + "." + key.Value
		}
		f.nodes[full], f.keys[full] = value, key
		f.order = append(f.order, full)
		f.walk(value, full)
	}
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

func (f File) has(path string) bool { _, ok := f.nodes[path]; return ok }

// text is a value as it is written; lists and maps are empty.
func (f File) text(path string) string {
	if n := f.nodes[path]; n != nil && n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		return n.Value
	}
	return ""
}

func (f File) on(path string, fallback bool) bool {
	if n := f.nodes[path]; n != nil && n.Tag == "!!bool" {
		return strings.EqualFold(n.Value, "true")
	}
	return fallback
}

// list gives the texts of a list.
func (f File) list(path string) []string {
	n := f.nodes[path]
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	var items []string
	for _, item := range n.Content {
		items = append(items, item.Value)
	}
	return items
}
