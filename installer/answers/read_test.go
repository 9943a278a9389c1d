package answers

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/problem"
)

const header = "apiVersion: cfwizard/v1\nkind: Answers\n"

func TestReadLaysTheFileOverTheBase(t *testing.T) {
	got, _, err := Read("a.yaml", []byte(header+`
codefresh: {accountId: 007, apiKey: {file: /key}}
runtime: {name: payments}
access:
  mode: ingress
  ingress: {host: h.example.com, class: nginx, annotations: {a/b: "1"}}
git: {runtimeToken: {secretRef: {name: n, key: k}}}
options: {timeout: 90s, wait: false, values: [a.yaml, b.yaml]}
`), Default())
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Codefresh.AccountID, want.Codefresh.APIKey = "007", SecretRef{File: "/key"}
	want.Runtime.Name = "payments"
	want.Access.Mode = IngressMode
	want.Access.Ingress.Host, want.Access.Ingress.Class = "h.example.com", "nginx"
	want.Access.Ingress.Annotations = map[string]string{"a/b": "1"}
	want.Git.RuntimeToken = SecretRef{SecretRef: &KeyInSecret{Name: "n", Key: "k"}}
	want.Options.Timeout, want.Options.Wait = Duration(90*time.Second), false
	want.Options.Values = []string{"a.yaml", "b.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadNamesFieldLineAndColumn(t *testing.T) {
	tests := []struct{ name, text, place, field, says string }{
		{"unknown field", header + "runtime: {nmae: x}\n", "a.yaml:3:11", "runtime.nmae", "Did you mean name?"},
		{"unknown section", header + "runtmie: {}\n", "a.yaml:3:1", "runtmie", "Did you mean runtime?"},
		{"literal secret", header + "codefresh:\n  apiKey: hunter2\n", "a.yaml:4:11", "codefresh.apiKey", "must not stand in this file"},
		{"two sources", header + "codefresh: {apiKey: {env: A, file: b}}\n", "a.yaml:3:21", "codefresh.apiKey", "exactly one source"},
		{"half a secretRef", header + "codefresh: {apiKey: {secretRef: {name: a}}}\n", "a.yaml:3:21", "codefresh.apiKey", "a name and a key"},
		{"two secretRefs", header + "codefresh: {apiKey: {secretRef: {name: a, key: b}, secretRef: x}}\n", "a.yaml:3:52", "codefresh.apiKey.secretRef", "given twice"},
		{"a variable with a hyphen", header + "codefresh: {apiKey: {env: MY-KEY}}\n", "a.yaml:3:21", "codefresh.apiKey", "does not name a variable"},
		{"a variable that is a command", header + "codefresh: {apiKey: {env: 'X}$(echo hunter2)${Y'}}\n", "a.yaml:3:21", "codefresh.apiKey", "does not name a variable"},
		{"a key for a variable", header + "git: {runtimeToken: {env: hunter2.hunter2}}\n", "a.yaml:3:21", "git.runtimeToken", "does not name a variable"},
		{"unknown source", header + "codefresh: {apiKey: {envv: A}}\n", "a.yaml:3:22", "codefresh.apiKey.envv", "Did you mean env?"},
		{"twice", header + "runtime: {name: a, name: b}\n", "a.yaml:3:20", "runtime.name", "given twice"},
		{"list for a map", header + "runtime: [a]\n", "a.yaml:3:10", "runtime", "this is a list"},
		{"map for a text", header + "runtime: {name: {a: b}}\n", "a.yaml:3:17", "runtime.name", "this is a map"},
		{"no duration", header + "options: {timeout: soon}\n", "a.yaml:3:20", "options.timeout", "not a duration"},
		{"negative duration", header + "options: {timeout: -1s}\n", "a.yaml:3:20", "options.timeout", "not a duration"},
		{"no bool", header + "options: {ha: maybe}\n", "a.yaml:3:15", "options.ha", "neither true nor false"},
		{"control character", header + "runtime: {name: \"a\\x1b[2J\"}\n", "a.yaml:3:17", "runtime.name", "does not print"},
		{"unknown version", "apiVersion: cfwizard/v9\nkind: Answers\n", "a.yaml:1:13", "apiVersion", "Known is cfwizard/v1"},
		{"no header", "runtime: {}\n", "a.yaml:1:1", "apiVersion", "missing"},
		{"tab", header + "runtime:\n\tname: x\n", "a.yaml:4:1", "", "not valid YAML"},
		{"alias", header + "runtime: &a {name: x}\naccess: *a\n", "a.yaml:3:10", "", "aliases"},
		{"two documents", header + "---\n" + header, "a.yaml:3:1", "", "more than one"},
		{"empty", "", "a.yaml:1:1", "", "empty"},
		{"a list", "- a\n", "a.yaml:1:1", "", "not a map"},
		{"too large", header + "#" + strings.Repeat("x", MaxBytes), "a.yaml:1:1", "", "larger than"},
	}
	for _, test := range tests {
		_, _, err := Read("a.yaml", []byte(test.text), Default())
		if problem.KindOf(err) != problem.Invalid || err == nil {
			t.Errorf("%s: got %v", test.name, err)
			continue
		}
		first := problem.All(err)[0]
		whole := first.What + " " + first.Why + " " + first.Fix
		if first.Place != test.place || first.Field != test.field || !strings.Contains(whole, test.says) {
			t.Errorf("%s: at %s, field %q: %s\nwant at %s, field %q, with %q", test.name, first.Place, first.Field, whole, test.place, test.field, test.says)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: repeats the secret", test.name)
		}
	}
}

func TestReadTellsAllProblemsAtOnce(t *testing.T) {
	_, _, err := Read("a.yaml", []byte(header+"runtime: {nmae: x}\noptions: {ha: maybe}\n"), Default())
	if got := len(problem.All(err)); got != 2 {
		t.Errorf("%d problems, want 2: %v", got, err)
	}
}

func TestReadToleratesBOMAndCRLF(t *testing.T) {
	text := "\xef\xbb\xbf" + strings.ReplaceAll(header+"runtime: {name: x}\n", "\n", "\r\n")
	got, _, err := Read("a.yaml", []byte(text), Default())
	if err != nil || got.Runtime.Name != "x" {
		t.Errorf("got %q, %v", got.Runtime.Name, err)
	}
}

func TestPlacesOfFields(t *testing.T) {
	_, places, err := Read("a.yaml", []byte(header+"runtime:\n  name: x\naccess: {mode: ingress}\n"), Default())
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"runtime.name": "a.yaml:4:9", "access.mode": "a.yaml:5:16", "access.ingress.host": "a.yaml:5:9", "codefresh.accountId": "a.yaml:1:1",
	} {
		if got := places.Of(field); got != want {
			t.Errorf("%s is at %s, want %s", field, got, want)
		}
	}
}

