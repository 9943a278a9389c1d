package trim

import (
	"regexp"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// callTexts calls every text with what tpl is given.
func (a *analysis) callTexts() {
	if len(a.tplDot) == 0 {
		return
	}
	for s := range a.texts {
		if _, known := a.bodies[s]; !known {
			a.bodies[s] = a.bodiesOf(s)
		}
	}
	if a.opened {
		a.grow(a.tplDot, a.within(a.tplDot))
	}
	if a.doubtful {
		a.observe(a.tplDot)
	}
	for _, trees := range a.bodies {
		for _, tree := range trees {
			a.call(tree, a.tplDot)
		}
	}
}

var action = regexp.MustCompile(`(?s)\{\{-?\s*(.*?)\s*-?\}\}`)

// bodiesOf reads a text as a template. One that is none by itself may be part
// of one, and is read action by action.
func (a *analysis) bodiesOf(s string) []*parse.Tree {
	if trees, err := parseText(s, s); err == nil {
		var all []*parse.Tree
		for name, tree := range trees {
			a.trees[name] = append(a.trees[name], tree)
			all = append(all, tree)
		}
		return all
	}
	if strings.Count(s, "{{") != strings.Count(s, "}}") || strings.Contains(s, "%") || strings.Contains(s, "Files") {
		a.doubtful = true
	}
	var trees []*parse.Tree
	for _, match := range action.FindAllStringSubmatch(s, -1) {
		if tree := a.fragment(match[1]); tree != nil {
			trees = append(trees, tree)
		}
	}
	return trees
}

// fragment reads one action. What is no action by itself is none in a longer
// text either, but for the beginnings and ends of blocks.
func (a *analysis) fragment(inner string) *parse.Tree {
	inner = strings.TrimPrefix(inner, "else ")
	word, _, _ := strings.Cut(inner, " ")
	if word == "with" || word == "range" || word == "define" || word == "block" {
		a.opened = true
	}
	for _, end := range []string{"", "{{end}}"} {
		body := "{{" + inner + "}}" + end
		if trees, err := parseText(body, body); err == nil {
			return trees[body]
		}
	}
	return nil
}

// kept are the files of a chart that templates read by name or by pattern.
// Which ones a pattern finds, Helm itself says.
func (a *analysis) kept(index int) map[string]bool {
	kept := map[string]bool{}
	for name := range a.names[index] {
		kept[name] = true
	}
	for pattern := range a.globs[index] {
		for _, name := range found(a.charts[index], pattern) {
			kept[name] = true
		}
	}
	return kept
}

const findFiles = `{{ range $name, $_ := .Files.Glob .Values.pattern }}{{ $name }}{{ "\n" }}{{ end }}`

func found(c *chart.Chart, pattern string) []string {
	probe := &chart.Chart{Metadata: &chart.Metadata{Name: "probe"}, Templates: []*chart.File{{Name: "templates/find", Data: []byte(findFiles)}}}
	all := make([]string, 0, len(c.Files))
	for _, file := range c.Files {
		probe.Files = append(probe.Files, &chart.File{Name: file.Name})
		all = append(all, file.Name)
	}
	out, err := engine.Render(probe, chartutil.Values{"Values": map[string]any{"pattern": pattern}})
	if err != nil {
		return all
	}
	return strings.Split(out["probe/templates/find"], "\n")
}
