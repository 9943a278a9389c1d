package valuesfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
)

const dir = "../../testdata/values"

func parse(t *testing.T, name string) File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// verdicts are what must be said of each file: status, rule and place.
var verdicts = map[string][]string{
	"docs-tunnel":                   nil,
	"docs-tunnel-literal-token":     {"warn values.token docs-tunnel-literal-token:5:7"},
	"docs-ingress":                  nil,
	"docs-ingress-without-account":  {"fail values.account docs-ingress-without-account:2:3"},
	"docs-service-mesh":             nil,
	"mesh-with-tunnel-left-on":      {"fail values.access mesh-with-tunnel-left-on:3:22"},
	"gateway":                       nil,
	"existing-argocd":               nil,
	"docs-existing-argocd-outdated": {"warn values.dead docs-existing-argocd-outdated:4:3"},
	"docs-side-by-side-outdated": {"warn values.dead docs-side-by-side-outdated:7:1", "warn values.dead docs-side-by-side-outdated:8:1",
		"warn values.dead docs-side-by-side-outdated:6:18"},
	"numeric-account": {"fail values.account numeric-account:2:15"},
	"misspelt": {"fail values.name misspelt:1:1", "fail values.account misspelt:2:3", "warn values.unknown misspelt:4:1",
		"warn values.unknown misspelt:3:3", "warn values.unknown misspelt:2:15"},
	"on-premises":        nil,
	"on-premises-tunnel": {"fail values.platform on-premises-tunnel:2:15", "fail values.platform on-premises-tunnel:1:1"},
	"ha-without-redis":   {"fail values.ha ha-without-redis:4:13"},
	"git-credentials":    {"warn values.unknown git-credentials:5:1"},
	"ip-as-host": {"fail values.name ip-as-host:3:13", "fail values.ingress ip-as-host:3:56", "fail values.ingress ip-as-host:3:77",
		"fail values.ingress ip-as-host:3:92"},
	"nothing": {"fail values.name nothing:1:1", "fail values.account nothing:1:1", "fail values.token nothing:1:1"},
}

func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) != len(verdicts) {
		t.Errorf("%d files, %d verdicts (%v)", len(files), len(verdicts), err)
	}
	for name, want := range verdicts {
		var got []string
		for _, c := range Judge(parse(t, name)) {
			if c.Status == check.Pass {
				continue
			}
			if c.Fix == "" || strings.Contains(c.Title+c.Fix, "hunter2") {
				t.Errorf("%s: %+v lacks a fix or repeats the secret", name, c)
			}
			got = append(got, string(c.Status)+" "+c.ID+" "+c.Evidence)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestToAnswers(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"docs-tunnel":               {"access.mode": "tunnel", "runtime.name": "codefresh", "codefresh.apiKey": "secretRef:my-key/token"},
		"docs-ingress":              {"access.mode": "ingress", "access.ingress.host": "runtime.example.com", "access.ingress.class": "nginx"},
		"docs-service-mesh":         {"access.mode": "mesh", "access.mesh.url": "https://runtime.example.com"},
		"gateway":                   {"access.mode": "gateway", "access.gateway.parent": "infra/public", "access.gateway.host": "runtime.example.com"},
		"existing-argocd":           {"argocd.mode": "existing", "argocd.server": "argocd-server", "argocd.auth": "secretRef:argo/token"},
		"git-credentials":           {"git.runtimeToken": "secretRef:g/k", "git.username": "bot", "options.skipValidation": "true"},
		"numeric-account":           {"codefresh.accountId": "123456"},
		"docs-tunnel-literal-token": {"codefresh.apiKey": "env:CF_API_KEY"},
	} {
		a, err := parse(t, name).ToAnswers(answers.Default())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for field, value := range want {
			if got := a.Get(field); got != value {
				t.Errorf("%s: %s is %q, want %q", name, field, got, value)
			}
		}
	}
}

func TestParseRefusesWhatIsNotValues(t *testing.T) {
	for text, place := range map[string]string{"- a\n": "f:1:1", "a: b\n\tc: d\n": "f:2:1", "a: 1\na: 2\n": "f:2:1", strings.Repeat("x", MaxBytes+1): "f"} {
		_, err := Parse("f", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), place+":") {
			t.Errorf("%.20q: %v; want a problem at %s", text, err, place)
		}
	}
}

