package plan

import (
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// values are the Helm values of the answers, and nothing that the chart's
// defaults already say.
func values(a answers.Answers, s Sources) tree {
	v := tree{}
	v.set("global.codefresh.accountId", a.Codefresh.AccountID)
	if a.Codefresh.URL != answers.Default().Codefresh.URL {
		v.set("global.codefresh.url", strings.TrimRight(a.Codefresh.URL, "/"))
		// The chart's default for this is Codefresh's own address, not the one above.
		v.set("app-proxy.config.cors", strings.TrimRight(a.Codefresh.URL, "/"))
	}
	v.secretKey("global.codefresh.userToken.secretKeyRef", a.Codefresh.APIKey, KeyAPIKey)
	v.set("global.runtime.name", a.Runtime.Name)
	accessValues(v, a)
	gitValues(v, a)
	argoValues(v, a)
	crdValues(v, a, s.projects())
	certificateValues(v, a, s)
	imageValues(v, a, s.images())
	haValues(v, a)
	optionValues(v, a)
	return v
}

func accessValues(v tree, a answers.Answers) {
	if a.Access.Mode == answers.Tunnel {
		return
	}
	// Left on, the tunnel would silently win over a mesh URL.
	v.set("tunnel-client.enabled", false)
	switch a.Access.Mode {
	case answers.IngressMode:
		ingressValues(v, a.Access.Ingress)
	case answers.MeshMode:
		v.set("global.runtime.ingressUrl", a.IngressURL())
	case answers.GatewayMode:
		gatewayValues(v, a)
	}
}

func ingressValues(v tree, in answers.Ingress) {
	v.set("global.runtime.ingress.enabled", true)
	v.set("global.runtime.ingress.protocol", in.Protocol)
	v.set("global.runtime.ingress.className", in.Class)
	v.set("global.runtime.ingress.hosts", []any{in.Host})
	if in.TLSSecret != "" {
		v.set("global.runtime.ingress.tls", []any{map[string]any{"hosts": []any{in.Host}, "secretName": in.TLSSecret}})
	}
	controllerValues(v, in)
	v.setMap("global.runtime.ingress.labels", in.Labels)
}

// gatewayValues also names the URL, because the chart's validation does not
// know the Gateway API and asks for one when the tunnel is off.
func gatewayValues(v tree, a answers.Answers) {
	namespace, name, _ := strings.Cut(a.Access.Gateway.Parent, "/")
	v.set("global.runtime.httpRoute.enabled", true)
	v.set("global.runtime.httpRoute.protocol", a.Access.Gateway.Protocol)
	v.set("global.runtime.httpRoute.parentRefs", []any{map[string]any{"name": name, "namespace": namespace}})
	v.set("global.runtime.httpRoute.hostnames", []any{a.Access.Gateway.Host})
	v.set("global.runtime.ingressUrl", a.IngressURL())
}

func gitValues(v tree, a answers.Answers) {
	if a.Git.RuntimeToken.IsZero() {
		return
	}
	if a.Git.Username != "" {
		v.set("global.runtime.gitCredentials.username", a.Git.Username)
	}
	v.secretKey("global.runtime.gitCredentials.password.secretKeyRef", a.Git.RuntimeToken, KeyRuntimeToken)
}

func optionValues(v tree, a answers.Answers) {
	for path, on := range map[string]bool{
		"installer.skipValidation":              a.Options.SkipValidation,
		"installer.skipUsageValidation":         a.Options.SkipUsageValidation,
		"global.runtime.isConfigurationRuntime": a.Options.ConfigurationRuntime,
	} {
		if on {
			v.set(path, true)
		}
	}
}

// tree is a nested map that is written by dotted paths.
type tree map[string]any

func (t tree) set(path string, value any) { t.setAt(strings.Split(path, "."), value) }

func (t tree) setAt(names []string, value any) {
	node := map[string]any(t)
	for _, name := range names[:len(names)-1] {
		child, ok := node[name].(map[string]any)
		if !ok {
			child = map[string]any{}
			node[name] = child
		}
		node = child
	}
	node[names[len(names)-1]] = value
}

func (t tree) setMap(path string, m map[string]string) {
	if len(m) == 0 {
		return
	}
	copied := map[string]any{}
	for key, value := range m {
		copied[key] = value
	}
	t.set(path, copied)
}

// secretKey points the chart at a secret: the person's own, or ours.
func (t tree) secretKey(path string, ref answers.SecretRef, key string) {
	name := SecretName
	if ref.SecretRef != nil {
		name, key = ref.SecretRef.Name, ref.SecretRef.Key
	}
	t.set(path, map[string]any{"name": name, "key": key})
}
