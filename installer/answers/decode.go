package answers

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// decoder fills answers from YAML nodes and gathers every problem with its
// line and column.
type decoder struct {
	name     string
	problems problem.List
	places   Places
}

func newDecoder(name string, root *yaml.Node) *decoder {
	return &decoder{name: name, places: Places{"": place(name, root)}}
}

func place(name string, at *yaml.Node) string {
	return fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
}

func (d *decoder) refuse(at *yaml.Node, field, what, fix string) {
	d.problems = append(d.problems, invalid(d.name, at, field, what, fix))
}

// header checks apiVersion and kind and returns the other keys.
func (d *decoder) header(root *yaml.Node) *yaml.Node {
	body := &yaml.Node{Kind: yaml.MappingNode, Tag: root.Tag, Line: root.Line, Column: root.Column}
	want := map[string]string{"apiVersion": APIVersion, "kind": Kind}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		expected, isHeader := want[key.Value]
		if !isHeader {
			body.Content = append(body.Content, key, value)
			continue
		}
		delete(want, key.Value)
		if value.Value != expected {
			d.refuse(value, key.Value, fmt.Sprintf("%q is not known", text.Line(value.Value)), "Known is "+expected+".")
		}
	}
	for _, missing := range []string{"apiVersion", "kind"} {
		if expected, isMissing := want[missing]; isMissing {
			d.refuse(root, missing, "it is missing", fmt.Sprintf("Add the line %s: %s.", missing, expected))
		}
	}
	return body
}

func (d *decoder) fill(a *Answers, body *yaml.Node) {
	d.mapping(reflect.ValueOf(a).Elem(), body, "")
}

func (d *decoder) value(v reflect.Value, n *yaml.Node, path string) {
	switch {
	case v.Type() == reflect.TypeFor[SecretRef]():
		d.secretRef(v, n, path)
	case v.Kind() == reflect.Struct:
		d.mapping(v, n, path)
	case v.Kind() == reflect.Map:
		d.stringMap(v, n, path)
	case v.Kind() == reflect.Slice:
		d.stringList(v, n, path)
	default:
		d.scalar(v, n, path)
	}
}

func (d *decoder) mapping(v reflect.Value, n *yaml.Node, path string) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.refuse(n, path, "a map is needed here, this is "+kindName(n), "Write "+path+": {…} with the fields below it.")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, child := n.Content[i], n.Content[i+1]
		full := strings.TrimPrefix(path+"."+key.Value, ".")
		index := fieldIndex(v.Type(), key.Value)
		switch {
		case seen[key.Value]:
			d.refuse(key, full, "it is given twice", "Keep one.")
		case index < 0 || key.Value == "":
			d.unknown(v.Type(), key, path)
		default:
			d.places[full] = place(d.name, child)
			d.value(v.Field(index), child, full)
		}
		seen[key.Value] = true
	}
}

func (d *decoder) unknown(t reflect.Type, key *yaml.Node, path string) {
	known := make([]string, t.NumField())
	for i := range known {
		known[i] = yamlName(t.Field(i))
	}
	full := strings.TrimPrefix(path+"."+text.Line(key.Value), ".")
	fix := "Known here: " + strings.Join(known, ", ") + "."
	if near := Nearest(key.Value, known); near != "" {
		fix = "Did you mean " + near + "?"
	}
	d.refuse(key, full, "there is no such field", fix)
}

// secretRef refuses a text where a reference belongs, without repeating it.
func (d *decoder) secretRef(v reflect.Value, n *yaml.Node, path string) {
	const fix = "Give a reference: {env: NAME}, {file: PATH}, {keyring: NAME} or {secretRef: {name: N, key: K}}."
	if isNull(n) {
		v.Set(reflect.ValueOf(SecretRef{}))
		return
	}
	if n.Kind != yaml.MappingNode {
		d.refuse(n, path, "a secret must not stand in this file", fix)
		return
	}
	var ref SecretRef
	before := len(d.problems)
	target := reflect.ValueOf(&ref).Elem()
	if hasKey(n, "secretRef") {
		ref.SecretRef = &KeyInSecret{}
	}
	d.secretSources(target, n, path)
	if len(d.problems) > before {
		return
	}
	if ref.sources() > 1 {
		d.refuse(n, path, "a secret has exactly one source, this names several", "Keep one.")
		return
	}
	if s := ref.SecretRef; s != nil && (s.Name == "" || s.Key == "") {
		d.refuse(n, path, "secretRef needs a name and a key", "Write {secretRef: {name: N, key: K}}.")
		return
	}
	if ref.Env != "" && !variableName.MatchString(ref.Env) {
		d.refuse(n, path, "env does not name a variable", fix)
		return
	}
	v.Set(target)
}

func (d *decoder) secretSources(target reflect.Value, n *yaml.Node, path string) {
	others, seen := *n, false
	others.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, child := n.Content[i], n.Content[i+1]
		switch {
		case key.Value != "secretRef":
			others.Content = append(others.Content, key, child)
		case seen:
			d.refuse(key, path+".secretRef", "it is given twice", "Keep one.")
		default:
			seen = true
			d.mapping(target.FieldByName("SecretRef").Elem(), child, path+".secretRef")
		}
	}
	d.mapping(target, &others, path)
}

func (d *decoder) stringMap(v reflect.Value, n *yaml.Node, path string) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.refuse(n, path, "a map is needed here, this is "+kindName(n), "Write {key: value}.")
		return
	}
	m := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if _, twice := m[key]; twice {
			d.refuse(n.Content[i], path, fmt.Sprintf("%q is given twice", text.Line(key)), "Keep one.")
		}
		var value string
		d.scalar(reflect.ValueOf(&value).Elem(), n.Content[i+1], path+"."+text.Line(key))
		m[key] = value
	}
	if len(m) > 0 {
		v.Set(reflect.ValueOf(m))
	}
}

func (d *decoder) stringList(v reflect.Value, n *yaml.Node, path string) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.refuse(n, path, "a list is needed here, this is "+kindName(n), "Write [a, b].")
		return
	}
	list := make([]string, len(n.Content))
	for i, item := range n.Content {
		d.scalar(reflect.ValueOf(&list[i]).Elem(), item, fmt.Sprintf("%s[%d]", path, i))
	}
	if len(list) > 0 {
		v.Set(reflect.ValueOf(list))
	}
}

// scalar takes the text as written, so that 007 or 1e5 stays a string.
func (d *decoder) scalar(v reflect.Value, n *yaml.Node, path string) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.ScalarNode {
		d.refuse(n, path, "a single value is needed here, this is "+kindName(n), "Write "+path+": VALUE.")
		return
	}
	if text.HasControl(n.Value) {
		d.refuse(n, path, "it holds a character that does not print", "Remove it.")
		return
	}
	parsed, err := parseAs(v.Type(), n.Value)
	if err != nil {
		d.refuse(n, path, err.Error(), scalarFix(v.Type()))
		return
	}
	v.Set(parsed)
}

func scalarFix(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Duration]():
		return "Write a duration such as 10m."
	case reflect.TypeFor[bool]():
		return "Write true or false."
	}
	return "Correct the value."
}