// Every leaf of the answers is in the catalogue, and the other way round.
func TestCatalogueIsComplete(t *testing.T) {
	leaves := map[string]bool{}
	collect(reflect.TypeFor[Answers](), "", leaves)
	for _, field := range Fields {
		if !leaves[field.Path] {
			t.Errorf("%s is in the catalogue but not in the answers", field.Path)
		}
		delete(leaves, field.Path)
		if field.Title == "" || field.Meaning == "" || field.Example == "" {
			t.Errorf("%s lacks words", field.Path)
		}
	}
	for path := range leaves {
		t.Errorf("%s is not in the catalogue", path)
	}
}

func collect(typ reflect.Type, path string, leaves map[string]bool) {
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[SecretRef]() {
		leaves[path] = true
		return
	}
	for i := range typ.NumField() {
		collect(typ.Field(i).Type, strings.TrimPrefix(path+"."+yamlName(typ.Field(i)), "."), leaves)
	}
}

func TestExamplesAndDefaultsCanBeSet(t *testing.T) {
	for _, field := range Fields {
		for _, text := range []string{field.Example, field.Default()} {
			changed, err := Default().Set(field.Path, text)
			if err != nil {
				t.Errorf("%s = %q: %v", field.Path, text, err)
			} else if got := changed.Get(field.Path); got != text {
				t.Errorf("%s = %q reads back as %q", field.Path, text, got)
			}
		}
	}
}

func TestEnvNames(t *testing.T) {
	for path, want := range map[string]string{"runtime.name": "CFWIZARD_RUNTIME_NAME", "git.sharedConfigRepo": "CFWIZARD_GIT_SHARED_CONFIG_REPO", "git.apiUrl": "CFWIZARD_GIT_API_URL", "tls.platformCA": "CFWIZARD_TLS_PLATFORM_CA"} {
		field, _ := FieldAt(path)
		if field.Env() != want {
			t.Errorf("%s: %s, want %s", path, field.Env(), want)
		}
	}
}

func TestSetLeavesTheOriginalAlone(t *testing.T) {
	a := Default()
	a.Access.Ingress.Annotations = map[string]string{"k": "v"}
	b := a.Clone()
	b.Access.Ingress.Annotations["k"] = "changed"
	if a.Access.Ingress.Annotations["k"] != "v" {
		t.Error("a clone shares its map")
	}
	if _, err := a.Set("runtime.name", "other"); err != nil || a.Runtime.Name != "codefresh" {
		t.Errorf("Set changed the original: %q, %v", a.Runtime.Name, err)
	}
}

// What is read can be written, and reads the same again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(header + "runtime: {name: x}\n"))
	f.Add([]byte(header + "access: {mode: mesh, mesh: {url: \"https://a\"}}\noptions: {timeout: 1h, values: [a]}\n"))
	f.Add([]byte(header + "codefresh: {apiKey: {secretRef: {name: a, key: b}, secretRef: x}}\n"))
	f.Add([]byte(header + "tls: {gitCA: {h: f}}\ncodefresh: {apiKey: {secretRef: {name: a, key: b}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, _, err := Read("f", data, Default())
		if err != nil {
			return
		}
		written, err := read.Write()
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Read("f", written, Default())
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if diff := cmp.Diff(read, again); diff != "" {
			t.Errorf("changed on its way:\n%s", diff)
		}
	})
}
