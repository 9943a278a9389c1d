package preflight

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// ArgoCD is an Argo CD that runs in the cluster.
type ArgoCD struct{ Namespace, Server, RepoServer string }

// FindArgoCD finds the Argo CD that is not of our own release.
func FindArgoCD(c facts.Cluster, a answers.Answers) (ArgoCD, bool) {
	running := argoCDPart.controllers(c, a)
	if len(running) == 0 {
		return ArgoCD{}, false
	}
	return argoCDIn(c, running[0].Namespace), true
}

func argoCDIn(c facts.Cluster, namespace string) ArgoCD {
	return ArgoCD{namespace, argoService(c, namespace, "server"), argoService(c, namespace, "repo-server")}
}

// argoService finds Argo CD's Service of a component.
func argoService(c facts.Cluster, namespace, component string) string {
	for _, s := range c.Services {
		if s.Namespace == namespace && s.Labels["app.kubernetes.io/part-of"] == "argocd" && s.Labels["app.kubernetes.io/component"] == component {
			return s.Meta.Name.Name
		}
	}
	return "argocd-" + component
}

// argoCD decides between a new Argo CD and the one that is there.
func argoCD(c facts.Cluster, a answers.Answers) check.Check {
	const id, field = "argo.cd", "argocd.mode"
	if missing, all := c.Could(facts.Workloads, facts.CRDs); !all {
		return unread(id, field, missing)
	}
	running := argoCDPart.controllers(c, a)
	switch {
	case a.ArgoCD.Mode == "existing" && len(running) == 0:
		return because(judged(id, field, check.Fail, "no Argo CD runs in this cluster"), "The answers say that the runtime shall use an existing one.", "Set argocd.mode to new.")
	case a.ArgoCD.Mode == "existing":
		return seen(existingArgoCD(c, a, running), "%s", list(workloadNames(running)))
	case len(running) > 0:
		there := argoCDIn(c, running[0].Namespace)
		return seen(because(judged(id, field, check.Fail, "an Argo CD runs in this cluster already"), "Two of them would fight over the same Applications and CRDs.",
			"Use it: --argocd.mode existing --argocd.namespace "+there.Namespace+" --argocd.server "+there.Server+" --argocd.repoServer "+there.RepoServer), "%s", list(workloadNames(running)))
	case slices.ContainsFunc(c.CRDs, func(m facts.Meta) bool { return m.Name.Name == "argocds.argoproj.io" }):
		return because(judged(id, field, check.Warn, "the Argo CD operator is installed"), "It may bring an Argo CD of its own at any time.", "See: kubectl get argocds.argoproj.io -A")
	}
	return crdsOnly(argoCDPart, c, a, field)
}

// existingArgoCD holds the one that is there to what the runtime asks of it: in
// the runtime's namespace, by the Services of the answers, of a version that
// the chart takes.
func existingArgoCD(c facts.Cluster, a answers.Answers, running []facts.Workload) check.Check {
	const id = "argo.cd"
	namespace := a.Runtime.Namespace
	if missing, all := c.Could(facts.Services); !all {
		return unread(id, "argocd.server", missing)
	}
	beside := slices.DeleteFunc(slices.Clone(running), func(w facts.Workload) bool { return w.Namespace != namespace })
	if len(beside) == 0 {
		return because(judged(id, "runtime.namespace", check.Fail, "no Argo CD runs in namespace %s", namespace), "The runtime reaches the existing one by the names of its Services, beside it.",
			"Install the runtime there: --runtime.namespace "+running[0].Namespace)
	}
	there := argoCDIn(c, namespace)
	for _, service := range []struct{ field, given, found string }{
		{"argocd.server", a.ArgoCD.Server, there.Server}, {"argocd.repoServer", a.ArgoCD.RepoServer, there.RepoServer},
	} {
		name := cmp.Or(service.given, service.found)
		if _, found := c.Service(facts.Name{Namespace: namespace, Name: name}); !found {
			return because(judged(id, service.field, check.Fail, "there is no Service %s in namespace %s", name, namespace), "The runtime reaches the existing Argo CD through it.",
				"Name it: --"+service.field+" "+otherThan(name, service.found)+"; see them: kubectl -n "+text.Quote(namespace)+" get services")
		}
	}
	return argoCDVersion(a, beside)
}

// otherThan is a name that was found, unless it is the one that is not there.
func otherThan(missing, found string) string {
	if found == missing {
		return "NAME"
	}
	return found
}

// The versions of Argo CD that the chart's own check takes.
var oldestArgoCD, tooNewArgoCD = version.MustParseGeneric("3.0"), version.MustParseGeneric("3.4")

const takenArgoCDs = "The chart's own check takes versions from 3.0 to 3.3."

// argoCDVersion reads the version from the image. The chart asks Argo CD
// itself, right before the install.
func argoCDVersion(a answers.Answers, running []facts.Workload) check.Check {
	const id, field = "argo.cd", "argocd.mode"
	tag := argoCDTag(running)
	found, err := version.ParseGeneric(tag)
	switch {
	case err != nil:
		return because(judged(id, field, check.Warn, "the version of the existing Argo CD is not known"), takenArgoCDs+" The name of its image does not tell.",
			"See which it is: kubectl -n "+text.Quote(a.Runtime.Namespace)+" get pods -o yaml | grep image:")
	case found.AtLeast(oldestArgoCD) && found.LessThan(tooNewArgoCD):
		return judged(id, field, check.Pass, "the existing Argo CD %s is used", text.Line(tag))
	}
	c := because(judged(id, field, check.Fail, "the existing Argo CD is %s", text.Line(tag)), takenArgoCDs, "Bring Argo CD to a version that it takes; if you know better: --options.skipValidation")
	if a.Options.SkipValidation {
		c.Status, c.Fix = check.Warn, "Go on if you know that it works: options.skipValidation leaves the chart's check out."
	}
	return c
}

// argoCDTag is the tag of Argo CD's own image.
func argoCDTag(running []facts.Workload) string {
	for _, w := range running {
		for _, container := range w.Containers {
			if _, tag := splitImage(container.Image); argoCDPart.isImage(container.Image) && tag != "" {
				return tag
			}
		}
	}
	return ""
}
