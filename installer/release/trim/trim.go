// Package trim leaves out the files of a chart that no template can read.
// Templates that copy their context copy every file with it, byte by byte;
// without the files a large chart renders ten times faster, to the same bytes.
//
// Which files can be read is found out by following, through all templates,
// where the contexts of the charts go. Where that is in doubt, files stay.
package trim

import (
	"bytes"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// worthwhile is how many bytes of files a chart must have.
const worthwhile = 4 << 10

// Chart gives a copy of a chart, for rendering with values, without the files
// that no template can read. The copy shares everything else with the chart.
func Chart(c *chart.Chart, values map[string]any) *chart.Chart {
	if !copies(c) || weight(c) < worthwhile {
		return c
	}
	return lighten(c, values)
}

// copies reports whether a chart's templates copy anything: without that, files
// cost nothing.
func copies(c *chart.Chart) bool {
	for _, file := range c.Templates {
		if bytes.Contains(file.Data, []byte("eepCopy")) {
			return true
		}
	}
	return slices.ContainsFunc(c.Dependencies(), copies)
}

func weight(c *chart.Chart) int {
	sum := 0
	for _, file := range c.Files {
		sum += len(file.Data)
	}
	for _, child := range c.Dependencies() {
		sum += weight(child)
	}
	return sum
}

func lighten(c *chart.Chart, values map[string]any) *chart.Chart {
	a := newAnalysis(c)
	if err := a.parseAll(); err != nil {
		return c // Helm will say what is wrong with it
	}
	a.gatherTexts(values)
	a.run()
	return a.trimmed(c)
}

func (a *analysis) trimmed(c *chart.Chart) *chart.Chart {
	copied := *c
	index := a.indexOf[c]
	if !a.wholly[index] {
		copied.Files = nil
		kept := a.kept(index)
		for _, file := range c.Files {
			// Helm takes CRDs from the files, too.
			if kept[file.Name] || strings.HasPrefix(file.Name, "crds/") {
				copied.Files = append(copied.Files, file)
			}
		}
	}
	children := make([]*chart.Chart, 0, len(c.Dependencies()))
	for _, child := range c.Dependencies() {
		children = append(children, a.trimmed(child))
	}
	copied.SetDependencies(children...)
	return &copied
}
