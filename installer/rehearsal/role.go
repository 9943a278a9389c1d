package rehearsal

import (
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// roleName is the ClusterRole that an admin is asked for.
const roleName = "cfwizard-installer"

// reads are what the checks look at.
var reads = map[string][]string{
	"":                     {"nodes", "pods", "services", "configmaps", "namespaces", "resourcequotas", "limitranges"},
	"apps":                 {"deployments", "daemonsets", "statefulsets"},
	"networking.k8s.io":    {"ingresses", "ingressclasses"},
	"storage.k8s.io":       {"storageclasses"},
	"apiextensions.k8s.io": {"customresourcedefinitions"},
}

// ClusterRole prints the smallest role that lets a user check and install, and
// its binding.
func ClusterRole(needed []right, user string) string {
	verbs := map[[2]string][]string{} // group, resource
	for _, r := range needed {
		resource := r.resource
		if r.subresource != "" {
			resource += "/" + r.subresource
		}
		key := [2]string{r.group, resource}
		verbs[key] = append(verbs[key], r.verb)
	}
	for group, resources := range reads {
		for _, resource := range resources {
			verbs[[2]string{group, resource}] = append(verbs[[2]string{group, resource}], "get", "list", "watch")
		}
	}
	role := rbacv1.ClusterRole{TypeMeta: metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
		ObjectMeta: metav1.ObjectMeta{Name: roleName}, Rules: rules(verbs)}
	binding := rbacv1.ClusterRoleBinding{TypeMeta: metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRoleBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: roleName}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: roleName},
		Subjects: []rbacv1.Subject{subject(user)}}
	return document(role) + "---\n" + document(binding)
}

// rules puts resources that need the same verbs into one rule.
func rules(verbs map[[2]string][]string) []rbacv1.PolicyRule {
	resources := map[[2]string][]string{} // group, verbs
	for key, list := range verbs {
		slices.Sort(list)
		same := [2]string{key[0], strings.Join(slices.Compact(list), ",")}
		resources[same] = append(resources[same], key[1])
	}
	var out []rbacv1.PolicyRule
	keys := slices.SortedFunc(maps.Keys(resources), func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	for _, key := range keys {
		out = append(out, rbacv1.PolicyRule{APIGroups: []string{key[0]}, Resources: slices.Sorted(slices.Values(resources[key])), Verbs: strings.Split(key[1], ",")})
	}
	return out
}

// subject is a user, or the service account behind a user name.
func subject(user string) rbacv1.Subject {
	if rest, found := strings.CutPrefix(user, "system:serviceaccount:"); found {
		namespace, name, _ := strings.Cut(rest, ":")
		return rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}
	}
	return rbacv1.Subject{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}
}

// document is an object as YAML, without the empty fields of its type.
func document(object any) string {
	out, err := yaml.Marshal(object)
	if err != nil {
		return ""
	}
	var kept []string
	for line := range strings.SplitSeq(strings.TrimRight(string(out), "\n"), "\n") {
		if !strings.Contains(line, "creationTimestamp: null") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n"
}
