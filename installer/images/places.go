// Package images finds the images of a chart, and the values that move every
// one of them to another registry. Both come from the chart itself.
package images

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/cfwizard/cfwizard/installer/plan"
)

// Places are where a chart's values, and those of its subcharts, name images.
// Parts that are switched off are among them: they may be switched on later.
func Places(c *chart.Chart) []plan.ImagePlace {
	var found []plan.ImagePlace
	walk(nil, defaults(c), func(p plan.ImagePlace) { found = append(found, p) })
	return found
}

// defaults are the chart's values with those of its subcharts under the names
// by which the chart calls them.
func defaults(c *chart.Chart) map[string]any {
	values := chartutil.MergeTables(map[string]any{}, c.Values)
	for _, sub := range c.Dependencies() {
		for _, name := range namesOf(c, sub) {
			own, _ := values[name].(map[string]any)
			values[name] = chartutil.MergeTables(chartutil.MergeTables(map[string]any{}, own), defaults(sub))
		}
	}
	return values
}

// namesOf are the names of a subchart's values: its own, or its aliases.
func namesOf(c, sub *chart.Chart) []string {
	var names []string
	for _, d := range c.Metadata.Dependencies {
		if d.Name != sub.Name() {
			continue
		}
		if d.Alias != "" {
			names = append(names, d.Alias)
		} else {
			names = append(names, d.Name)
		}
	}
	if len(names) == 0 {
		names = []string{sub.Name()}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func walk(path []string, node map[string]any, see func(plan.ImagePlace)) {
	if p, ok := asTable(path, node); ok {
		see(p)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(node)) {
		below := append(slices.Clone(path), key)
		switch value := node[key].(type) {
		case map[string]any:
			walk(below, value, see)
		case string:
			if imageKey.MatchString(key) && strings.Contains(value, "/") && !strings.Contains(value, "://") {
				see(asText(below, value))
			}
		}
	}
}

// imageKey is a value that names an image in one word.
var imageKey = regexp.MustCompile(`^(image|.*Image)$`)

// asTable recognises {registry, repository, tag}. A repository beside which
// nothing of an image stands is another sort of repository.
func asTable(path []string, node map[string]any) (plan.ImagePlace, bool) {
	repository, _ := node["repository"].(string)
	registry, _ := node["registry"].(string)
	_, apart := node["registry"]
	_, tagged := node["tag"]
	if repository == "" || !apart && !tagged {
		return plan.ImagePlace{}, false
	}
	host, rest := Split(repository)
	p := plan.ImagePlace{Path: slices.Clone(path), Registry: registry, Repository: repository, Apart: apart}
	if host != "" {
		p.Registry, p.Repository, p.Apart = host, rest, false
	}
	return p, true
}

// asText is an image in one word, perhaps with its tag.
func asText(path []string, value string) plan.ImagePlace {
	host, rest := Split(value)
	return plan.ImagePlace{Path: path, Registry: host, Repository: rest, Whole: true}
}

// Split tells the registry from the rest of a reference, as Docker does: only
// a name with a dot or a port, or localhost, is a registry.
func Split(reference string) (registry, rest string) {
	first, rest, found := strings.Cut(reference, "/")
	if found && (strings.ContainsAny(first, ".:") || first == "localhost") {
		return first, rest
	}
	return "", reference
}
