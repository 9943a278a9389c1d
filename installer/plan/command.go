package plan

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"text/template"

	"github.com/cfwizard/cfwizard/assets"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Command gives the plan as a POSIX shell script. Secrets appear only as
// variables, and reach kubectl over standard input, not as arguments.
func (p Plan) Command() ([]byte, error) {
	script, err := template.New("command").Funcs(template.FuncMap{"quote": text.Quote}).Parse(assets.CommandScript)
	if err != nil {
		return nil, fmt.Errorf("parsing the script template: %w", err)
	}
	var out bytes.Buffer
	err = script.Execute(&out, map[string]any{
		"Plan": p, "CRDs": p.crds, "Tokens": p.shellTokens(), "Labels": Labels(p.answers.Runtime.Name), "Secret": SecretName,
		"Kubectl": p.answers.Cluster.Kubectl(), "Helm": strings.Join(p.helmArguments(), " \\\n  "),
	})
	return out.Bytes(), err
}

type shellToken struct{ Key, Text, Variable string }

// shellTokens says for each secret how the shell reads it.
func (p Plan) shellTokens() []shellToken {
	var list []shellToken
	for _, t := range p.tokens {
		if t.Ref.File != "" {
			list = append(list, shellToken{Key: t.Key, Text: `"$(cat ` + text.Quote(t.Ref.File) + `)"`})
			continue
		}
		list = append(list, shellToken{Key: t.Key, Text: `"$` + t.Variable + `"`, Variable: t.Variable})
	}
	return list
}

// helmArguments are the parts of the helm command, a line each.
func (p Plan) helmArguments() []string {
	lines := []string{"helm upgrade --install " + text.Quote(p.Release), "--create-namespace", "--namespace " + text.Quote(p.Namespace)}
	lines = append(lines, p.answers.Cluster.HelmFlags()...)
	for _, name := range p.answers.Options.Values {
		lines = append(lines, "--values "+text.Quote(name))
	}
	lines = append(lines, setFlags("", p.Values)...)
	lines = append(lines, text.Quote(p.Chart))
	if p.Version != "" {
		lines = append(lines, "--version "+text.Quote(p.Version))
	}
	if PlainHTTP(p.Chart) {
		lines = append(lines, "--plain-http")
	}
	if p.SkipCRDs() {
		lines = append(lines, "--skip-crds")
	}
	if p.answers.Options.Wait {
		lines = append(lines, "--wait --timeout "+p.answers.Options.Timeout.String())
	}
	return lines
}

// PlainHTTP reports whether a chart comes from a registry on this machine,
// which speaks HTTP without TLS.
func PlainHTTP(chart string) bool {
	u, err := url.Parse(chart)
	if err != nil || u.Scheme != "oci" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
}

// setFlags writes values as --set and --set-string. Strings stay strings,
// whatever they look like.
func setFlags(path string, value any) []string {
	switch v := value.(type) {
	case map[string]any:
		var flags []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			flags = append(flags, setFlags(strings.TrimPrefix(path+"."+escapeKey(key), "."), v[key])...)
		}
		return flags
	case []any:
		var flags []string
		for i, item := range v {
			flags = append(flags, setFlags(fmt.Sprintf("%s[%d]", path, i), item)...)
		}
		return flags
	case string:
		return []string{"--set-string " + text.Quote(path+"="+escapeValue(v))}
	}
	return []string{"--set " + text.Quote(fmt.Sprintf("%s=%v", path, value))}
}

var (
	keyEscaper   = strings.NewReplacer(`\`, `\\`, ".", `\.`, ",", `\,`, "=", `\=`, "[", `\[`, "]", `\]`)
	valueEscaper = strings.NewReplacer(`\`, `\\`, ",", `\,`)
)

func escapeKey(key string) string { return keyEscaper.Replace(key) }

// escapeValue keeps helm from reading a value as a list.
func escapeValue(value string) string {
	escaped := valueEscaper.Replace(value)
	if strings.HasPrefix(escaped, "{") {
		escaped = `\` + escaped
	}
	return escaped
}
