package valuesfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func judgeTLS(f File) []finding {
	const path = "global.codefresh.tls.caCerts.secret"
	if f.boolean(path+".create") && f.text(path+".content") == "" {
		return bad(path+".content", "it is missing, and the Secret would be empty", "Put the PEM certificates there.")
	}
	return nil
}

func judgeArgoCD(f File) []finding {
	const path = "global.integrations.argo-cd.server.auth"
	if f.on("argo-cd.enabled", true) {
		return nil
	}
	kind := f.text(path + ".type")
	switch {
	case kind != "" && kind != "password" && kind != "token":
		return bad(path+".type", strconv.Quote(kind)+" is neither password nor token", "Use one of them.")
	case kind == "token" && f.text(path+".token") == "" && (f.text(path+".tokenSecretKeyRef.name") == "" || f.text(path+".tokenSecretKeyRef.key") == ""):
		return bad(path+".tokenSecretKeyRef", "its name or key is missing", "Name the Secret and the key that hold Argo CD's token.")
	}
	for _, service := range []string{"global.integrations.argo-cd.server.svc", "global.integrations.argo-cd.repoServer.svc"} {
		if f.has(service) && f.text(service) == "" {
			return bad(service, "it is empty", "Name the Service.")
		}
	}
	return nil
}

func judgeReplicas(f File) []finding {
	var found []finding
	if n, err := strconv.Atoi(f.text("app-proxy.replicaCount")); err == nil && n > 1 && !f.boolean("redis.enabled") && !f.boolean("redis-ha.enabled") {
		found = append(found, bad("app-proxy.replicaCount", "more than one app-proxy needs Redis", "Set redis-ha.enabled to true.")...)
	}
	if f.boolean("redis.enabled") && f.boolean("redis-ha.enabled") {
		found = append(found, odd("redis.enabled", "redis and redis-ha are both on; only redis-ha is used", "Switch redis off.")...)
	}
	if !f.on("argo-workflows.enabled", true) && f.on("app-proxy.image-enrichment.enabled", true) {
		found = append(found, bad("argo-workflows.enabled", "image enrichment needs workflows", "Set app-proxy.image-enrichment.enabled to false too.")...)
	}
	if f.items("app-proxy.env") != nil {
		found = append(found, bad("app-proxy.env", "it must be a map, this is a list", "Write env: {NAME: value}.")...)
	}
	return found
}

type deadKey struct{ path, instead string }

// dead are keys of older charts that today's ignores, and what took their place.
var dead = []deadKey{
	{"argo-rollouts", "The chart has no Argo Rollouts since 0.27. Remove it."},
	{"argo-events", "The chart has no Argo Events since 0.28. Remove it."},
	{"cf-argocd-extras", "Use argo-gateway and global.event-reporters."},
	{"codefresh-gitops-operator", "Use gitops-operator."},
	{"garage-workflows-artifact-storage", "Remove it."},
	{"event-reporters", "Use global.event-reporters."},
	{"global.external-argo-cd", "Use global.integrations.argo-cd."},
	{"global.runtime.repoCredentialsTemplate", "Remove it."},
	{"global.codefresh.gitIntegration", "Remove it."},
	{"argo-cd.configs.cm.application", "A dot in a key must be escaped on the command line; annotation+label is the default anyway. Remove it."},
}

func judgeDead(f File) []finding {
	var found []finding
	for _, key := range dead {
		if f.has(key.path) {
			found = append(found, odd(key.path, "today's chart ignores it", key.instead)...)
		}
	}
	return found
}

var topLevel = []string{"global", "app-proxy", "argo-cd", "argo-gateway", "argo-workflows", "cluster-event-reporter", "codefreshWorkflowLogStoreCM",
	"gitops-operator", "installer", "internal-router", "redis", "redis-ha", "redis-secret-init", "runtime-event-reporter", "sealed-secrets", "tunnel-client"}

var globalKeys = []string{"codefresh", "runtime", "integrations", "event-reporters", "nodeSelector", "tolerations", "affinity", "httpProxy", "httpsProxy",
	"noProxy", "imageRegistry", "imagePullSecrets"}

// judgeUnknown tells keys that the chart does not have. It ignores them, so a
// misspelt one has no effect and no message.
func judgeUnknown(f File) []finding {
	found := unknownBelow(f, "", topLevel)
	found = append(found, unknownBelow(f, "global", globalKeys)...)
	found = append(found, unknownBelow(f, "global.runtime", []string{"name", "cluster", "codefreshHosted", "singleNamespace", "isConfigurationRuntime",
		"ingressUrl", "ingress", "httpRoute", "gitCredentials", "repoCredentialsTemplate"})...)
	return append(found, unknownBelow(f, "global.codefresh", []string{"url", "apiEventsPath", "accountId", "userToken", "tls", "gitIntegration"})...)
}

func unknownBelow(f File, parent string, known []string) []finding {
	var found []finding
	for _, path := range f.order {
		name, inside := strings.CutPrefix(path, parent+".")
		if parent == "" {
			name, inside = path, true
		}
		if !inside || strings.Contains(name, ".") || isDead(path) {
			continue
		}
		if slices.Contains(known, name) {
			continue
		}
		fix := "Remove it, or correct its name."
		if near := answers.Nearest(name, known); near != "" {
			fix = "Did you mean " + near + "?"
		}
		found = append(found, odd(path, "the chart has no such key and ignores it", fix)...)
	}
	return found
}

func isDead(path string) bool {
	return slices.ContainsFunc(dead, func(key deadKey) bool { return key.path == path })
}
