package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// part is a project of which a cluster may hold one already.
type part struct {
	id, name string
	crds     []string // their names' beginnings, before .argoproj.io
	partOf   string   // its label app.kubernetes.io/part-of
	images   []string // how its images' names end
	ours     bool     // today's chart brings it
}

var argoCDPart = part{id: "argo.cd", name: "Argo CD", crds: []string{"applications", "applicationsets", "appprojects"}, partOf: "argocd",
	images: []string{"argoproj/argocd", "codefresh/argocd"}, ours: true}

// otherParts are the Argo projects beside Argo CD. Rollouts and Events left
// the chart in 0.27 and 0.28.
var otherParts = []part{
	{id: "argo.workflows", name: "Argo Workflows", partOf: "argo-workflows", images: []string{"workflow-controller", "argocli"}, ours: true,
		crds: []string{"workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows", "workfloweventbindings", "workflowtasksets", "workflowtaskresults", "workflowartifactgctasks"}},
	{id: "argo.rollouts", name: "Argo Rollouts", partOf: "argo-rollouts", images: []string{"argoproj/argo-rollouts", "codefresh/argo-rollouts"},
		crds: []string{"rollouts", "experiments", "analysisruns", "analysistemplates", "clusteranalysistemplates"}},
	{id: "argo.events", name: "Argo Events", partOf: "argo-events", images: []string{"argoproj/argo-events", "codefresh/argo-events"},
		crds: []string{"eventbus", "eventsources", "sensors"}},
}

// controllers are the part's workloads that are not of our own release.
func (p part) controllers(c facts.Cluster, a answers.Answers) []string {
	var found []string
	for _, w := range c.Workloads {
		if oursAlready(w.Meta, a) || !p.runs(w) {
			continue
		}
		found = append(found, w.Kind+" "+w.Meta.Name.String())
	}
	return found
}

func (p part) runs(w facts.Workload) bool {
	if w.Labels["app.kubernetes.io/part-of"] == p.partOf {
		return true
	}
	return slices.ContainsFunc(w.Containers, func(container facts.Container) bool {
		name, _, _ := strings.Cut(container.Image, "@")
		if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
			name = name[:colon]
		}
		return slices.ContainsFunc(p.images, func(image string) bool { return strings.HasSuffix(name, image) })
	})
}

// definitions are the part's CRDs in the cluster.
func (p part) definitions(c facts.Cluster) []facts.Meta {
	var found []facts.Meta
	for _, crd := range c.CRDs {
		plural, group, _ := strings.Cut(crd.Name.Name, ".")
		if group == "argoproj.io" && slices.Contains(p.crds, plural) {
			found = append(found, crd)
		}
	}
	return found
}

// oursAlready reports whether an object belongs to the release that is to be
// installed: then this is an upgrade, not a collision.
func oursAlready(m facts.Meta, a answers.Answers) bool {
	return m.Annotations["meta.helm.sh/release-name"] == a.Runtime.Release && m.Annotations["meta.helm.sh/release-namespace"] == a.Runtime.Namespace
}

// ArgoCD is an Argo CD that runs in the cluster.
type ArgoCD struct{ Namespace, Server, RepoServer string }

// FindArgoCD finds the Argo CD that is not of our own release.
func FindArgoCD(c facts.Cluster, a answers.Answers) (ArgoCD, bool) {
	running := argoCDPart.controllers(c, a)
	if len(running) == 0 {
		return ArgoCD{}, false
	}
	return ArgoCD{namespaceOf(running[0]), argoService(c, "server"), argoService(c, "repo-server")}, true
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
		return seen(judged(id, field, check.Pass, "the existing Argo CD is used"), "%s", list(running))
	case len(running) > 0:
		there, _ := FindArgoCD(c, a)
		return seen(because(judged(id, field, check.Fail, "an Argo CD runs in this cluster already"), "Two of them would fight over the same Applications and CRDs.",
			"Use it: --argocd.mode existing --argocd.namespace "+there.Namespace+" --argocd.server "+there.Server+" --argocd.repoServer "+there.RepoServer), "%s", list(running))
	case slices.ContainsFunc(c.CRDs, func(m facts.Meta) bool { return m.Name.Name == "argocds.argoproj.io" }):
		return because(judged(id, field, check.Warn, "the Argo CD operator is installed"), "It may bring an Argo CD of its own at any time.", "See: kubectl get argocds.argoproj.io -A")
	}
	return crdsOnly(argoCDPart, c, a, field)
}

func namespaceOf(workload string) string {
	_, name, _ := strings.Cut(workload, " ")
	namespace, _, _ := strings.Cut(name, "/")
	return namespace
}

// argoService finds Argo CD's Service of a component.
func argoService(c facts.Cluster, component string) string {
	for _, s := range c.Services {
		if s.Labels["app.kubernetes.io/part-of"] == "argocd" && s.Labels["app.kubernetes.io/component"] == component {
			return s.Meta.Name.Name
		}
	}
	return "argocd-" + component
}

// crdsOnly is the verdict where no controller runs.
func crdsOnly(p part, c facts.Cluster, a answers.Answers, field string) check.Check {
	found := slices.DeleteFunc(p.definitions(c), func(m facts.Meta) bool { return oursAlready(m, a) })
	if len(found) == 0 {
		return judged(p.id, field, check.Pass, "no other %s", p.name)
	}
	return judged(p.id, "crds.mode", check.Pass, "of %s only the CRDs are there: %d", p.name, len(found))
}

// argoParts judges the other Argo projects, controllers and CRDs apart.
func argoParts(c facts.Cluster, a answers.Answers) []check.Check {
	var checks []check.Check
	for _, p := range otherParts {
		if missing, all := c.Could(facts.Workloads, facts.CRDs); !all {
			checks = append(checks, unread(p.id, "cluster.context", missing))
			continue
		}
		checks = append(checks, p.judge(c, a))
	}
	return checks
}

func (p part) judge(c facts.Cluster, a answers.Answers) check.Check {
	running := p.controllers(c, a)
	switch {
	case len(running) == 0:
		return crdsOnly(p, c, a, "cluster.context")
	case !p.ours:
		return seen(because(judged(p.id, "cluster.context", check.Warn, "%s runs in this cluster", p.name),
			"Charts from 0.28 on bring none and leave it alone; older ones bring their own and collide.", "Keep it with today's chart; see the checklist afterwards."), "%s", list(running))
	}
	return seen(because(judged(p.id, "cluster.context", check.Fail, "%s runs in this cluster already", p.name), "The chart brings its own, and two controllers act on the same objects.",
		fmt.Sprintf("Remove the other first, such as its Helm release; keep its CRDs with --crds.mode adopt. It is %s.", running[0])), "%s", list(running))
}
