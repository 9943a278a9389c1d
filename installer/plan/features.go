package plan

import (
	"maps"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
)

// argoValues point the runtime at an Argo CD that is there.
func argoValues(v tree, a answers.Answers) {
	if a.ArgoCD.Mode != "existing" {
		return
	}
	v.set("argo-cd.enabled", false)
	v.set("global.integrations.argo-cd.server.svc", a.ArgoCD.Server)
	v.set("global.integrations.argo-cd.repoServer.svc", a.ArgoCD.RepoServer)
	if !a.ArgoCD.Auth.IsZero() {
		v.set("global.integrations.argo-cd.server.auth.type", "token")
		v.secretKey("global.integrations.argo-cd.server.auth.tokenSecretKeyRef", a.ArgoCD.Auth, KeyArgoCDToken)
	}
}

// crdValues switch off the CRDs of every part of the chart that has any.
func crdValues(v tree, a answers.Answers, projects []string) {
	if a.CRDs.Mode != "skip" {
		return
	}
	for _, project := range projects {
		if project == "argo-cd" && a.ArgoCD.Mode == "existing" {
			continue
		}
		v.set(project+".crds.install", false)
	}
}

// haValues run more than one of each part. The chart's own file for this lacks
// the Redis that app-proxy then needs.
func haValues(v tree, a answers.Answers) {
	if !a.Options.HA {
		return
	}
	for _, part := range []string{"app-proxy", "gitops-operator", "internal-router"} {
		v.set(part+".replicaCount", int64(2))
		v.set(part+".pdb", map[string]any{"enabled": true, "minAvailable": int64(1)})
	}
	v.set("redis-ha.enabled", true)
	v.set("argo-workflows.controller.replicas", int64(2))
	v.set("argo-workflows.server.replicas", int64(2))
	if a.ArgoCD.Mode == "existing" {
		return
	}
	v.set("argo-cd.redis-ha.enabled", true)
	v.set("argo-cd.applicationSet.replicas", int64(2))
	for _, part := range []string{"server", "repoServer"} {
		v.set("argo-cd."+part+".autoscaling", map[string]any{"enabled": true, "minReplicas": int64(2)})
	}
}

// certificateValues hand certificate authorities to every part that needs
// them. Argo CD's list is also what the chart's validation reads.
func certificateValues(v tree, a answers.Answers, s Sources) {
	if a.TLS.PlatformCA != "" {
		v.set("global.codefresh.tls.caCerts.secret.create", true)
		v.set("global.codefresh.tls.caCerts.secret.content", string(s.Files[a.TLS.PlatformCA]))
	}
	certificates := map[string]string{}
	for host, name := range a.TLS.GitCA {
		certificates[host] = string(s.Files[name])
	}
	v.setMap("argo-cd.configs.tls.certificates", certificates)
	v.setMap("global.codefresh.tls.workflowPipelinesGitWebhooks.certificates", certificates)
}

// controllerValues are what the ingress controller needs. An annotation that
// the person gave wins.
func controllerValues(v tree, in answers.Ingress) {
	controller, known := access.ByID(in.Controller)
	annotations := map[string]string{}
	if known && controller.Annotations != nil {
		maps.Copy(annotations, controller.Annotations(in.Protocol))
	}
	maps.Copy(annotations, in.Annotations)
	v.setMap("global.runtime.ingress.annotations", annotations)
	if in.SkipValidation || (known && controller.AddressAfterInstall) {
		v.set("global.runtime.ingress.skipValidation", true)
	}
}
