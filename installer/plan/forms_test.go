package plan

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// plansOfFiles builds the plan of every answers file of the project.
func plansOfFiles(t *testing.T) map[string]Plan {
	t.Helper()
	files, err := filepath.Glob("../../testdata/answers/*.yaml")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d answers files (%v)", len(files), err)
	}
	plans := map[string]Plan{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := answers.Read(file, data, answers.Default())
		if err != nil {
			t.Fatal(err)
		}
		sources := Sources{Files: map[string][]byte{}}
		for _, name := range FileNames(a) {
			if sources.Files[name], err = os.ReadFile("../../testdata/answers/files/" + name); err != nil {
				t.Fatal(err)
			}
		}
		if plans[file], err = Build(a, sources); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return plans
}

func TestTerraformParses(t *testing.T) {
	for file, p := range plansOfFiles(t) {
		for _, form := range []string{"terraform", "terraform-v2"} {
			text, err := p.Print(form)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := hclparse.NewParser().ParseHCL(text, "main.tf"); problems.HasErrors() {
				t.Errorf("%s: %v\n%s", file, problems, text)
			}
			if form == "terraform-v2" != strings.Contains(string(text), "kubernetes {") {
				t.Errorf("%s: %s has the other version's Kubernetes settings\n%s", file, form, text)
			}
		}
	}
}

// shellcheck looks at every script, where it is installed.
func TestScriptsPassShellcheck(t *testing.T) {
	path, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not installed: the scripts were only parsed by sh")
	}
	dir := t.TempDir()
	var scripts []string
	for file, p := range plansOfFiles(t) {
		text, err := p.Command()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.Base(file)+".sh")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, name)
	}
	// A dollar sign in single quotes is what the person's value holds.
	if out, err := exec.Command(path, append([]string{"--shell=sh", "--exclude=SC2016"}, scripts...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// No form of any plan holds what a secret reference leads to, though every
// reference leads somewhere.
func TestNoFormHoldsASecret(t *testing.T) {
	const canary = "canary-secret"
	plans, references := plansOfFiles(t), 0
	t.Chdir(t.TempDir())
	for _, p := range plans {
		for _, token := range p.tokens {
			switch {
			case token.Ref.File != "":
				if err := os.WriteFile(token.Ref.File, []byte(canary), 0o600); err != nil {
					t.Fatal(err)
				}
			default:
				t.Setenv(token.Variable, canary)
			}
			references++
		}
	}
	if references < len(plans) {
		t.Errorf("only %d references in %d plans", references, len(plans))
	}
	for file, p := range plans {
		for _, form := range Forms {
			text, err := p.Print(form.Name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), canary) || strings.Contains(string(text), base64.StdEncoding.EncodeToString([]byte(canary))) {
				t.Errorf("%s as %s holds the secret", file, form.Name)
			}
		}
	}
}

// The script hands secrets to kubectl over standard input: no argument of any
// program shows one.
func TestTheScriptGivesSecretsToKubectlAlone(t *testing.T) {
	const canary = "canary-secret"
	encoded := base64.StdEncoding.EncodeToString([]byte(canary))
	for name, change := range modes {
		dir := t.TempDir()
		write := func(name, content string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
				t.Fatal(err)
			}
			return path
		}
		write("kubectl", "#!/bin/sh\necho \"kubectl $*\" >>'"+dir+"/arguments'\ncat >>'"+dir+"/given'\n")
		write("helm", "#!/bin/sh\necho \"helm $*\" >>'"+dir+"/arguments'\n")
		a := given(change)
		if a.Git.RuntimeToken.File != "" {
			a.Git.RuntimeToken.File = write("a token", canary)
		}
		p := build(t, a)
		script, err := p.Command()
		if err != nil {
			t.Fatal(err)
		}
		run := exec.Command("sh", "-s")
		run.Stdin, run.Env = bytes.NewReader(script), []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
		for _, token := range p.shellTokens() {
			if token.Variable != "" {
				run.Env = append(run.Env, token.Variable+"="+canary)
			}
		}
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		read := func(name string) string {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return string(content)
		}
		if got := strings.Count(read("given"), encoded); got != len(p.tokens) {
			t.Errorf("%s: kubectl was given %d secrets, want %d\n%s", name, got, len(p.tokens), read("given"))
		}
		arguments := read("arguments")
		if strings.Contains(arguments, canary) || strings.Contains(arguments, encoded) || !strings.Contains(arguments, "helm upgrade --install") {
			t.Errorf("%s: a secret is among the arguments, or helm was not called\n%s", name, arguments)
		}
	}
}

// Forms that cannot take over the CRDs that are there say that it comes first.
func TestFormsSayThatCRDsAreAdoptedFirst(t *testing.T) {
	for _, form := range []string{"terraform", "terraform-v2", "argocd", "flux"} {
		for mode, want := range map[string]bool{"adopt": true, "install": false, "skip": false} {
			text, err := build(t, given(func(a *answers.Answers) { a.CRDs.Mode = mode })).Print(form)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), adoptFirst) != want {
				t.Errorf("%s with crds.mode %s:\n%.300s", form, mode, text)
			}
		}
	}
}
