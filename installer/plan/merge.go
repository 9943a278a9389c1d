package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// MergeFiles lays the extra values files over each other as helm does, the
// later ones on top.
func MergeFiles(a answers.Answers, s Sources) map[string]any {
	merged := map[string]any{}
	for _, name := range a.Options.Values {
		tree, err := s.values(name)
		if err != nil {
			continue // refused before
		}
		merged = chartutil.MergeTables(tree, merged)
	}
	return merged
}

// settle adds to the plan's own values what keeps the files from undoing them:
// another access mode that a file switches on, or a literal token.
func settle(v tree, files map[string]any, a answers.Answers) (warnings []string) {
	for mode, path := range map[answers.Mode]string{answers.IngressMode: "global.runtime.ingress.enabled", answers.GatewayMode: "global.runtime.httpRoute.enabled"} {
		if on, _ := ValueAt(files, path).(bool); on && a.Access.Mode != mode {
			v.set(path, false)
			warnings = append(warnings, fmt.Sprintf("options.values: a file switches %s on; it is set to false, since access.mode is %s", path, a.Access.Mode))
		}
	}
	if on, given := ValueAt(files, "tunnel-client.enabled").(bool); given && !on && a.Access.Mode == answers.Tunnel {
		v.set("tunnel-client.enabled", true)
		warnings = append(warnings, "options.values: a file switches tunnel-client.enabled off; it is set to true, since access.mode is tunnel")
	}
	keepLists(v, files)
	for _, path := range literalSecrets {
		if text, _ := ValueAt(files, path).(string); text != "" {
			v.set(path, "")
			warnings = append(warnings, "options.values: a file holds a secret at "+path+"; it is left out, because the chart would write it into a ConfigMap")
		}
	}
	slices.Sort(warnings)
	return append(warnings, conflicts("", v, files)...)
}

// keepLists keeps a file's longer list where it begins with what the answers
// say: Helm replaces lists whole.
func keepLists(v tree, files map[string]any) {
	for _, path := range []string{"global.runtime.ingress.hosts", "global.runtime.httpRoute.hostnames", "global.runtime.httpRoute.parentRefs"} {
		ours, _ := ValueAt(v, path).([]any)
		theirs, _ := ValueAt(files, path).([]any)
		if len(ours) > 0 && len(theirs) > 0 && begins(theirs[0], ours[0]) {
			v.set(path, theirs)
		}
	}
}

// begins reports whether an item says at least what ours says.
func begins(theirs, ours any) bool {
	table, isTable := ours.(map[string]any)
	other, isOther := theirs.(map[string]any)
	if !isTable || !isOther {
		return fmt.Sprint(theirs) == fmt.Sprint(ours)
	}
	for key, value := range table {
		if fmt.Sprint(other[key]) != fmt.Sprint(value) {
			return false
		}
	}
	return true
}

// literalSecrets are the values that would hold a secret in clear.
var literalSecrets = []string{
	"global.codefresh.userToken.token", "global.runtime.gitCredentials.password.value",
	"global.integrations.argo-cd.server.auth.password", "global.integrations.argo-cd.server.auth.token",
}

// conflicts tells where an answer and a file say different things.
func conflicts(path string, ours, files map[string]any) []string {
	var told []string
	for _, key := range slices.Sorted(maps.Keys(ours)) {
		theirs, both := files[key]
		if !both {
			continue
		}
		full := strings.TrimPrefix(path+"."+key, ".")
		table, isTable := ours[key].(map[string]any)
		other, isOther := theirs.(map[string]any)
		switch {
		case isTable && isOther:
			told = append(told, conflicts(full, table, other)...)
		case fmt.Sprint(ours[key]) != fmt.Sprint(theirs) && !slices.Contains(literalSecrets, full) && !strings.HasSuffix(full, ".enabled"):
			told = append(told, "options.values: a file sets "+full+" to something else; the answer wins")
		}
	}
	return told
}

// ValueAt finds a value by its dotted path.
func ValueAt(values map[string]any, path string) any {
	var node any = values
	for name := range strings.SplitSeq(path, ".") {
		table, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = table[name]
	}
	return node
}

// Merged is what Helm is given: the extra files with the plan's values on top.
func (p Plan) Merged() map[string]any {
	return chartutil.MergeTables(deepCopy(p.Values), deepCopy(p.files))
}

// deepCopy keeps whoever writes into values from writing into the plan.
func deepCopy(m map[string]any) map[string]any {
	copied := make(map[string]any, len(m))
	for key, value := range m {
		if child, ok := value.(map[string]any); ok {
			value = deepCopy(child)
		}
		copied[key] = value
	}
	return copied
}
