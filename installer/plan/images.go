package plan

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// ImagePlace is where a chart's values name an image.
type ImagePlace struct {
	Path       []string // of the table, or of the word
	Registry   string
	Repository string // without the registry
	Apart      bool   // the registry has a value of its own
	Whole      bool   // one word names it all
}

// todaysImages are those of today's chart, for a plan that is printed where the
// chart cannot be read. With the chart at hand its own values say them.
var todaysImages = []ImagePlace{
	place("argo-cd.global.image", "quay.io", "argoproj/argocd", false),
	place("argo-cd.dex.image", "ghcr.io", "dexidp/dex", false),
	place("argo-cd.redis.image", "ecr-public.aws.com", "docker/library/redis", false),
	place("argo-workflows.controller.image", "quay.io", "codefresh/workflow-controller", true),
	place("argo-workflows.server.image", "quay.io", "codefresh/argocli", true),
	place("argo-workflows.executor.image", "quay.io", "codefresh/argoexec", true),
	place("sealed-secrets.image", "quay.io", "codefresh/sealed-secrets-controller", true),
	place("app-proxy.image", "quay.io", "codefresh/cap-app-proxy", false),
	place("app-proxy.initContainer.image", "quay.io", "codefresh/cap-app-proxy-init", false),
	place("app-proxy.leader-elector.image", "quay.io", "codefresh/leader-elector", true),
	place("app-proxy.image-enrichment.config.images.reportImage", "quay.io", "codefreshplugins/argo-hub-codefresh-csdp-report-image-info", true),
	place("app-proxy.image-enrichment.config.images.gitEnrichment", "quay.io", "codefreshplugins/argo-hub-codefresh-csdp-image-enricher-git-info", true),
	place("app-proxy.image-enrichment.config.images.jiraEnrichment", "quay.io", "codefreshplugins/argo-hub-codefresh-csdp-image-enricher-jira-info", true),
	place("argo-gateway.image", "quay.io", "codefresh/cf-argocd-extras", true),
	place("global.event-reporters.image", "quay.io", "codefresh/cf-argocd-extras", true),
	place("gitops-operator.image", "quay.io", "codefresh/codefresh-gitops-operator", true),
	place("internal-router.image", "docker.io", "nginxinc/nginx-unprivileged", false),
	place("installer.image", "quay.io", "codefresh/gitops-runtime-installer", false),
	place("redis-secret-init.image", "docker.io", "alpine/kubectl", true),
	place("tunnel-client.image", "quay.io", "codefresh/frpc", false),
	place("redis-ha.image", "public.ecr.aws", "docker/library/redis", false),
	place("redis-ha.haproxy.image", "public.ecr.aws", "docker/library/haproxy", false),
}

func place(path, registry, repository string, apart bool) ImagePlace {
	return ImagePlace{Path: strings.Split(path, "."), Registry: registry, Repository: repository, Apart: apart}
}

// pullSecretPaths are the parts that take a pull Secret as a list of names.
var pullSecretPaths = []string{"global", "app-proxy", "internal-router", "gitops-operator", "argo-gateway", "global.event-reporters"}

// imageValues move every image to another registry; the chart's own switch for
// that moves only some.
func imageValues(v tree, a answers.Answers, places []ImagePlace) {
	if a.Images.Registry != "" {
		v.moveImages(places, a.Images.Registry)
	}
	if a.Images.PullSecret == "" {
		return
	}
	for _, path := range slices.Sorted(slices.Values(pullSecretPaths)) {
		v.set(path+".imagePullSecrets", []any{map[string]any{"name": a.Images.PullSecret}})
	}
}

// ImageValues are the values that move images to a registry, and nothing else.
func ImageValues(places []ImagePlace, registry string) map[string]any {
	v := tree{}
	v.moveImages(places, registry)
	return v
}

func (t tree) moveImages(places []ImagePlace, registry string) {
	registry = strings.TrimRight(registry, "/")
	for _, p := range places {
		switch {
		case p.Whole:
			t.setAt(p.Path, registry+"/"+p.Repository)
		case p.Apart:
			t.setAt(append(slices.Clone(p.Path), "registry"), registry)
		default:
			t.setAt(append(slices.Clone(p.Path), "repository"), registry+"/"+p.Repository)
		}
	}
}
