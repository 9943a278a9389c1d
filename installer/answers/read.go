package answers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// MaxBytes is the largest answers file that is read.
const MaxBytes = 1 << 20

// Places says where in a file each field stands, as file:line:column.
type Places map[string]string

// Of is the place of a field, or of what it would stand in.
func (p Places) Of(field string) string {
	for path := field; ; path = path[:strings.LastIndex(path, ".")] {
		if place, ok := p[path]; ok {
			return place
		}
		if !strings.Contains(path, ".") {
			return p[""]
		}
	}
}

// Read parses an answers file over base, which supplies what the file leaves
// out. Name is the file's name for messages. All problems come at once.
func Read(name string, data []byte, base Answers) (Answers, Places, error) {
	root, err := parseOne(name, data)
	if err != nil {
		return base, nil, err
	}
	return decodeDocument(name, root, base)
}

// ReadBody reads the answers' fields from a mapping without a header, as a
// session holds them.
func ReadBody(name string, body *yaml.Node, base Answers) (Answers, error) {
	d := newDecoder(name, body)
	a := base.Clone()
	d.fill(&a, body)
	if len(d.problems) > 0 {
		return base, d.problems
	}
	return a, nil
}

func decodeDocument(name string, root *yaml.Node, base Answers) (Answers, Places, error) {
	if root.Kind != yaml.MappingNode {
		return base, nil, invalid(name, root, "", "this is not a map of answers", "Start with apiVersion: "+APIVersion+" and kind: "+Kind+".")
	}
	d := newDecoder(name, root)
	body := d.header(root)
	a := base.Clone()
	d.fill(&a, body)
	if len(d.problems) > 0 {
		return base, d.places, d.problems
	}
	return a, d.places, nil
}

// parseOne reads exactly one YAML document and refuses what makes YAML
// expand or read in two ways: aliases, merge keys, several documents.
func parseOne(name string, data []byte) (*yaml.Node, error) {
	if len(data) > MaxBytes {
		return nil, invalid(name, nil, "", fmt.Sprintf("the file is larger than %d bytes", MaxBytes), "An answers file is a page long. Is this the right file?")
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, invalid(name, nil, "", "the file is empty", "Start with apiVersion: "+APIVersion+" and kind: "+Kind+".")
	}
	if err != nil {
		return nil, syntaxProblem(name, err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, invalid(name, &second, "", "the file holds more than one YAML document", "Keep one.")
	}
	root := document.Content[0]
	if alias := findAlias(root); alias != nil {
		return nil, invalid(name, alias, "", "YAML anchors and aliases are not read", "Write the value out.")
	}
	return root, nil
}

func findAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Tag == "!!merge" {
		return n
	}
	for _, child := range n.Content {
		if found := findAlias(child); found != nil {
			return found
		}
	}
	return nil
}

// syntaxProblem turns the parser's "yaml: line 3: …" into a place. The parser
// gives no column, so the problem points at the start of the line.
func syntaxProblem(name string, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if _, scanErr := fmt.Sscanf(message, "line %d:", &line); scanErr == nil {
		_, message, _ = strings.Cut(message, ": ")
	}
	fix := "Correct the YAML."
	if strings.Contains(message, "character that cannot start any token") {
		fix = "Indent with spaces, not tabs, and quote values that start with a special character."
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "yaml-syntax", Place: fmt.Sprintf("%s:%d:1", name, line),
		What: "this is not valid YAML", Why: message, Fix: fix, Err: err}
}

func invalid(name string, at *yaml.Node, field, what, fix string) *problem.Problem {
	if at == nil || at.Line == 0 {
		at = &yaml.Node{Line: 1, Column: 1}
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Place: place(name, at), Field: field, What: what, Fix: fix}
}
