package plan

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Upgrade plans another chart version for a release that is there. Its values
// stay as they are; over them lies only what differs between the answers that
// the values amount to and those that were given.
func Upgrade(config map[string]any, before, after answers.Answers, s Sources) (Plan, error) {
	if err := newProblems(before, after, s).OrNil(); err != nil {
		return Plan{}, err
	}
	changed, dropped := difference(values(before, s), values(after, s))
	base := deepCopy(config)
	for _, path := range dropped {
		drop(base, path)
	}
	files := chartutil.MergeTables(MergeFiles(after, s), base)
	changed, _ = difference(files, changed)
	p := Plan{Release: after.Runtime.Release, Namespace: after.Runtime.Namespace, Chart: after.Runtime.Chart, Version: after.Runtime.Version,
		Values: changed, answers: after.Clone(), tokens: tokensOf(after), files: files}
	// A token in clear would win over the Secret that takes its place.
	for ref, literal := range map[string]string{
		"global.codefresh.userToken.secretKeyRef": "global.codefresh.userToken.token", "global.runtime.gitCredentials.password.secretKeyRef": "global.runtime.gitCredentials.password.value",
	} {
		if ValueAt(changed, ref) != nil && ValueAt(p.files, literal) != nil {
			changed.set(literal, "")
		}
	}
	if after.CRDs.Mode == "adopt" {
		p.crds = CRDsOf(s.projects())
	}
	p.Objects = objects(after, p)
	return p, nil
}

// newProblems are those that the given answers bring: what runs already is not
// judged again.
func newProblems(before, after answers.Answers, s Sources) problem.List {
	known := map[string]bool{}
	for _, p := range before.Validate().Problems {
		known[p.Error()] = true
	}
	return slices.DeleteFunc(append(after.Validate().Problems, s.checkFiles(after)...), func(p *problem.Problem) bool { return known[p.Error()] })
}

// Keeping is the plan whose Secret also holds keys that are there already: it
// is written whole.
func (p Plan) Keeping(keys ...string) Plan {
	p.Objects = slices.Clone(p.Objects)
	for i, o := range p.Objects {
		if o.Kind == "Secret" {
			p.Objects[i].Keys = slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.Keys, keys))))
		}
	}
	return p
}

// Paths are the values that a plan sets of its own, by their dotted paths.
func (p Plan) Paths() []string { return leaves("", p.Values) }

func leaves(path string, node map[string]any) []string {
	found := []string{}
	for _, key := range slices.Sorted(maps.Keys(node)) {
		full := strings.TrimPrefix(path+"."+key, ".")
		if table, ok := node[key].(map[string]any); ok && len(table) > 0 {
			found = append(found, leaves(full, table)...)
			continue
		}
		found = append(found, full)
	}
	return found
}

// difference is what the later tree says otherwise, and what it says no more.
func difference(before, after map[string]any) (changed tree, dropped [][]string) {
	changed = tree{}
	for key, value := range after {
		old, both := before[key]
		table, isTable := value.(map[string]any)
		oldTable, wasTable := old.(map[string]any)
		switch {
		case both && isTable && wasTable:
			inner, gone := difference(oldTable, table)
			if len(inner) > 0 {
				changed[key] = map[string]any(inner)
			}
			for _, path := range gone {
				dropped = append(dropped, append([]string{key}, path...))
			}
		case !both || !reflect.DeepEqual(old, value):
			changed[key] = value
		}
	}
	for key, value := range before {
		if _, both := after[key]; both {
			continue
		}
		// Only what the answers said goes: beside it may stand other values.
		table, isTable := value.(map[string]any)
		if !isTable {
			dropped = append(dropped, []string{key})
		}
		_, gone := difference(table, nil)
		for _, path := range gone {
			dropped = append(dropped, append([]string{key}, path...))
		}
	}
	return changed, dropped
}

// drop takes a value out of a tree.
func drop(node map[string]any, path []string) {
	for _, name := range path[:len(path)-1] {
		next, ok := node[name].(map[string]any)
		if !ok {
			return
		}
		node = next
	}
	delete(node, path[len(path)-1])
}
