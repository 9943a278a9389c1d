package check

import (
	"fmt"
	"regexp"
	"slices"
)

// delicate are arguments whose values are nobody's business.
var delicate = regexp.MustCompile(`(?i)(token|passw|secret|credential|api-?key|licen[cs]e)[^=]*=`)

// Turn makes one list of an object into another by a JSON patch, which tests
// the whole list first. Where the list holds something delicate, only what goes
// and what comes is named.
func Turn(path string, before, after []string) []Operation {
	switch {
	case slices.Equal(before, after):
		return nil
	case len(before) == 0:
		return []Operation{absent(path), {Op: "add", Path: path, Value: after}}
	case len(after) == 0:
		return []Operation{{Op: "test", Path: path, Value: before}, {Op: "remove", Path: path}}
	case !slices.ContainsFunc(slices.Concat(before, after), delicate.MatchString):
		return []Operation{{Op: "test", Path: path, Value: before}, {Op: "replace", Path: path, Value: after}}
	}
	return turnParts(path, before, after)
}

func turnParts(path string, before, after []string) []Operation {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	var operations []Operation
	at := fmt.Sprintf("%s/%d", path, start)
	for _, gone := range before[start : len(before)-end] {
		operations = append(operations, Operation{Op: "test", Path: at, Value: gone}, Operation{Op: "remove", Path: at})
	}
	if start > 0 {
		operations = append(operations, Operation{Op: "test", Path: fmt.Sprintf("%s/%d", path, start-1), Value: before[start-1]})
	}
	for i, come := range after[start : len(after)-end] {
		operations = append(operations, Operation{Op: "add", Path: fmt.Sprintf("%s/%d", path, start+i), Value: come})
	}
	return operations
}
