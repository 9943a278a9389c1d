package access

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// words is the value as an argument, a variable or --set takes it.
func (s setting) words() string {
	switch value := s.value.(type) {
	case nil:
		return ""
	case emptySection:
		return "true"
	case []string:
		return strings.Join(value, ",")
	default:
		return fmt.Sprint(value)
	}
}

// chartValues writes settings as helm's --set takes them: a longer list item
// by item.
func chartValues(settings []setting) map[string]string {
	values := map[string]string{}
	for _, s := range settings {
		list, isList := s.value.([]string)
		switch {
		case isList && len(list) == 0:
			values[s.key] = "null"
		case isList && len(list) == 1:
			values[s.key] = "{" + list[0] + "}"
		case isList:
			for i, item := range list {
				values[fmt.Sprintf("%s[%d]", s.key, i)] = item
			}
		default:
			values[s.key] = s.words()
		}
	}
	return values
}

// helmChartConfig is what k3s and RKE2 add to the values of their own charts.
func helmChartConfig(owner facts.Owner, settings []setting) string {
	lines := strings.Split(strings.TrimSpace(treeYAML(settings)), "\n")
	return "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: " + cmp.Or(owner.Name, "traefik") +
		", namespace: kube-system}\nspec:\n  valuesContent: |-\n    " + strings.Join(lines, "\n    ")
}

// treeYAML writes settings as YAML.
func treeYAML(settings []setting) string {
	tree := map[string]any{}
	for _, s := range settings {
		parts := strings.Split(s.key, ".")
		branch := tree
		for _, part := range parts[:len(parts)-1] {
			below, ok := branch[part].(map[string]any)
			if !ok {
				below = map[string]any{}
				branch[part] = below
			}
			branch = below
		}
		branch[parts[len(parts)-1]] = s.value
	}
	body, err := yaml.Marshal(tree)
	if err != nil {
		return ""
	}
	return string(body)
}

// treeTOML writes settings as TOML, each under its table. TOML has no null: a
// comment stands for what must go.
func treeTOML(settings []setting) string {
	ordered := slices.Clone(settings)
	slices.SortStableFunc(ordered, func(a, b setting) int { return strings.Compare(a.table(), b.table()) })
	var body strings.Builder
	for i, s := range ordered {
		if i == 0 || s.table() != ordered[i-1].table() {
			fmt.Fprintf(&body, "[%s]\n", s.table())
		}
		name := s.key[strings.LastIndex(s.key, ".")+1:]
		switch value := s.value.(type) {
		case emptySection:
		case nil:
			fmt.Fprintf(&body, "# no %s (null)\n", name)
		case []string:
			fmt.Fprintf(&body, "%s = [%s]\n", name, quoted(value))
		case string:
			fmt.Fprintf(&body, "%s = %s\n", name, strconv.Quote(value))
		default:
			fmt.Fprintf(&body, "%s = %v\n", name, value)
		}
	}
	return body.String()
}

// table is the part of a TOML file that a setting belongs to.
func (s setting) table() string {
	if _, whole := s.value.(emptySection); whole {
		return s.key
	}
	return s.key[:max(0, strings.LastIndex(s.key, "."))]
}

func quoted(words []string) string {
	quotes := make([]string, len(words))
	for i, word := range words {
		quotes[i] = strconv.Quote(word)
	}
	return strings.Join(quotes, ", ")
}
