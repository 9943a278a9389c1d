package trim

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever templates do, they render the same. Some of these fail when they
// run; then they fail in the same way.
func TestRandomTemplatesRenderTheSame(t *testing.T) {
	rendered := 0
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 7))
		templates := map[string]string{
			"m.yaml":       "{{ $a := . }}" + generator{r, "$", true}.statements(3),
			"child/c.yaml": "{{ $a := . }}" + generator{r, "$", true}.statements(1),
			"_h.tpl":       `{{ define "h" }}{{ $a := .m }}` + generator{r, "$.root", false}.statements(2) + `{{ end }}`,
		}
		values := map[string]any{"t": `{{ $a := .m }}` + generator{r, "$.root", false}.statements(1), "m": map[string]any{"k": map[string]any{"n": "a.txt"}}}
		want := render(t, family(templates, values))
		small := lighten(family(templates, values), nil)
		if keeps(small) != "all|all|all" && !strings.HasPrefix(want, "error") {
			rendered++
		}
		if got := render(t, small); got != want {
			t.Fatalf("seed %d: %v %v keeps %s\n%.300s\nwant\n%.300s", seed, templates, values, keeps(small), got, want)
		}
	}
	if rendered < 60 {
		t.Errorf("only %d charts rendered without some of their files", rendered)
	}
}

// generator writes templates. root is where their chart's context is; only
// those that call cannot be called.
type generator struct {
	*rand.Rand
	root  string
	calls bool
}

func (g generator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g generator) statements(count int) string {
	out := `{{ $b := dict "k" (dict) }}{{ $c := "a.txt" }}`
	for range count {
		out += g.statement(2)
	}
	return out
}

func (g generator) statement(depth int) string {
	inner := ""
	if depth > 0 {
		inner = g.statement(depth - 1)
	}
	if g.calls && g.IntN(4) == 0 {
		return strings.ReplaceAll(g.one(`{{ include "h" (dict "root" $ "m" MAP) }}`, `{{ tpl $.Values.t (dict "root" $ "m" MAP) }}`), "MAP", g.mapping(2))
	}
	return strings.NewReplacer("MAP", g.mapping(2), "VAR", g.one("$a", "$b"), "INNER", inner, "NAME", g.one(`"a.txt"`, `$c`, `"conf/x.ini"`), "ROOT", g.root).Replace(g.one(
		`{{ VAR = MAP }}`, `{{ VAR = MAP }}`, `{{ $_ := set VAR "k" (deepCopy MAP) }}`, `{{ $c = "b.txt" }}`,
		`{{ with MAP }}INNER{{ end }}`, `{{ if MAP }}INNER{{ end }}`, `{{ range $k, $v := MAP }}{{ $k }}INNER{{ end }}`,
		`{{ get VAR "k" | toJson | sha256sum }}`, `{{ ROOT.Files.Get NAME }}`, `{{ with get VAR "Files" }}{{ .Get NAME }}{{ end }}`, `{{ (ROOT.Files.Glob "conf/*").AsConfig }}`,
		`{{ len MAP }}`, `{{ ROOT.Release.Name }}`,
		`{{ pick MAP "Values" | toJson }}`, `{{ range $n, $x := ROOT.Files.Glob "*.txt" }}{{ ROOT.Files.Get $n }}{{ end }}`))
}

// mapping is an expression whose value is a map, or nothing.
func (g generator) mapping(depth int) string {
	if depth == 0 {
		return strings.ReplaceAll(g.one("ROOT", "$a", "$b", "ROOT.Values", "ROOT.Values.m", "ROOT.Subcharts"), "ROOT", g.root)
	}
	return strings.NewReplacer("MAP", g.mapping(depth-1), "OTHER", g.mapping(0)).Replace(g.one(
		"MAP", "(deepCopy MAP)", `(dict "k" MAP)`, `(dict "Files" (get MAP "Files"))`, `(merge (dict "k" 1) MAP)`, `(merge OTHER (deepCopy MAP))`,
		`(mergeOverwrite (deepCopy OTHER) (deepCopy MAP))`, `(get MAP "k" | default dict)`, `(MAP | default OTHER)`, `(ternary MAP OTHER true)`,
		`(first (list MAP OTHER))`, `(pick MAP "Files" "k")`, `(omit MAP "Values")`, `(get MAP "Subcharts" | default OTHER)`))
}
