// Package preflight judges a cluster before anything is written: what the
// runtime needs and what would be in its way. It is pure, over facts; only the
// rehearsal asks the API server.
package preflight

import (
	"fmt"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Cluster judges the cluster as such, for these answers and the values of the
// extra files that they name.
func Cluster(c facts.Cluster, a answers.Answers, values map[string]any) []check.Check {
	checks := []check.Check{
		nodes(c), readable(c), judgeVersion(c.Version), architectures(c), broken(c), dns(c, values), storage(c, a),
		argoCD(c, a), sealedSecrets(c, a, values), existing(c, a), crdOwners(c, a),
	}
	return append(checks, argoParts(c, a)...)
}

func judged(id, field string, status check.Status, format string, args ...any) check.Check {
	return check.Check{ID: id, Scope: "cluster", Field: field, Status: status, Title: fmt.Sprintf(format, args...)}
}

// because adds why and how to fix it.
func because(c check.Check, why, fix string) check.Check {
	c.Why, c.Fix = why, fix
	return c
}

func seen(c check.Check, format string, args ...any) check.Check {
	c.Evidence = fmt.Sprintf(format, args...)
	return c
}

// unread is the check that could not be made.
func unread(id, field string, u facts.Unread) check.Check {
	return judged(id, field, check.Skip, "%s", u.String())
}

// Fingerprint is the check that the cluster answers, and which it is.
func Fingerprint(c facts.Cluster) check.Check {
	return seen(judged("cluster.reachable", "cluster.context", check.Pass, "%s", c.Fingerprint()), "%s, as %s", c.Server, c.User)
}

// readable tells what could not be read. What one may not read is a matter of
// rights; what did not answer leaves the judgement incomplete.
func readable(c facts.Cluster) check.Check {
	var forbidden, lost []string
	for _, u := range c.Unread {
		if u.Reason == facts.NotAllowed {
			forbidden = append(forbidden, u.What)
			continue
		}
		lost = append(lost, u.What+" ("+string(u.Reason)+")")
	}
	switch {
	case len(lost) > 0:
		return because(judged("cluster.read", "cluster.context", check.Fail, "could not read %s", list(lost)),
			"The API server did not answer, or too slowly: the checks that need it were not made.", "Try again; see how it is with: kubectl get --raw /readyz?verbose")
	case len(forbidden) > 0:
		return because(judged("cluster.read", "cluster.context", check.Warn, "not allowed to read %s", list(forbidden)),
			"The checks that need it were not made.", "Use a user that may read it, or ask for the ClusterRole view.")
	}
	return judged("cluster.read", "cluster.context", check.Pass, "everything that matters could be read")
}
