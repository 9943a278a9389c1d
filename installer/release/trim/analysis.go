package trim

import (
	"maps"
	"path"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chart"
)

// analysis is what is known so far about where contexts and files go. It only
// grows, and is complete when going through all templates adds nothing.
type analysis struct {
	charts  []*chart.Chart
	indexOf map[*chart.Chart]int
	trees   map[string][]*parse.Tree // by name; a name may be defined twice
	dots    map[*parse.Tree]value    // what a template is called with; only called ones are in it
	fields  map[thing]map[string]value
	prints  map[*parse.Tree]value // texts that a template puts out

	tplDot   value                    // what tpl is called with
	texts    map[string]bool          // what tpl may be given
	bodies   map[string][]*parse.Tree // texts as templates
	textual  map[thing]bool           // what leads to texts
	opened   bool                     // a text may run inside another's with or range
	doubtful bool                     // a text may be anything

	observed map[thing]bool
	wholly   map[int]bool            // charts of which every file may be read
	names    map[int]map[string]bool // files read by name
	globs    map[int]map[string]bool

	changed bool
}

func newAnalysis(root *chart.Chart) *analysis {
	a := &analysis{indexOf: map[*chart.Chart]int{}, trees: map[string][]*parse.Tree{}, dots: map[*parse.Tree]value{},
		fields: map[thing]map[string]value{}, prints: map[*parse.Tree]value{}, tplDot: value{}, texts: map[string]bool{},
		bodies: map[string][]*parse.Tree{}, observed: map[thing]bool{}, textual: map[thing]bool{},
		wholly: map[int]bool{}, names: map[int]map[string]bool{}, globs: map[int]map[string]bool{}}
	a.number(root)
	return a
}

// number gives a chart and its subcharts their places, and their contexts the
// fields that lead to files.
func (a *analysis) number(c *chart.Chart) int {
	index := len(a.charts)
	a.charts, a.indexOf[c] = append(a.charts, c), index
	a.store(of(context, index), "Files", setOf(of(files, index)))
	a.store(of(context, index), "Subcharts", setOf(of(subcharts, index)))
	for _, child := range c.Dependencies() {
		// By any name: an alias may give it another.
		a.store(of(subcharts, index), anyKey, setOf(of(context, a.number(child))))
	}
	return index
}

// parseAll reads all templates. Those that Helm renders by themselves are
// called with the context of their chart.
func (a *analysis) parseAll() error {
	for index, c := range a.charts {
		for _, file := range c.Templates {
			name := path.Join(c.ChartFullPath(), file.Name)
			trees, err := parseText(name, string(file.Data))
			if err != nil {
				return err
			}
			for defined, tree := range trees {
				a.trees[defined] = append(a.trees[defined], tree)
			}
			if top := trees[name]; top != nil && !strings.HasPrefix(path.Base(name), "_") {
				a.call(top, setOf(of(context, index)))
			}
		}
	}
	return nil
}

func parseText(name, text string) (map[string]*parse.Tree, error) {
	trees := map[string]*parse.Tree{}
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	_, err := tree.Parse(text, "", "", trees)
	return trees, err
}

// run goes through all called templates until nothing new is found.
func (a *analysis) run() {
	for a.changed = true; a.changed; {
		a.changed = false
		a.callTexts()
		a.markTextual()
		for tree, dot := range a.dots {
			w := &walker{analysis: a, tree: tree}
			w.declare("$", dot)
			w.walk(tree.Root, dot)
		}
	}
}

func (a *analysis) call(tree *parse.Tree, dot value) {
	known, called := a.dots[tree]
	if !called {
		known = value{}
		a.dots[tree], a.changed = known, true
	}
	a.grow(known, dot)
}

func (a *analysis) grow(known, more value) {
	for t := range more {
		if !known[t] {
			known[t], a.changed = true, true
		}
	}
}

// store puts a value under a key of a container.
func (a *analysis) store(container thing, key string, v value) {
	if a.fields[container] == nil {
		a.fields[container] = map[string]value{}
	}
	if a.fields[container][key] == nil {
		a.fields[container][key] = value{}
	}
	a.grow(a.fields[container][key], v)
	if a.observed[container] {
		a.observe(v)
	}
}

// observe is for whatever makes the content of a value visible: every file
// that it leads to has to stay.
func (a *analysis) observe(v value) {
	a.touch(v)
	for t := range v {
		if a.observed[t] {
			continue
		}
		a.observed[t] = true
		for _, held := range a.fields[t] {
			a.observe(held)
		}
	}
}

// touch is for what shows whether something is empty. Of files alone that
// depends on which ones there are.
func (a *analysis) touch(v value) {
	for t := range v {
		if t.kind == files && !a.wholly[t.chart] {
			a.wholly[t.chart], a.changed = true, true
		}
	}
}

// within is a value and everything that it holds.
func (a *analysis) within(v value) value {
	seen := value{}
	var visit func(value)
	visit = func(v value) {
		for t := range v {
			if seen[t] {
				continue
			}
			seen[t] = true
			for _, held := range a.fields[t] {
				visit(held)
			}
		}
	}
	visit(v)
	return seen
}

// textsIn are the texts that a value holds.
func (a *analysis) textsIn(v value) value {
	texts := value{}
	var visit func(value)
	visit = func(v value) {
		for t := range v {
			if !(t.isText() || a.textual[t]) || texts[t] {
				continue
			}
			texts[t] = true
			for _, held := range a.fields[t] {
				visit(held)
			}
		}
	}
	visit(v)
	maps.DeleteFunc(texts, func(t thing, _ bool) bool { return !t.isText() })
	return texts
}

// markTextual finds the things that hold texts. There are few, and most values
// need not be searched for them.
func (a *analysis) markTextual() {
	for again := true; again; {
		again = false
		for container, fields := range a.fields {
			for _, held := range fields {
				for t := range held {
					if (t.isText() || a.textual[t]) && !a.textual[container] {
						a.textual[container], a.changed, again = true, true, true
					}
					if t.isText() {
						a.textual[t] = true
					}
				}
			}
		}
	}
}
