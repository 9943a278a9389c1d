package rehearsal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// right is one thing that a user may do or not.
type right struct {
	group, resource, subresource string
	namespace                    string // empty for the whole cluster
	verb                         string
}

func (r right) String() string {
	name := r.resource
	if r.subresource != "" {
		name += "/" + r.subresource
	}
	if r.group != "" {
		name += "." + r.group
	}
	return r.verb + " " + name
}

// answer is what the API server says to a right.
type answer int

const (
	unasked answer = iota
	allowed
	denied
)

// rights are all that an install needs, with the server's answers.
type rights struct {
	mu     sync.Mutex
	needed []right
	said   map[right]answer
	trust  bool // a cluster-admin need not ask
}

// may reports whether a right was denied. What could not be asked is tried.
func (r *rights) denies(want right) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said[want] == denied
}

// writeVerbs are what Helm does to an object over its life.
var writeVerbs = []string{"get", "create", "patch", "delete"}

// alwaysNeeded are the rights of Helm's records, the progress and diagnosis.
func alwaysNeeded(namespace string) []right {
	needed := []right{{resource: "namespaces", verb: "get"}, {resource: "namespaces", verb: "create"}}
	for _, verb := range []string{"get", "list", "create", "update", "delete"} {
		needed = append(needed, right{resource: "secrets", namespace: namespace, verb: verb})
	}
	for _, resource := range []string{"pods", "events"} {
		needed = append(needed, right{resource: resource, namespace: namespace, verb: "list"}, right{resource: resource, namespace: namespace, verb: "watch"})
	}
	for _, group := range [][2]string{{"apps", "deployments"}, {"apps", "statefulsets"}, {"batch", "jobs"}} {
		needed = append(needed, right{group: group[0], resource: group[1], namespace: namespace, verb: "list"},
			right{group: group[0], resource: group[1], namespace: namespace, verb: "watch"})
	}
	for _, verb := range []string{"get", "create", "update", "delete"} {
		needed = append(needed, right{group: "coordination.k8s.io", resource: "leases", namespace: namespace, verb: verb})
	}
	return append(needed, right{resource: "pods", subresource: "log", namespace: namespace, verb: "get"})
}

// neededFor are the rights for every object. The chart's own roles hold more
// than its installer may have, so that creating them needs escalate and bind.
func neededFor(props []prop, namespace string) []right {
	needed := alwaysNeeded(namespace)
	for _, p := range props {
		if p.unknown {
			continue
		}
		at := right{group: p.resource.Group, resource: p.resource.Resource}
		if p.namespaced {
			at.namespace = p.object.GetNamespace()
		}
		verbs := writeVerbs
		switch p.resource.Resource {
		case "clusterroles", "roles":
			verbs = append(slices.Clone(verbs), "escalate", "bind")
		}
		for _, verb := range verbs {
			at.verb = verb
			needed = append(needed, at)
		}
	}
	slices.SortFunc(needed, func(a, b right) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return slices.Compact(needed)
}

// askRights asks the API server for each right, once.
func (s *stage) askRights(ctx context.Context, props []prop) *rights {
	needed := neededFor(props, s.script.Namespace)
	if s.script.NamespaceExists {
		needed = slices.DeleteFunc(needed, func(r right) bool { return r.resource == "namespaces" && r.verb == "create" })
	}
	r := &rights{needed: needed, said: map[right]answer{}, trust: s.script.ClusterAdmin}
	if r.trust {
		return r
	}
	each(ctx, len(r.needed), func(i int) {
		said := s.ask(ctx, r.needed[i])
		r.mu.Lock()
		defer r.mu.Unlock()
		r.said[r.needed[i]] = said
	})
	return r
}

func (s *stage) ask(ctx context.Context, want right) answer {
	review, err := s.client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: want.namespace, Verb: want.verb, Group: want.group, Resource: want.resource, Subresource: want.subresource}},
	}, metav1.CreateOptions{})
	switch {
	case err != nil:
		return unasked
	case review.Status.Allowed:
		return allowed
	}
	return denied
}

// verdict says what is missing, and prints the role to ask for.
func (r *rights) verdict(script Script) check.Check {
	c := check.Check{ID: "cluster.rights", Scope: "rehearsal", Field: "cluster.context", Status: check.Pass}
	missing, silent := r.count()
	switch {
	case r.trust:
		c.Title = "you are " + script.User + ", with all rights"
	case len(missing) > 0:
		c.Status = check.Fail
		c.Title = fmt.Sprintf("%s lacks %s", orYou(script.User), text.Plural(len(missing), "right"))
		c.Why = "Missing: " + some(missing) + "."
		c.Fix = "Use a context with more rights, or ask an admin to apply this:\n" + ClusterRole(r.needed, script.User)
		c.Evidence = fmt.Sprintf("%d of %d rights allowed", len(r.needed)-len(missing)-silent, len(r.needed))
	case silent > 0:
		c.Status = check.Fail
		c.Title = fmt.Sprintf("the API server did not say whether you may do %d of %d things", silent, len(r.needed))
		c.Why, c.Fix = "It did not answer in time.", "Try again; see how it is with: kubectl get --raw /readyz?verbose"
	default:
		c.Title = fmt.Sprintf("%s has every right that the chart needs", orYou(script.User))
		c.Evidence = fmt.Sprintf("%d rights asked", len(r.needed))
	}
	return c
}

func (r *rights) count() (missing []string, silent int) {
	for _, want := range r.needed {
		switch r.said[want] {
		case denied:
			missing = append(missing, want.String())
		case unasked:
			silent++
		}
	}
	return slices.Compact(missing), silent
}

func orYou(user string) string {
	if user == "" {
		return "you"
	}
	return user
}

// some names the first few of many.
func some(words []string) string {
	const most = 6
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
}
