package valuesfile

import (
	"github.com/cfwizard/cfwizard/installer/answers"
)

// texts maps values to the answers that they become as they are.
var texts = []struct{ value, field string }{
	{"global.codefresh.url", "codefresh.url"},
	{"global.codefresh.accountId", "codefresh.accountId"},
	{"global.runtime.name", "runtime.name"},
	{"global.runtime.gitCredentials.username", "git.username"},
	{"global.runtime.isConfigurationRuntime", "options.configurationRuntime"},
	{"installer.skipValidation", "options.skipValidation"},
	{"installer.skipUsageValidation", "options.skipUsageValidation"},
}

// ToAnswers turns what maps to an answer into one, over base. What does not, is
// only kept where the file itself is carried along as an extra values file.
func (f File) ToAnswers(base answers.Answers) (answers.Answers, error) {
	a := base.Clone()
	var err error
	for _, m := range texts {
		if value := f.text(m.value); value != "" {
			if a, err = a.Set(m.field, value); err != nil {
				return base, f.refuse(f.Place(m.value), m.value+": "+err.Error(), "Correct it.")
			}
		}
	}
	if ref, ok := f.secret("global.codefresh.userToken.secretKeyRef"); ok {
		a.Codefresh.APIKey = ref
	}
	if ref, ok := f.secret("global.runtime.gitCredentials.password.secretKeyRef"); ok {
		a.Git.RuntimeToken = ref
	} else if f.text("global.runtime.gitCredentials.password.value") != "" {
		a.Git.RuntimeToken = answers.SecretRef{Env: "GIT_RUNTIME_TOKEN"}
	}
	f.access(&a)
	f.argoCD(&a)
	return a, nil
}

func (f File) secret(path string) (answers.SecretRef, bool) {
	name, key := f.text(path+".name"), f.text(path+".key")
	if name == "" || key == "" {
		return answers.SecretRef{}, false
	}
	return answers.SecretRef{SecretRef: &answers.KeyInSecret{Name: name, Key: key}}, true
}

// access finds the mode as the chart does: ingress, HTTPRoute, tunnel, URL.
func (f File) access(a *answers.Answers) {
	const ingress, route = "global.runtime.ingress", "global.runtime.httpRoute"
	switch {
	case f.boolean(ingress + ".enabled"):
		a.Access.Mode = answers.IngressMode
		a.Access.Ingress.Class = orDefault(f.text(ingress+".className"), "nginx")
		a.Access.Ingress.Protocol = orDefault(f.text(ingress+".protocol"), "https")
		a.Access.Ingress.SkipValidation = f.boolean(ingress + ".skipValidation")
		if hosts := f.list(ingress + ".hosts"); len(hosts) > 0 {
			a.Access.Ingress.Host = hosts[0]
		}
	case f.boolean(route + ".enabled"):
		a.Access.Mode = answers.GatewayMode
		a.Access.Gateway.Protocol = orDefault(f.text(route+".protocol"), "https")
		if hosts := f.list(route + ".hostnames"); len(hosts) > 0 {
			a.Access.Gateway.Host = hosts[0]
		}
		a.Access.Gateway.Parent = f.parent(route + ".parentRefs")
	case tunnelOn(f):
		a.Access.Mode = answers.Tunnel
	default:
		a.Access.Mode, a.Access.Mesh.URL = answers.MeshMode, f.text("global.runtime.ingressUrl")
	}
}

// parent is the first parentRef as NAMESPACE/NAME.
func (f File) parent(path string) string {
	items := f.items(path)
	if len(items) == 0 {
		return ""
	}
	ref, _ := items[0].(map[string]any)
	if textOf(ref["name"]) == "" {
		return ""
	}
	return textOf(ref["namespace"]) + "/" + textOf(ref["name"])
}

func (f File) argoCD(a *answers.Answers) {
	if f.on("argo-cd.enabled", true) {
		return
	}
	const path = "global.integrations.argo-cd"
	a.ArgoCD.Mode = "existing"
	a.ArgoCD.Server = orDefault(f.text(path+".server.svc"), "argo-cd-server")
	a.ArgoCD.RepoServer = orDefault(f.text(path+".repoServer.svc"), "argo-cd-repo-server")
	if ref, ok := f.secret(path + ".server.auth.tokenSecretKeyRef"); ok && f.text(path+".server.auth.type") == "token" {
		a.ArgoCD.Auth = ref
	}
}

func orDefault(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}
