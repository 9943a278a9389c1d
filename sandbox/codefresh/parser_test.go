package codefresh

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseDocument(t *testing.T) {
	tests := map[string]struct {
		source string
		want   operation
	}{
		"bare": {`{ me { id } }`,
			operation{kind: query, selections: []selection{{name: "me", children: []selection{{name: "id"}}}}}},
		"named query": {`query Me { me { id } }`,
			operation{kind: query, name: "Me", selections: []selection{{name: "me", children: []selection{{name: "id"}}}}}},
		"alias and variables": {
			"query R($name: String! = \"x\", $all: [String!]!) {\n # a comment }\n response: runtime(name: $name, all: $all) { cluster, repo } }",
			operation{kind: query, name: "R",
				variables: map[string]variableDefinition{"name": {"String!", "x"}, "all": {"[String!]!", nil}},
				selections: []selection{{alias: "response", name: "runtime",
					arguments: map[string]any{"name": variableReference("name"), "all": variableReference("all")},
					children:  []selection{{name: "cluster"}, {name: "repo"}}}}}},
		"literals": {`mutation { add(a: {b: [1, -2.5], c: RED, d: null, e: true, f: "q\"\u0041", g: """ block " """}) }`,
			operation{kind: mutation, selections: []selection{{name: "add", arguments: map[string]any{
				"a": map[string]any{"b": []any{1.0, -2.5}, "c": "RED", "d": nil, "e": true, "f": `q"A`, "g": `block "`}}}}}},
		"fragments": {`{ a { ...on T { x } ...F ... { y } } }`,
			operation{kind: query, selections: []selection{{name: "a", children: []selection{
				{inline: true, onType: "T", children: []selection{{name: "x"}}},
				{spread: "F"},
				{inline: true, children: []selection{{name: "y"}}}}}}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc, err := parseDocument(test.source)
			if err != nil {
				t.Fatal(err)
			}
			if test.want.variables == nil {
				test.want.variables = map[string]variableDefinition{}
			}
			if !reflect.DeepEqual(doc.operations[0], test.want) {
				t.Errorf("got  %#v\nwant %#v", doc.operations[0], test.want)
			}
		})
	}
}

func TestParseDocumentRefuses(t *testing.T) {
	tests := map[string]struct{ source, message string }{
		"nothing":          {"", "no operation"},
		"open selection":   {"{ me { id }", "unexpected end"},
		"empty selection":  {"{ me { } }", "selection is empty"},
		"open string":      {`{ a(b: "x) }`, "bad string"},
		"open block":       {`{ a(b: """x) }`, "unterminated"},
		"stray character":  {"{ a ; }", "unexpected character"},
		"subscription":     {"subscription { a }", `unexpected "subscription"`},
		"directive":        {"{ a @skip(if: true) }", "directives"},
		"quoted keyword":   {`"fragment" F on T { a }`, `unexpected "fragment"`},
		"argument unnamed": {"{ a(1) }", "expected a name"},
		"too deep":         {strings.Repeat("{a", 40) + strings.Repeat("}", 40), "nested"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := parseDocument(test.source)
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want an error with %q", err, test.message)
			}
		})
	}
}

func TestOperationNamed(t *testing.T) {
	doc, err := parseDocument("query A { a } query B { b }")
	if err != nil {
		t.Fatal(err)
	}
	if op, err := doc.operationNamed("B"); err != nil || op.selections[0].name != "b" {
		t.Errorf("got %v %v, want operation B", op, err)
	}
	for _, name := range []string{"", "C"} {
		if _, err := doc.operationNamed(name); err == nil {
			t.Errorf("operationNamed(%q) found one", name)
		}
	}
}

// FuzzParseDocument looks for texts that crash the parser, and holds it to
// giving either an operation or an error.
func FuzzParseDocument(f *testing.F) {
	for _, seed := range []string{meQuery, "{a:b(c:{d:[$e]}){...F ...on G{h}}}", `{a(b:"\u00")}`, `"""`, "{a(b:-)}", "fragment"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, err := parseDocument(source)
		if err == nil && len(doc.operations) == 0 {
			t.Errorf("%q gave neither an operation nor an error", source)
		}
	})
}
