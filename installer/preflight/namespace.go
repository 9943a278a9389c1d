package preflight

import (
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Namespace judges the namespace that the runtime goes into.
func Namespace(n facts.Namespace) []check.Check {
	const field = "runtime.namespace"
	var checks []check.Check
	for _, u := range n.Unread {
		checks = append(checks, unread("namespace.state", field, u))
	}
	if !n.Exists && len(n.Unread) > 0 {
		return checks
	}
	if !n.Exists {
		return []check.Check{judged("namespace.state", field, check.Pass, "namespace %s will be created", n.Name)}
	}
	if n.Terminating {
		return []check.Check{because(judged("namespace.state", field, check.Fail, "namespace %s is being deleted", n.Name), "Nothing can be created in it.",
			"Wait for it: kubectl wait --for=delete namespace/"+n.Name+" --timeout=5m; or see what holds it: kubectl get namespace "+n.Name+" -o yaml")}
	}
	checks = append(checks, judged("namespace.state", field, check.Pass, "namespace %s exists", n.Name), podSecurity(n))
	return append(checks, quotas(n), limits(n))
}

// podSecurity: app-proxy and others do not meet the restricted profile; the
// hook Jobs do not either.
func podSecurity(n facts.Namespace) check.Check {
	const id, field = "namespace.pod-security", "runtime.namespace"
	level := n.Labels["pod-security.kubernetes.io/enforce"]
	if level != "restricted" {
		return judged(id, field, check.Pass, "pod security: %s", orWord(level, "not enforced"))
	}
	return because(judged(id, field, check.Fail, "namespace %s enforces restricted pod security", n.Name), "The chart's hook Jobs set no security context and would be refused.",
		"Allow baseline: kubectl label namespace "+n.Name+" pod-security.kubernetes.io/enforce=baseline --overwrite")
}

func orWord(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}

// needs are what the runtime asks of a quota, at least.
var needs = map[string]int64{ // in thousandths
	"pods": 16_000, "count/pods": 16_000, "services": 13_000, "count/services": 13_000, "secrets": 12_000, "count/secrets": 12_000,
	"configmaps": 16_000, "count/configmaps": 16_000, "count/deployments.apps": 15_000, "count/jobs.batch": 4_000,
	"requests.cpu": 2_000, "cpu": 2_000, "requests.memory": 2_000_000_000_000, "memory": 2_000_000_000_000,
}

func quotas(n facts.Namespace) check.Check {
	const id, field = "namespace.quota", "runtime.namespace"
	var tight []string
	for _, q := range n.Quotas {
		if needed, counts := needs[q.Resource]; counts && q.Hard-q.Used < needed {
			tight = append(tight, fmt.Sprintf("%s: %s of %s used in %s", q.Resource, q.UsedText, q.HardText, q.Name))
		}
	}
	if len(tight) > 0 {
		return seen(because(judged(id, field, check.Fail, "the quota of namespace %s is too small for the runtime", n.Name), "Pods beyond it are refused, and the install waits for them in vain.",
			"Raise it: kubectl -n "+n.Name+" edit resourcequota; or choose another namespace."), "%s", list(tight))
	}
	if len(n.Quotas) > 0 {
		return judged(id, field, check.Pass, "the quota leaves enough room")
	}
	return judged(id, field, check.Pass, "no quota limits the namespace")
}

// limits: a small largest value refuses containers that ask for more.
func limits(n facts.Namespace) check.Check {
	const id, field = "namespace.limits", "runtime.namespace"
	var found []string
	for _, l := range n.Limits {
		if l.Max != "" {
			found = append(found, fmt.Sprintf("%s at most %s (%s)", l.Resource, l.Max, l.Name))
		}
	}
	if len(found) == 0 {
		return judged(id, field, check.Pass, "no limit range refuses containers")
	}
	return because(judged(id, field, check.Warn, "a limit range bounds containers: %s", strings.TrimSpace(list(found))), "A container that asks for more is refused.",
		"Compare with the chart's requests: cfwizard plan -o manifest; or lift it: kubectl -n "+n.Name+" get limitrange")
}
