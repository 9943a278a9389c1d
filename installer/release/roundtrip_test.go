package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/valuesfile"
)

// A values file that today's chart takes renders the same by itself and by way
// of the answers that it becomes.
func TestValuesFilesSurviveTheAnswers(t *testing.T) {
	rendered := 0
	files, err := filepath.Glob("../../testdata/values/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		own := map[string]any{}
		if err := yaml.Unmarshal(data, &own); err != nil {
			t.Fatal(err)
		}
		file, err := valuesfile.Parse(path, data)
		if err != nil {
			t.Fatal(err)
		}
		a, err := file.ToAnswers(answers.Default())
		if err != nil {
			t.Fatal(err)
		}
		a.Options.Values = []string{path}
		built, err := plan.Build(a, plan.Sources{Files: map[string][]byte{path: data}})
		if err != nil || check.Worst(valuesfile.Judge(file)) == check.Fail {
			continue // the judgement says what is wrong with it
		}
		name := filepath.Base(path)
		before, after := objectsOf(t, own, built), objectsOf(t, built.Merged(), built)
		if strings.Contains(name, "literal-token") {
			if strings.Contains(after, "hunter2") || !strings.Contains(before, "aHVudGVyMg") && !strings.Contains(before, "hunter2") {
				t.Errorf("%s: the token is not left out", name)
			}
			continue
		}
		rendered++
		if before != after {
			t.Errorf("%s renders differently by way of the answers", name)
		}
	}
	if rendered < 8 {
		t.Errorf("only %d files were rendered", rendered)
	}
}

// objectsOf renders values without the hooks: one of those holds all values as
// text.
func objectsOf(t *testing.T, values map[string]any, built plan.Plan) string {
	t.Helper()
	manifests, err := manifestsOf(values, built, loadStandIn(t))
	if err != nil {
		t.Fatal(err)
	}
	var objects []string
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		if !strings.Contains(document, "helm.sh/hook") {
			objects = append(objects, document)
		}
	}
	return strings.Join(objects, "\n---\n")
}
