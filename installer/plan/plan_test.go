package plan

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/strvals"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func given(change func(*answers.Answers)) answers.Answers {
	a := answers.Default()
	a.Codefresh.AccountID = "64f0c0ffee00000000000001"
	if change != nil {
		change(&a)
	}
	return a
}

func build(t *testing.T, a answers.Answers) Plan {
	t.Helper()
	p, err := Build(a, Sources{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var modes = map[string]func(*answers.Answers){
	"tunnel": nil,
	"ingress": func(a *answers.Answers) {
		a.Access.Mode, a.Access.Ingress.Host, a.Access.Ingress.Class = answers.IngressMode, "h.example.com", "nginx"
		a.Access.Ingress.TLSSecret = "cert"
		a.Access.Ingress.Annotations = map[string]string{"a.b/c": `x,y={z}\ "q" 'r' $HOME` + "\nsecond line", "empty": ""}
	},
	"mesh": func(a *answers.Answers) { a.Access.Mode, a.Access.Mesh.URL = answers.MeshMode, "https://h.example.com" },
	"gateway": func(a *answers.Answers) {
		a.Access.Mode, a.Access.Gateway.Parent, a.Access.Gateway.Host = answers.GatewayMode, "infra/public", "h.example.com"
	},
	"on premises": func(a *answers.Answers) {
		a.Codefresh.URL, a.Access.Mode, a.Access.Mesh.URL = "https://cf.example.com/", answers.MeshMode, "http://h"
	},
	"numbers": func(a *answers.Answers) { a.Codefresh.AccountID, a.Runtime.Name = "123456", "e1" },
	"everything": func(a *answers.Answers) {
		a.Git.RuntimeToken, a.Git.Username = answers.SecretRef{File: "/tmp/a b"}, "bot"
		a.Codefresh.APIKey = answers.SecretRef{SecretRef: &answers.KeyInSecret{Name: "mine", Key: "k"}}
		a.Options.SkipValidation, a.Options.SkipUsageValidation, a.Options.ConfigurationRuntime = true, true, true
		a.Cluster.Context, a.Cluster.Kubeconfig, a.Runtime.Version = "my ctx", "/tmp/k c", "1.2.3"
	},
}

// helm, given the printed flags by a shell, sees the plan's values.
func TestPrintedFlagsGiveTheValues(t *testing.T) {
	for name, change := range modes {
		p := build(t, given(change))
		script := "for word in " + strings.Join(setFlags("", p.Values), " ") + `; do printf '%s\0' "$word"; done`
		out, err := exec.Command("sh", "-c", script).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, script)
		}
		got := map[string]any{}
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		for i := 0; i+1 < len(words); i += 2 {
			parse := strvals.ParseInto
			if words[i] == "--set-string" {
				parse = strvals.ParseIntoString
			}
			if err := parse(words[i+1], got); err != nil {
				t.Fatalf("%s: %s: %v", name, words[i+1], err)
			}
		}
		if diff := cmp.Diff(p.Values, got); diff != "" {
			t.Errorf("%s (-plan +helm):\n%s", name, diff)
		}
	}
}

func TestScriptIsShell(t *testing.T) {
	for name, change := range modes {
		script, err := build(t, given(change)).Command()
		if err != nil {
			t.Fatal(err)
		}
		check := exec.Command("sh", "-n")
		check.Stdin = strings.NewReader(string(script))
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s\n%s", name, err, out, script)
		}
		lines := string(script)
		if !strings.HasPrefix(lines, "#!/bin/sh\n") || !strings.Contains(lines, "--create-namespace") {
			t.Errorf("%s: not the documented command\n%s", name, lines)
		}
	}
}

func TestValues(t *testing.T) {
	for _, test := range []struct {
		mode, path string
		want       any
	}{
		{"tunnel", "tunnel-client.enabled", nil},
		{"tunnel", "global.codefresh.userToken.secretKeyRef.name", SecretName},
		{"tunnel", "global.codefresh.url", nil},
		{"numbers", "global.codefresh.accountId", "123456"},
		{"ingress", "tunnel-client.enabled", false},
		{"mesh", "tunnel-client.enabled", false},
		{"mesh", "global.runtime.ingressUrl", "https://h.example.com"},
		{"gateway", "global.runtime.ingressUrl", "https://h.example.com"},
		{"on premises", "global.codefresh.url", "https://cf.example.com"},
		{"on premises", "app-proxy.config.cors", "https://cf.example.com"},
		{"everything", "global.codefresh.userToken.secretKeyRef.name", "mine"},
		{"everything", "global.runtime.gitCredentials.password.secretKeyRef.key", KeyRuntimeToken},
		{"everything", "installer.skipValidation", true},
	} {
		if got := ValueAt(build(t, given(modes[test.mode])).Values, test.path); got != test.want {
			t.Errorf("%s: %s is %v, want %v", test.mode, test.path, got, test.want)
		}
	}
}

func TestJSONHasTheContractsKeys(t *testing.T) {
	data, err := build(t, given(func(a *answers.Answers) { a.Git.SharedConfigRepo = "github.com/o/r" })).Print("json")
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"release", "namespace", "chart", "version", "values", "objects", "git", "after", "warnings"} {
		if got[key] == nil {
			t.Errorf("%s is missing or null", key)
		}
	}
	want := map[string]any{"provider": "github", "apiUrl": "https://api.github.com", "sharedConfigRepo": "https://github.com/o/r.git"}
	if diff := cmp.Diff(want, got["git"]); diff != "" {
		t.Errorf("git (-want +got):\n%s", diff)
	}
}

func TestOurSecretHoldsOnlyWhatIsNotInTheClusterYet(t *testing.T) {
	p := build(t, given(modes["everything"]))
	want := map[string]string{KeyRuntimeToken: "git.runtimeToken"}
	if diff := cmp.Diff(want, p.TokenFields()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, object := range p.Objects {
		if object.Name == "codefresh-token" {
			t.Error("codefresh-token is the runtime's own")
		}
	}
}
