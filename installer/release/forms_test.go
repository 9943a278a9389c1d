package release

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"helm.sh/helm/v3/pkg/chart"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// TestMain keeps Helm's warnings about the chart out of the tests' output.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

const (
	standInChart = "../../sandbox/chart/gitops-runtime"
	answersDir   = "../../testdata/answers"
)

// Every printed form of every answers file renders to the manifests that an
// install would apply. The printed command is tried with helm itself in the
// end-to-end tests.
func TestEveryFormRendersTheSame(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(answersDir, "*.yaml"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d answers files, want at least 60 (%v)", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			built := planOf(t, file)
			want := hash(t, built.Merged(), built)
			for form, values := range formValues(t, built) {
				got := hash(t, values, built)
				t.Logf("%-28s %-12s %s", name, form, got[:16])
				if got != want {
					t.Errorf("%s renders to other manifests", form)
				}
			}
		})
	}
}

// planOf builds the plan of an answers file whose files stand beside it.
func planOf(t *testing.T, file string) plan.Plan {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := answers.Read(file, data, answers.Default())
	if err != nil {
		t.Fatal(err)
	}
	sources := plan.Sources{Files: map[string][]byte{}, Now: time.Now(), Projects: Projects(loadStandIn(t))}
	for _, name := range plan.FileNames(a) {
		if sources.Files[name], err = os.ReadFile(filepath.Join(answersDir, "files", name)); err != nil {
			t.Fatal(err)
		}
	}
	built, err := plan.Build(a, sources)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func loadStandIn(t *testing.T) *chart.Chart {
	t.Helper()
	fetched, err := FetchChart(t.Context(), standInChart, "")
	if err != nil {
		t.Fatal(err)
	}
	return fetched.Chart
}

// hash renders values, as Helm is given them, and hashes the manifests.
func hash(t *testing.T, values map[string]any, built plan.Plan) string {
	t.Helper()
	manifests, err := manifestsOf(values, built, loadStandIn(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(manifests) < 30_000 {
		t.Fatalf("only %d bytes of manifests", len(manifests))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(manifests)))
}

// formValues are the values in each printed form, read as its tool reads them.
func formValues(t *testing.T, built plan.Plan) map[string]map[string]any {
	t.Helper()
	printed := func(form string) []byte {
		data, err := built.Print(form)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	documents := func(form string) []string { return strings.Split(string(printed(form)), "\n---\n") }
	argo, flux := documents("argocd"), documents("flux")
	return map[string]map[string]any{
		"values":       fromYAML(t, string(printed("values"))),
		"argocd":       under(t, fromYAML(t, argo[len(argo)-1]), "spec", "source", "helm", "valuesObject"),
		"flux":         under(t, fromYAML(t, flux[len(flux)-1]), "spec", "values"),
		"terraform":    fromTerraform(t, printed("terraform")),
		"terraform-v2": fromTerraform(t, printed("terraform-v2")),
	}
}

func fromYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	values := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return values
}

func under(t *testing.T, tree map[string]any, path ...string) map[string]any {
	t.Helper()
	for _, name := range path {
		child, ok := tree[name].(map[string]any)
		if !ok {
			t.Fatalf("there is no %s", strings.Join(path, "."))
		}
		tree = child
	}
	return tree
}

// fromTerraform evaluates the values of the helm_release as Terraform does.
func fromTerraform(t *testing.T, text []byte) map[string]any {
	t.Helper()
	file, problems := hclparse.NewParser().ParseHCL(text, "main.tf")
	if problems.HasErrors() {
		t.Fatalf("%v\n%s", problems, text)
	}
	for _, block := range file.Body.(*hclsyntax.Body).Blocks {
		if block.Type != "resource" || block.Labels[0] != "helm_release" {
			continue
		}
		call := block.Body.Attributes["values"].Expr.(*hclsyntax.TupleConsExpr).Exprs[0].(*hclsyntax.FunctionCallExpr)
		if call.Name != "yamlencode" {
			t.Fatalf("values are made by %s", call.Name)
		}
		value, problems := call.Args[0].Value(nil)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		data, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]any{}
		if err := json.Unmarshal(data, &values); err != nil {
			t.Fatal(err)
		}
		return values
	}
	t.Fatal("there is no helm_release")
	return nil
}
