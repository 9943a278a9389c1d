package platform

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

const contextsFile = `contexts:
  Prod: {type: APIKey, name: Prod, url: "https://g.codefresh.io", token: ` + plainKey + `, defaultRuntime: r1, beta: true, more: [1, {a: b}]}
  onprem:
    type: apikey
    url: https://codefresh.acme.io
    token: second.key
    caCert: /etc/ca.pem
    onPrem: true
    account-id: a1
  123: {type: APIKey, url: "https://g.codefresh.io", token: 12345678}
  old: {type: JWT, url: "https://g.codefresh.io", token: eyJ, account-id: a2}
  keyless: {type: APIKey, url: "https://g.codefresh.io"}
  broken: {type: APIKey, url: "https://ada:pw@g.codefresh.io", token: third.key}
  scalar: text
  nothing:
current-context: prod
other: [things]
`

func TestContexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".cfconfig")
	if err := os.WriteFile(path, []byte(contextsFile), 0o400); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	got, err := Contexts(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Context{
		{Name: "123", URL: "https://g.codefresh.io", Key: secret.New("12345678")},
		{Name: "Prod", URL: "https://g.codefresh.io", Current: true, Key: secret.New(plainKey)},
		{Name: "onprem", URL: "https://codefresh.acme.io", AccountID: "a1", CA: "/etc/ca.pem", Key: secret.New("second.key")},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	after, _ := os.Stat(path)
	if content, _ := os.ReadFile(path); string(content) != contextsFile || !after.ModTime().Equal(before.ModTime()) {
		t.Error("the file was written")
	}
}

func TestTheCurrentContextIsTheExactOneFirst(t *testing.T) {
	const two = `{contexts: {A: {type: APIKey, url: "https://a.io", token: key1}, a: {type: APIKey, url: "https://a.io", token: key2}}, current-context: a}`
	got, err := parseContexts("", []byte(two))
	if err != nil || len(got) != 2 || got[0].Current || !got[1].Current {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestContextsThatAreNotThere(t *testing.T) {
	for name, content := range map[string]string{"no contexts": "current-context: a\n", "empty": "", "null": "contexts:\n"} {
		if got, err := parseContexts("", []byte(content)); err != nil || len(got) != 0 {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if got, err := Contexts(filepath.Join(t.TempDir(), "none")); err != nil || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestContextsThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := map[string]struct{ path, place string }{
		"a folder":        {folder, ""},
		"too large":       {file("large", "#"+strings.Repeat("x", maxContextsFile), 0o600), ""},
		"not YAML":        {file("tabs", "contexts:\n  a: {token: "+plainKey+"\n\tb", 0o600), ":2"},
		"text":            {file("text", plainKey, 0o600), ":1"},
		"another shape":   {file("list", "contexts: ["+plainKey+"]", 0o600), ":1"},
		"a bomb of alias": {file("bomb", bomb(), 0o600), ""},
	}
	if runtime.GOOS != "windows" && os.Geteuid() != 0 {
		tests["not for us"] = struct{ path, place string }{file("locked", contextsFile, 0o000), ""}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Contexts(test.path)
			p := expectProblem(t, err, "contexts-unreadable")
			if got != nil || p.Kind != problem.Invalid || p.Err != nil || !strings.HasSuffix(p.Place, test.place) {
				t.Errorf("got %v, %s", got, p.Error())
			}
		})
	}
}

// bomb is a small file that unfolds to a huge one.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 {x: " + plainKey + "}\n")
	for i := range 9 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+", ", 20) + "*a" + from + "]\n")
	}
	b.WriteString("contexts: {a: *a9}\n")
	return b.String()
}

func TestDefaultContextsPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("CFCONFIG", "")
	if got, err := DefaultContextsPath(); err != nil || got != filepath.Join(home, ".cfconfig") {
		t.Errorf("got %s, %v", got, err)
	}
	t.Setenv("CFCONFIG", "/elsewhere/cf.yaml")
	if got, err := DefaultContextsPath(); err != nil || got != "/elsewhere/cf.yaml" {
		t.Errorf("got %s, %v", got, err)
	}
	t.Setenv("CFCONFIG", "")
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	_, err := DefaultContextsPath()
	expectProblem(t, err, "contexts-unreadable")
}

func FuzzContexts(f *testing.F) {
	f.Add([]byte(contextsFile))
	f.Add([]byte("contexts: {a: {type: APIKey, url: https://a.io, token: [x]}}"))
	f.Fuzz(func(t *testing.T, content []byte) {
		contexts, err := parseContexts("cfconfig", content)
		if err != nil {
			expectProblem(t, err, "contexts-unreadable")
		}
		for _, c := range contexts {
			if c.Key.Empty() || c.URL == "" {
				t.Errorf("got %+v", c)
			}
		}
	})
}