// What Helm follows and switches is judged and taken as Helm does.
func TestValuesAreReadAsHelmReadsThem(t *testing.T) {
	const head = "x-name: &n payments\nx-host: &h runtime.example.com\nx-ingress: &i {enabled: yes, className: nginx, hosts: [*h]}\n"
	for name, test := range map[string]struct {
		text string
		want map[string]string
	}{
		"an alias":         {head + "global: {runtime: {name: *n, ingress: {enabled: true, hosts: [*h]}}}\n", map[string]string{"runtime.name": "payments", "access.ingress.host": "runtime.example.com"}},
		"an aliased map":   {head + "global: {runtime: {name: *n, ingress: *i}}\n", map[string]string{"access.mode": "ingress", "access.ingress.host": "runtime.example.com"}},
		"a merge":          {head + "global: {runtime: {name: *n, ingress: {<<: *i, className: traefik}}}\n", map[string]string{"access.mode": "ingress", "access.ingress.class": "traefik"}},
		"a list of merges": {head + "global: {runtime: {name: *n, ingress: {className: traefik, <<: [*i, {hosts: [b.example.com]}]}}}\n", map[string]string{"access.ingress.class": "nginx", "access.ingress.host": "runtime.example.com"}}, // Helm lets the later win
		"switches of old":  {"tunnel-client: {enabled: off}\nglobal: {runtime: {ingressUrl: \"https://a.example.com\", isConfigurationRuntime: on}}\n", map[string]string{"access.mode": "mesh", "options.configurationRuntime": "true"}},
		"a switched off":   {"argo-cd: {enabled: no}\n", map[string]string{"argocd.mode": "existing"}},
		"a quoted switch":  {"argo-cd: {enabled: \"no\"}\n", map[string]string{"argocd.mode": "new"}},
		"a long number":    {"global: {codefresh: {accountId: &a 00123456789012345678901}, runtime: {name: *a}}\n", map[string]string{"codefresh.accountId": "00123456789012345678901", "runtime.name": "00123456789012345678901"}},
		"parents":          {"x: &p {name: public, namespace: infra}\nglobal: {runtime: {httpRoute: {enabled: yes, parentRefs: [*p]}}}\n", map[string]string{"access.mode": "gateway", "access.gateway.parent": "infra/public"}},
	} {
		f, err := Parse("f", []byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, err := f.ToAnswers(answers.Default())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for field, want := range test.want {
			if got := a.Get(field); got != want {
				t.Errorf("%s: %s is %q, want %q", name, field, got, want)
			}
		}
	}
}

// What a merge brings is told where it stands, and the merge itself is no key.
func TestThePlaceOfWhatIsMerged(t *testing.T) {
	f, err := Parse("f", []byte("x-ingress: &i\n  enabled: true\n  hosts: [10.0.0.1]\nglobal:\n  runtime:\n    ingress:\n      <<: *i\n      className: nginx\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Place("global.runtime.ingress.hosts"); got != "f:3:3" {
		t.Errorf("the hosts stand at %s", got)
	}
	for _, c := range Judge(f) {
		if c.ID == "values.ingress" && (c.Status != check.Fail || c.Evidence != "f:3:3") || strings.Contains(c.Title, "<<") {
			t.Errorf("%+v", c)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a: &a {b: yes}\nglobal: {<<: *a, runtime: {name: *a}}\n"))
	f.Add([]byte("a: &a {<<: *a}\n"))
	f.Add([]byte("global: {runtime: {ingress: {<<: [{}, *x]}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f", data)
		if err != nil {
			return
		}
		for _, c := range Judge(file) {
			if c.Status != check.Pass && (c.Fix == "" || !strings.HasPrefix(c.Evidence, "f:")) {
				t.Errorf("%+v has no fix or no place", c)
			}
		}
		if _, err := file.ToAnswers(answers.Default()); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Error(err)
		}
	})
}
