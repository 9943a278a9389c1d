package trim

import (
	"encoding/json"
	"slices"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chart"
)

// unknownText stands for a string that could be any template.
var unknownText = thing{kind: text, text: "{{"}

// said is a string that stands in a template.
func said(s string) thing {
	if strings.Contains(s, "{{") || strings.Contains(s, "}}") {
		return thing{kind: text, text: s}
	}
	return thing{kind: word, text: s}
}

// include calls the templates that a name may mean, and gives what they print.
func (w *walker) include(_ any, args []argument) value {
	if len(args) != 2 {
		return something
	}
	result := union(something)
	for name, trees := range w.trees {
		if !mayBe(args[0], name) {
			continue
		}
		for _, tree := range trees {
			w.call(tree, args[1].value)
			result.add(w.prints[tree])
		}
	}
	return result
}

// mayBe reports whether an expression may be a template's name: a string, or
// one put together from parts of which the first or the last is known.
func mayBe(arg argument, name string) bool {
	if words, known := arg.value.words(); known {
		return slices.ContainsFunc(words, func(word string) bool { return word == name || sameFile(word, name) })
	}
	pipe, ok := arg.node.(*parse.PipeNode)
	if !ok || len(pipe.Cmds) != 1 {
		return true
	}
	words := pipe.Cmds[0].Args
	function, ok := words[0].(*parse.IdentifierNode)
	if !ok || len(words) < 2 {
		return true
	}
	first, _ := words[1].(*parse.StringNode)
	last, _ := words[len(words)-1].(*parse.StringNode)
	switch {
	case function.Ident == "print":
		return (first == nil || strings.HasPrefix(name, first.Text)) && (last == nil || strings.HasSuffix(name, last.Text))
	case function.Ident == "printf" && first != nil:
		prefix, _, _ := strings.Cut(first.Text, "%")
		return strings.HasPrefix(name, prefix)
	}
	return true
}

// sameFile compares the names of template files after the charts' part, in
// which an alias may stand.
func sameFile(a, b string) bool {
	_, a, _ = strings.Cut(a, "/templates/")
	_, b, found := strings.Cut(b, "/templates/")
	return found && a == b
}

// tpl runs a text as a template: one of the values, of the files that are
// read, or of the texts in templates that reach it.
func (w *walker) tpl(_ any, args []argument) value {
	if len(args) != 2 {
		return something
	}
	w.observe(args[0].value)
	w.grow(w.tplDot, args[1].value)
	for t := range w.textsIn(args[0].value) {
		w.addTexts(t)
	}
	result := union(something)
	for _, trees := range w.bodies {
		for _, tree := range trees {
			result.add(w.prints[tree])
		}
	}
	return result
}

// addTexts takes a text, or the content of the files that are read.
func (a *analysis) addTexts(t thing) {
	if t.kind == text {
		a.addText(t.text)
		return
	}
	kept := a.kept(t.chart)
	for _, file := range a.charts[t.chart].Files {
		if a.wholly[t.chart] || kept[file.Name] {
			a.textsOf(string(file.Data))
		}
	}
}

func (a *analysis) addText(s string) {
	if !a.texts[s] {
		a.texts[s], a.changed = true, true
	}
}

// gatherTexts finds what tpl may be given from outside the templates.
func (a *analysis) gatherTexts(values map[string]any) {
	a.textsOf(values)
	for _, c := range a.charts {
		a.textsOf(c.Values)
		a.textsOf(described(c.Metadata))
	}
}

func (a *analysis) textsOf(tree any) {
	switch v := tree.(type) {
	case string:
		if strings.Contains(v, "{{") {
			a.addText(v)
		}
	case map[string]any:
		for key, child := range v {
			a.textsOf(key)
			a.textsOf(child)
		}
	case []any:
		for _, child := range v {
			a.textsOf(child)
		}
	}
}

func described(m *chart.Metadata) any {
	var tree any
	if encoded, err := json.Marshal(m); err == nil {
		_ = json.Unmarshal(encoded, &tree)
	}
	return tree
}
