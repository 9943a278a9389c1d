package access

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

func traefikSite(cluster facts.Cluster) Site {
	return traefik.sitesOf(cluster, traefikWant())[0]
}

func TestTraefikStaticConfigSources(t *testing.T) {
	cluster := traefikCluster()
	program := traefikProgram(&cluster)
	program.Env["TRAEFIK_PROVIDERS_KUBERNETESINGRESS"] = "true"
	program.Env["traefik_providers_kubernetesingress_ingressendpoint_publishedservice"] = "$(POD_NAMESPACE)/traefik"
	program.Env["POD_NAMESPACE"] = "field:metadata.namespace"
	config, err := readStaticConfig(traefikSite(cluster))
	if err != nil || config.source != environmentSource || config.text(ingressProvider+".ingressEndpoint.publishedService") != "traefik/traefik" {
		t.Fatalf("environment: %+v, %v", config, err)
	}

	program.Args = []string{"--Providers.KubernetesIngress", "--providers.kubernetesIngress.namespaces=a", "--providers.kubernetesingress.namespaces", "b, c", "--log.level", "INFO"}
	config, err = readStaticConfig(traefikSite(cluster))
	if err != nil || config.source != argumentSource || !slices.Equal(config.list(ingressProvider+".namespaces"), []string{"a", "b", "c"}) {
		t.Fatalf("arguments: %+v, %v", config, err)
	}
	if bare := fromFlags(parseFlags(facts.Container{Args: []string{"--providers.kubernetesingress", "word"}}, "", true)); !(staticConfig{values: bare}).has(ingressProvider) {
		t.Errorf("a switch took the next word: %v", bare)
	}
	if !strings.Contains(config.String(), "environment beside it are not read") {
		t.Errorf("the variables that do not count are not named: %s", config)
	}

	traefikFile(&cluster, "/etc/traefik/", "traefik.yml", "providers:\n  kubernetesIngress: {}\n")
	config, err = readStaticConfig(traefikSite(cluster))
	if err != nil || config.source != fileSource || !config.has(ingressProvider) || config.list(ingressProvider+".namespaces") != nil {
		t.Fatalf("file: %+v, %v", config, err)
	}
}

// A source that cannot be seen is never taken as an empty one.
func TestTraefikStaticConfigUnknown(t *testing.T) {
	cases := map[string]func(*facts.Cluster){
		"nothing to see":          func(*facts.Cluster) {},
		"variables from a Secret": func(c *facts.Cluster) { traefikProgram(c).Env["TRAEFIK_LOG_LEVEL"] = "INFO" },
		"a shell": func(c *facts.Cluster) {
			traefikProgram(c).Command = []string{"/bin/sh", "-c", "traefik --providers.kubernetesingress"}
		},
		"a file elsewhere": func(c *facts.Cluster) { traefikProgram(c).Args = []string{"--configfile", "/secret/traefik.yml"} },
		"a file of another kind": func(c *facts.Cluster) {
			traefikProgram(c).Args = []string{"--configfile=/config/traefik.json"}
			traefikFile(c, "/config", "traefik.json", "{}")
		},
		"two keys for one file": func(c *facts.Cluster) {
			traefikFile(c, "/etc/traefik/traefik.yml", "a", "providers: {}")
			c.ConfigMaps[facts.Name{Namespace: "traefik", Name: "traefik-config"}]["b"] = ""
		},
		"broken YAML": func(c *facts.Cluster) { traefikFile(c, "/etc/traefik", "traefik.yaml", "providers: [") },
		"broken TOML": func(c *facts.Cluster) { traefikFile(c, "/etc/traefik", "traefik.toml", "providers = ") },
		"not allowed": func(c *facts.Cluster) {
			traefikFile(c, "/etc/traefik", "traefik.yaml", treeYAML(traefikGood()))
			clear(c.ConfigMaps)
			c.Unread = []facts.Unread{{What: "config map traefik/traefik-config", Reason: facts.NotAllowed}}
		},
		"not there": func(c *facts.Cluster) {
			traefikFile(c, "/etc/traefik", "traefik.yaml", "")
			clear(c.ConfigMaps)
		},
		"Traefik Enterprise": func(c *facts.Cluster) {
			traefikProgram(c).Image, traefikProgram(c).Args = "traefik/traefikee:v2.12", []string{"--name=cluster"}
		},
	}
	for name, hide := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := traefikCluster()
			hide(&cluster)
			checks := judged(t, cluster, traefikWant())
			for _, id := range []string{"ingress.bound", "ingress.watched", "ingress.status", "ingress.https-entrypoint", "ingress.empty-services"} {
				if checks[id].Status != check.Skip {
					t.Errorf("%s is %s: %s", id, checks[id].Status, checks[id].Title)
				}
			}
		})
	}
}

func TestTraefikFindsTheFile(t *testing.T) {
	good := treeYAML(traefikGood())
	cases := map[string]struct {
		args      []string
		mount     string
		key       string
		wantsMaps bool
		source    configSource
	}{
		"its folder":                 {nil, "/etc/traefik", "traefik.yaml", true, fileSource},
		"as one file":                {nil, "/etc/traefik/traefik.yaml", "traefik.yaml", true, fileSource},
		"as one file of another key": {nil, "/etc/traefik/traefik.yaml", "config", true, fileSource},
		"named":                      {[]string{"--configFile=/c/t.yml"}, "/c", "t.yml", true, fileSource},
		"named under another key":    {[]string{"--configfile", "/c/t.yml"}, "/c", "static", true, fileSource},
		"only routes beside":         {[]string{"--providers.kubernetesingress"}, "/etc/traefik", "dynamic.yaml", true, argumentSource},
		"routes in a folder below":   {[]string{"--providers.kubernetesingress"}, "/etc/traefik/dynamic", "traefik.yaml", false, argumentSource},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := traefikCluster()
			traefikProgram(&cluster).Args = c.args
			traefikFile(&cluster, c.mount, c.key, good)
			site := traefikSite(cluster)
			config, err := readStaticConfig(site)
			if err != nil || config.source != c.source {
				t.Errorf("from %q: %v", config.source, err)
			}
			if wanted := ConfigMapsWanted(cluster); (len(wanted) == 1) != c.wantsMaps {
				t.Errorf("ConfigMaps to read: %v", wanted)
			}
		})
	}
}

