package preflight

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/text"
)

// broken tells of API servers behind the API server that do not answer: they
// make namespaces hang when they are deleted, and Helm's discovery fail.
func broken(c facts.Cluster) check.Check {
	const id, field = "cluster.api", "cluster.context"
	if missing, all := c.Could(facts.Groups); !all {
		return unread(id, field, missing)
	}
	if len(c.BrokenGroups) > 0 {
		return because(judged(id, field, check.Warn, "the API %s does not answer", list(slices.Clone(c.BrokenGroups))), "Its server is down: Helm's discovery and the deletion of namespaces suffer.",
			"See: kubectl get apiservices; mend or remove the one that is not Available.")
	}
	return judged(id, field, check.Pass, "every API group answers")
}

// dns looks for the Service that the runtime's router resolves names with: the
// one that a values file names, or else the chart's own.
func dns(c facts.Cluster, values map[string]any) check.Check {
	const id, field = "cluster.dns", "options.values"
	if resolver := textAt(values, "internal-router.resolver", ""); resolver != "" {
		return judged(id, field, check.Pass, "a values file gives the router its resolver, %s", resolver)
	}
	if missing, all := c.Could(facts.Services); !all {
		return unread(id, field, missing)
	}
	wanted := facts.Name{Namespace: textAt(values, "internal-router.dnsNamespace", "kube-system"), Name: textAt(values, "internal-router.dnsService", "kube-dns")}
	if _, found := c.Service(wanted); found {
		return judged(id, field, check.Pass, "the DNS service is %s", wanted)
	}
	why := "The runtime's router resolves names with it and stops with \"host not found in resolver\"."
	index := slices.IndexFunc(c.Services, isDNS)
	if index < 0 {
		return because(judged(id, field, check.Fail, "there is no Service %s", wanted), why,
			"Find the cluster's DNS service and name it in a values file: internal-router: {dnsService: NAME, dnsNamespace: NAMESPACE}")
	}
	other := c.Services[index].Meta.Name
	return because(judged(id, field, check.Fail, "the DNS service is %s, not %s", other, wanted), why,
		"Add a values file (options.values) with: internal-router: {dnsService: "+other.Name+", dnsNamespace: "+other.Namespace+"}")
}

// textAt is a text among the values, or else the chart's default.
func textAt(values map[string]any, path, otherwise string) string {
	given, _ := plan.ValueAt(values, path).(string)
	return cmp.Or(text.Line(given), otherwise)
}

// isDNS recognises the DNS services of other distributions.
func isDNS(s facts.Service) bool {
	name := s.Meta.Name.Name
	if s.Labels["k8s-app"] != "kube-dns" && !strings.Contains(name, "coredns") && name != "dns-default" {
		return false
	}
	return slices.ContainsFunc(s.Ports, func(p facts.Port) bool { return p.Port == 53 })
}

// storage matters only to the Redis of a highly available runtime.
func storage(c facts.Cluster, a answers.Answers) check.Check {
	const id, field = "cluster.storage", "options.ha"
	if missing, all := c.Could(facts.StorageClasses); !all {
		return unread(id, field, missing)
	}
	index := slices.IndexFunc(c.StorageClasses, func(s facts.StorageClass) bool { return s.Default })
	switch {
	case index >= 0:
		return judged(id, field, check.Pass, "the default storage class is %s", c.StorageClasses[index].Name)
	case !a.Options.HA:
		return judged(id, field, check.Pass, "there is no default storage class, and none is needed")
	}
	return because(judged(id, field, check.Fail, "there is no default storage class"), "Redis of a highly available runtime keeps its data on volumes.",
		"Mark one: kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true")
}

