package checklist

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/text"
)

// nextTasks are what a finished runtime is for. None of them is needed.
var nextTasks = []task{{
	id: "next-clusters", title: "Next: external clusters", why: "The runtime can deploy to other clusters too.",
	when: "always; optional", manual: "Add them as the page says.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookClusters,
}, {
	id: "next-applications", title: "Next: applications", why: "Create and deploy your first application.",
	when: "always; optional", manual: "Create it in Codefresh.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookApplications,
}, {
	id: "next-upgrade", title: "Next: upgrades", why: "Newer versions of the runtime mend and secure it.",
	when: "always; optional", manual: "`cfwizard upgrade`", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookUpgrade,
}}

func lookClusters(_ context.Context, s *Scene) Finding {
	lights, err := s.lights()
	if err != nil {
		return unknown(err)
	}
	f := todo("the runtime manages only its own cluster")
	if lights.Clusters > 1 {
		f = done("the runtime manages %s", text.Plural(lights.Clusters, "cluster"))
	}
	f.Command = "cf cluster add " + text.Quote(s.Answers.Runtime.Name)
	f.Link = docs("installation/gitops/managed-cluster/")
	return f
}

func lookApplications(_ context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	count := 0
	for _, app := range cluster.Applications {
		if app.Namespace == s.argoNamespace() {
			count++
		}
	}
	f := todo("none yet")
	if count > 0 {
		f = done("%s in Argo CD", text.Plural(count, "Application"))
	}
	f.Link = docs("deployments/gitops/create-application/")
	return f
}

func lookUpgrade(_ context.Context, s *Scene) Finding {
	lights, err := s.lights()
	if err != nil {
		return unknown(err)
	}
	release, _ := s.release()
	f := notNeeded("chart %s; this platform does not tell whether there is a newer one", release.Version)
	switch {
	case lights.UpgradeAvailable == nil:
	case *lights.UpgradeAvailable:
		f = todo("chart %s has a newer version", release.Version)
		f.Command = "cfwizard upgrade"
	default:
		f = done("chart %s is the newest", release.Version)
	}
	f.Link = docs("installation/gitops/upgrade-gitops-runtime/")
	return f
}
