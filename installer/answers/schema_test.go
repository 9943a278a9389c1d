package answers

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("answers.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("answers.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The schema accepts what the program accepts and refuses what it refuses.
func TestSchemaAgreesWithTheProgram(t *testing.T) {
	schema := compiled(t)
	for text, want := range map[string]bool{
		"":                                  true,
		"runtime: {name: payments}\n":       true,
		"runtime: {name: from-terraform}\n": true,
		"runtime: {name: My_Runtime}\n":     false,
		"runtime: {name: aaaaaaaaaabbbbbbbbbbccccccccccdddddddd}\n":  true,
		"runtime: {name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddd}\n": false,
		"runtime: {nmae: x}\n":                                                    false,
		"runtime: [a]\n":                                                          false,
		"runtime: null\n":                                                         true,
		"runtime: {name: {a: b}}\n":                                               false,
		"runtime: {namespace: Not_One}\n":                                         false,
		"runtime: {release: a.b}\n":                                               true,
		"runtime: {chart: \"\"}\n":                                                false,
		"unknown: {}\n":                                                           false,
		"codefresh: {accountId: 007}\n":                                           true,
		"codefresh: {apiKey: hunter2}\n":                                          false,
		"codefresh: {apiKey: {env: A}}\n":                                         true,
		"codefresh: {apiKey: {env: A, file: b}}\n":                                false,
		"codefresh: {apiKey: {secretRef: {name: a, key: b}}}\n":                   true,
		"codefresh: {apiKey: {secretRef: {name: a}}}\n":                           false,
		"codefresh: {apiKey: {envv: A}}\n":                                        false,
		"access: {mode: tunel}\n":                                                 false,
		"access: {mode: ingress}\n":                                               false,
		"access: {mode: ingress, ingress: {host: h.example.com}}\n":               false,
		"access: {mode: ingress, ingress: {host: h.example.com, class: nginx}}\n": true,
		"access: {mode: ingress, ingress: {host: h.example.com, class: n, protocol: ftp}}\n":       false,
		"access: {mode: ingress, ingress: {host: h.example.com, class: n, annotations: {a: 1}}}\n": true,
		"access: {mode: ingress, ingress: {host: h.example.com, class: n, annotations: [a]}}\n":    false,
		"access: {mode: mesh}\n":                                                 false,
		"access: {mode: mesh, mesh: {url: \"https://h\"}}\n":                     true,
		"access: {mode: gateway, gateway: {parent: a/b, host: h.example.com}}\n": true,
		"access: {mode: gateway, gateway: {host: h.example.com}}\n":              false,
		"git: {provider: github}\n":                                              true,
		"git: {provider: svn}\n":                                                 false,
		"git: {runtimeToken: {}}\n":                                              true,
		"argocd: {mode: exsting}\n":                                              false,
		"crds: {mode: adopt}\n":                                                  true,
		"options: {timeout: 10m}\n":                                              true,
		"options: {timeout: 1h30m}\n":                                            true,
		"options: {timeout: soon}\n":                                             false,
		"options: {timeout: 0s}\n":                                               false,
		"options: {timeout: -1s}\n":                                              false,
		"options: {timeout: 10}\n":                                               false,
		"options: {ha: true}\n":                                                  true,
		"options: {ha: maybe}\n":                                                 false,
		"options: {ha: 1}\n":                                                     false,
		"options: {values: [a.yaml]}\n":                                          true,
		"options: {values: a.yaml}\n":                                            false,
		"tls: {gitCA: {git.example.com: ca.pem}}\n":                              true,
	} {
		var document any
		if err := yaml.Unmarshal([]byte(header+text), &document); err != nil {
			t.Fatal(err)
		}
		bySchema := schema.Validate(document) == nil
		base := Default()
		base.Codefresh.AccountID = "a"
		read, _, err := Read("f", []byte(header+text), base)
		byProgram := err == nil && len(read.Validate().Problems) == 0
		if bySchema != want || byProgram != want {
			t.Errorf("%q: the schema says %v, the program %v, want %v (%v, %v)", text, bySchema, byProgram, want, schema.Validate(document), err)
		}
	}
}

// Every field of the catalogue is in the schema, with the same words.
func TestSchemaHasEveryField(t *testing.T) {
	data, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range Fields {
		title := []byte(`"description": ` + quoted(t, field.Meaning))
		if !bytes.Contains(data, title) {
			t.Errorf("the schema does not describe %s", field.Path)
		}
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSchemaFileIsFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "answers.schema.json")
	want, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is stale: run `make golden` (%v)", path, err)
	}
}