// sealedSecrets must not be there twice: the keys of the other would be lost
// with it, so that nothing is removed from here.
func sealedSecrets(c facts.Cluster, a answers.Answers, values map[string]any) check.Check {
	const id, field = "sealed-secrets", "cluster.context"
	if missing, all := c.Could(facts.Workloads, facts.CRDs); !all {
		return unread(id, field, missing)
	}
	if on, given := plan.ValueAt(values, "sealed-secrets.enabled").(bool); given && !on {
		return judged(id, field, check.Pass, "a values file leaves the chart's own Sealed Secrets out")
	}
	for _, w := range c.Workloads {
		if oursAlready(w.Meta, a) || !runsSealedSecrets(w) {
			continue
		}
		return seen(because(judged(id, field, check.Fail, "a Sealed Secrets controller runs in this cluster already"), "The chart brings its own; two of them answer for the same objects.",
			"Keep yours: add a values file with sealed-secrets: {enabled: false}. Do not delete it: its keys open your SealedSecrets."), "%s %s", w.Kind, w.Meta.Name)
	}
	if slices.ContainsFunc(c.CRDs, func(m facts.Meta) bool { return m.Name.Name == "sealedsecrets.bitnami.com" && !oursAlready(m, a) }) {
		return judged(id, field, check.Pass, "of Sealed Secrets only the CRD is there; it is kept")
	}
	return judged(id, field, check.Pass, "no other Sealed Secrets controller")
}

func runsSealedSecrets(w facts.Workload) bool {
	if w.Labels["app.kubernetes.io/name"] == "sealed-secrets" || w.Labels["name"] == "sealed-secrets-controller" {
		return true
	}
	return slices.ContainsFunc(w.Containers, func(c facts.Container) bool { return strings.Contains(c.Image, "/sealed-secrets-controller") })
}

// existing looks for a Codefresh runtime: a cluster holds one.
func existing(c facts.Cluster, a answers.Answers) check.Check {
	const id, field = "codefresh.runtime", "runtime.namespace"
	if missing, all := c.Could(facts.ConfigMaps); !all {
		return unread(id, field, missing)
	}
	if index := slices.IndexFunc(c.Runtimes, func(r facts.RuntimeRecord) bool {
		return r.Namespace == a.Runtime.Namespace && r.Release == a.Runtime.Release
	}); index >= 0 {
		return sameRelease(id, field, c.Runtimes[index], a.Runtime.Name)
	}
	if len(c.Runtimes) == 0 {
		return judged(id, field, check.Pass, "no other Codefresh runtime")
	}
	return otherRuntime(id, field, c.Runtimes[0])
}

// sameRelease upgrades a runtime, which keeps its name: Codefresh knows it by
// that alone.
func sameRelease(id, field string, r facts.RuntimeRecord, name string) check.Check {
	if r.Name == "" || r.Name == name {
		return seen(judged(id, field, check.Pass, "this runtime is installed already: it will be upgraded"), "version %s", r.Version)
	}
	return seen(because(judged(id, "runtime.name", check.Fail, "release %s in namespace %s is the runtime %s", r.Release, r.Namespace, r.Name),
		"Installed as "+name+", it would no longer be the one that Codefresh knows as "+r.Name+". A cluster holds one runtime.",
		"Use its name: --runtime.name "+r.Name+". For a new runtime choose another cluster, or remove this one first: cfwizard uninstall --runtime.namespace "+r.Namespace+" --runtime.release "+r.Release), "version %s", r.Version)
}

func otherRuntime(id, field string, r facts.RuntimeRecord) check.Check {
	if r.Release == "" {
		return because(judged(id, field, check.Fail, "namespace %s holds a runtime of the old CLI", r.Namespace), "It cannot live beside one of the Helm chart.",
			"Migrate it first: https://codefresh.io/docs/docs/installation/gitops/migrate-cli-runtimes-helm/")
	}
	return seen(because(judged(id, field, check.Fail, "namespace %s holds another Codefresh runtime, release %s", r.Namespace, r.Release), "A cluster holds one runtime: their ClusterRoles have the same names.",
		"Upgrade that one: --runtime.namespace "+r.Namespace+" --runtime.release "+r.Release+", or choose another cluster."), "version %s", r.Version)
}
