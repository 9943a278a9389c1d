package release

import (
	"path/filepath"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/cfwizard/cfwizard/installer/release/trim"
)

// The stand-in chart, heavy with files, renders the same with and without
// them.
func TestTheStandInRendersTheSameWithoutItsFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(answersDir, "*.yaml"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d answers files (%v)", len(files), err)
	}
	for i := 0; i < len(files); i += 8 {
		built := planOf(t, files[i])
		var rendered [2]string
		for j, prepare := range []func(*chart.Chart) *chart.Chart{
			func(c *chart.Chart) *chart.Chart { return c },
			func(c *chart.Chart) *chart.Chart { return trim.Chart(c, built.Merged()) },
		} {
			done, err := dryRun{plan: built, values: built.Merged()}.render(prepare(heavy(loadStandIn(t))))
			if err != nil {
				t.Fatal(err)
			}
			rendered[j] = documents(done, true)
		}
		if rendered[0] != rendered[1] {
			t.Errorf("%s renders differently", files[i])
		}
	}
	if small := trim.Chart(heavy(loadStandIn(t)), nil); len(small.Files) != 0 {
		t.Errorf("the chart keeps %d files", len(small.Files))
	}
}

func heavy(c *chart.Chart) *chart.Chart {
	c.Files = append(c.Files, &chart.File{Name: "LONG.md", Data: []byte(strings.Repeat("words ", 1000))})
	for _, child := range c.Dependencies() {
		heavy(child)
	}
	return c
}
