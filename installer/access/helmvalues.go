package access

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pathParts splits the path of a chart's value as helm's --set does: a dot
// after a backslash belongs to the name.
func pathParts(path string) []string {
	const kept = "\x00"
	parts := strings.Split(strings.ReplaceAll(path, `\.`, kept), ".")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(part, kept, ".")
	}
	return parts
}

// yamlLines writes values as nested YAML. Sorted paths with the same beginning
// stand together, so that each level is opened once.
func yamlLines(values map[string]string) []string {
	var lines, open []string
	for _, path := range slices.Sorted(maps.Keys(values)) {
		parts := pathParts(path)
		last := len(parts) - 1
		depth := 0
		for depth < min(last, len(open)) && open[depth] == parts[depth] {
			depth++
		}
		for ; depth < last; depth++ {
			lines = append(lines, strings.Repeat("  ", depth)+parts[depth]+":")
		}
		lines = append(lines, strings.Repeat("  ", last)+parts[last]+": "+yamlScalar(values[path]))
		open = parts[:last]
	}
	return lines
}

var plainScalar = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_./,-]*$`)

// yamlScalar leaves words, numbers, true and false as they are, as --set takes
// them, and quotes the rest.
func yamlScalar(value string) string {
	if plainScalar.MatchString(value) {
		return value
	}
	return strconv.Quote(value)
}

// nested turns paths and values into the tree that they describe.
func nested(values map[string]string) map[string]any {
	tree := map[string]any{}
	for _, path := range slices.Sorted(maps.Keys(values)) {
		parts := pathParts(path)
		branch := tree
		for _, part := range parts[:len(parts)-1] {
			next, ok := branch[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				branch[part] = next
			}
			branch = next
		}
		branch[parts[len(parts)-1]] = typed(values[path])
	}
	return tree
}

// typed is a value as --set understands it, as far as is needed here.
func typed(value string) any {
	switch value {
	case "true":
		return true
	case "false":
		return false
	}
	return value
}
