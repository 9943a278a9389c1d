package trim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// The charts of these tests: a parent, its child and that one's child, each
// with files of its own.
var fileNames = []string{"README.md", "a.txt", "b.txt", "conf/x.ini", "conf/y.ini", "crds/c.yaml", "t.tpl"}

func family(templates map[string]string, values map[string]any) *chart.Chart {
	parent, child, grandchild := member("parent"), member("child"), member("grandchild")
	child.AddDependency(grandchild)
	parent.AddDependency(child)
	parent.Values = values
	for path, content := range templates {
		owner := parent
		switch {
		case strings.HasPrefix(path, "child/"):
			owner = child
		case strings.HasPrefix(path, "grandchild/"):
			owner = grandchild
		}
		name := "templates/" + path[strings.LastIndex(path, "/")+1:]
		owner.Templates = append(owner.Templates, &chart.File{Name: name, Data: []byte(content + "{{ $copied := deepCopy . }}")})
	}
	return parent
}

func member(name string) *chart.Chart {
	c := &chart.Chart{Metadata: &chart.Metadata{Name: name, Version: "1.0.0", APIVersion: "v2"}, Values: map[string]any{}}
	for _, file := range fileNames {
		content := name + " says " + file + "\nand more"
		if file == "t.tpl" {
			content = "{{ .Files.Get \"a.txt\" }}"
		}
		c.Files = append(c.Files, &chart.File{Name: file, Data: []byte(content)})
	}
	return c
}

func render(t *testing.T, c *chart.Chart) string {
	t.Helper()
	values, err := chartutil.ToRenderValues(c, map[string]any{}, chartutil.ReleaseOptions{Name: "r", Namespace: "n"}, chartutil.DefaultCapabilities)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Render(c, values)
	if err != nil {
		return "error: " + err.Error()
	}
	out := ""
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out += name + ": " + files[name] + "\n"
	}
	return out
}

// keeps lists the files that are left, by chart; all of them is "all".
func keeps(c *chart.Chart) string {
	var parts []string
	for ; c != nil; c = next(c) {
		var names []string
		for _, file := range c.Files {
			if file.Name != "crds/c.yaml" {
				names = append(names, file.Name)
			}
		}
		left := strings.Join(names, " ")
		if len(c.Files) == len(fileNames) {
			left = "all"
		}
		parts = append(parts, left)
	}
	return strings.Join(parts, "|")
}

func next(c *chart.Chart) *chart.Chart {
	if len(c.Dependencies()) == 0 {
		return nil
	}
	return c.Dependencies()[0]
}

type example struct {
	kept      string // parent|child|grandchild
	templates map[string]string
	values    map[string]any
}

func one(kept, template string) example {
	return example{kept: kept, templates: map[string]string{"m.yaml": template}}
}

// Every example renders to the same bytes with and without the files that are
// left out, and as many are left out as can be.
func TestRenderingStaysTheSame(t *testing.T) {
	for i, test := range slices.Concat(plainExamples, contextExamples, templateExamples, textExamples) {
		t.Run(fmt.Sprint(i, " ", test.templates["m.yaml"]), func(t *testing.T) {
			full := family(test.templates, test.values)
			small := lighten(family(test.templates, test.values), nil)
			if got, want := render(t, small), render(t, full); got != want {
				t.Errorf("renders to\n%s\nwant\n%s", got, want)
			}
			if got := keeps(small); got != test.kept {
				t.Errorf("keeps %q, want %q", got, test.kept)
			}
			if got, want := len(small.CRDObjects()), len(full.CRDObjects()); got != want {
				t.Errorf("has %d CRDs, want %d", got, want)
			}
		})
	}
}

func TestTheChartItselfStaysWhole(t *testing.T) {
	whole := family(map[string]string{"m.yaml": "x"}, nil)
	small := lighten(whole, nil)
	if got := keeps(whole); got != "all|all|all" {
		t.Errorf("the chart was left with %q", got)
	}
	if got := keeps(small); got != "||" {
		t.Errorf("the copy keeps %q", got)
	}
	if small.Dependencies()[0].Parent() != small || whole.Dependencies()[0].Parent() != whole {
		t.Error("a subchart has the wrong parent")
	}
}

func TestChartsThatCopyNothingAreLeftAlone(t *testing.T) {
	whole := member("parent")
	whole.Templates = []*chart.File{{Name: "templates/m.yaml", Data: []byte("{{ .Values.x }}")}}
	if Chart(whole, nil) != whole {
		t.Error("a chart that copies nothing was analysed")
	}
}

func TestABrokenTemplateIsLeftToHelm(t *testing.T) {
	whole := family(map[string]string{"m.yaml": "{{ if }}"}, nil)
	if lighten(whole, nil) != whole {
		t.Error("a chart that does not parse was changed")
	}
}