func TestParseStatic(t *testing.T) {
	const yamlFile = `
entryPoints:
  WebSecure: {address: ":8443", http: {tls: {domains: [{main: a.example}, {main: b.example}]}}}
providers:
  kubernetesIngress:
    namespaces: [one, two]
    allowEmptyServices: true
  kubernetesCRD: {}
  kubernetesGateway:
1: {2: three}
`
	const tomlFile = `
1.2 = "three"
[entryPoints.WebSecure]
address = ":8443"
[[entryPoints.WebSecure.http.tls.domains]]
main = "a.example"
[[entryPoints.WebSecure.http.tls.domains]]
main = "b.example"
[providers.kubernetesIngress]
namespaces = ["one", "two"]
allowEmptyServices = true
[providers.kubernetesCRD]
`
	expected := map[string]string{
		"entrypoints": "", "entrypoints.websecure": "", "entrypoints.websecure.address": ":8443", "entrypoints.websecure.http": "", "entrypoints.websecure.http.tls": "",
		"entrypoints.websecure.http.tls.domains": "", "entrypoints.websecure.http.tls.domains[0]": "", "entrypoints.websecure.http.tls.domains[1]": "",
		"entrypoints.websecure.http.tls.domains[0].main": "a.example", "entrypoints.websecure.http.tls.domains[1].main": "b.example",
		"providers": "", "providers.kubernetesingress": "", "providers.kubernetesingress.namespaces": "one,two", "providers.kubernetesingress.allowemptyservices": "true",
		"providers.kubernetescrd": "", "1": "", "1.2": "three",
	}
	for file, content := range map[string]string{"t.yaml": yamlFile, "t.toml": tomlFile} {
		values, err := parseStatic(file, content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected, values); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
}

func TestParseStaticIsBounded(t *testing.T) {
	cases := map[string]string{
		"large.yaml":       "a: " + strings.Repeat("x", maxStaticBytes),
		"brackets.yaml":    "a: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"brackets.toml":    "a = " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"dots.toml":        strings.Repeat("a.", 1000) + "a = 1",
		"tables.toml":      "[" + strings.Repeat("a.", 1000) + "a]",
		"indentation.yaml": indented(100),
		"keys.yaml":        manyKeys(maxStaticKeys + 10),
	}
	for file, content := range cases {
		if values, err := parseStatic(file, content); err == nil || !strings.Contains(err.Error(), "too large or too deeply nested") {
			t.Errorf("%s was read into %d values: %v", file, len(values), err)
		}
	}
	long := "trustedIPs = [" + strings.Repeat(`"10.0.0.0/8", `, 100) + "]\n"
	if _, err := parseStatic("addresses.toml", long); err != nil {
		t.Errorf("dots in values are taken for nesting: %v", err)
	}
}

func indented(levels int) string {
	var lines strings.Builder
	for i := range levels {
		lines.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return lines.String() + strings.Repeat(" ", levels) + "b: 1\n"
}

func manyKeys(count int) string {
	var lines strings.Builder
	for i := range count {
		fmt.Fprintf(&lines, "k%d: 1\n", i)
	}
	return lines.String()
}

func FuzzParseStatic(f *testing.F) {
	for _, seed := range []string{"", "a: 1", "providers: {kubernetesIngress: {}}", "a = 1", "[a.b]\nc = [1, 2]", "[[a]]\nb = {c = 1}", "- a", "&a [*a]", "a: &a [b]\nc: *a\nd: {<<: {e: 1}}",
		"1979-05-27 = 1979-05-27T07:32:00Z", "a: !!binary x", "? {a: b}\n: c", "\x1b[31m: \x00", treeYAML(traefikGood()), treeTOML(traefikGood())} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, content string, asTOML bool) {
		file := "traefik.yaml"
		if asTOML {
			file = "traefik.toml"
		}
		values, err := parseStatic(file, content)
		if err == nil && values == nil {
			t.Error("neither values nor an error")
		}
		if len(values) > maxStaticKeys+maxStaticDepth {
			t.Errorf("%d keys", len(values))
		}
		for key := range maps.Keys(values) {
			if strings.ContainsAny(key, "\x1b\n\x00") || strings.Count(key, "[") > strings.Count(content, "[")+strings.Count(content, "-") {
				t.Errorf("key %q", key)
			}
		}
	})
}

func FuzzTraefikArguments(f *testing.F) {
	f.Add("--providers.kubernetesingress\x00--configfile\x00x", "TRAEFIK_A")
	f.Add("-\x00--\x00--=\x00traefik", "traefik_")
	f.Fuzz(func(t *testing.T, args, variable string) {
		cluster := traefikCluster()
		traefikProgram(&cluster).Args = strings.Split(args, "\x00")
		traefikProgram(&cluster).Env[variable] = "$(" + variable + ")"
		judged(t, cluster, traefikWant())
	})
}
