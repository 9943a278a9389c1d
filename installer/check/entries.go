package check

import (
	"maps"
	"slices"
)

// Setting adds to a repair that entries of a map in the object are set: labels,
// annotations, a ConfigMap's data. parent is the map's path, such as
// /metadata/labels. Every change is guarded by a test of what was there.
func (r Repair) Setting(parent string, entries, changes map[string]string) Repair {
	guard := Operation{Op: "test", Path: "/metadata/name", Value: r.Name}
	r.Patch = append(slices.Clone(r.Patch), guard)
	var undo []Operation
	if len(entries) == 0 {
		r.Patch = append(r.Patch, absent(parent), Operation{Op: "add", Path: parent, Value: maps.Clone(changes)})
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		path, value := parent+"/"+Escape(key), changes[key]
		before, there := entries[key]
		now := Operation{Op: "test", Path: path, Value: value}
		r.After = append(slices.Clone(r.After), key+": "+value)
		switch {
		case there:
			r.Before = append(slices.Clone(r.Before), key+": "+before)
			r.Patch = append(r.Patch, Operation{Op: "test", Path: path, Value: before}, Operation{Op: "replace", Path: path, Value: value})
			undo = append(undo, now, Operation{Op: "replace", Path: path, Value: before})
			continue
		case len(entries) > 0:
			r.Patch = append(r.Patch, Operation{Op: "add", Path: path, Value: value})
		}
		undo = append(undo, now, Operation{Op: "remove", Path: path})
	}
	r.Undo = append(slices.Clone(r.Undo), undo...)
	return r
}
