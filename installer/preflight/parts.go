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
func (p part) controllers(c facts.Cluster, a answers.Answers) []facts.Workload {
	return slices.DeleteFunc(slices.Clone(c.Workloads), func(w facts.Workload) bool { return oursAlready(w.Meta, a) || !p.runs(w) })
}

// workloadNames are what people call workloads.
func workloadNames(workloads []facts.Workload) []string {
	names := make([]string, len(workloads))
	for i, w := range workloads {
		names[i] = w.Kind + " " + w.Meta.Name.String()
	}
	return names
}

func (p part) runs(w facts.Workload) bool {
	if w.Labels["app.kubernetes.io/part-of"] == p.partOf {
		return true
	}
	return slices.ContainsFunc(w.Containers, func(container facts.Container) bool { return p.isImage(container.Image) })
}

func (p part) isImage(image string) bool {
	name, _ := splitImage(image)
	return slices.ContainsFunc(p.images, func(end string) bool { return strings.HasSuffix(name, end) })
}

// splitImage is an image without its digest, and its tag.
func splitImage(image string) (name, tag string) {
	name, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
		return name[:colon], name[colon+1:]
	}
	return name, ""
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
	return facts.OfRelease(m.Annotations, a.Runtime.Namespace, a.Runtime.Release)
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
	running := workloadNames(p.controllers(c, a))
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
