package images

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/plan"
)

// Image is one image of a rendered chart, and where it would be moved to.
type Image struct {
	Source string `json:"source"`
	Target string `json:"target,omitempty"`
}

// In finds the images of rendered manifests: of all containers, hooks and init
// containers, and those that a program gets to know by an argument, a variable
// or a ConfigMap, which are recognised by the values that name them.
func In(manifests string, places []plan.ImagePlace) []string {
	found := map[string]bool{}
	for _, document := range releaseutil.SplitManifests(manifests) {
		var object map[string]any
		if yaml.Unmarshal([]byte(document), &object) != nil || object["kind"] == "CustomResourceDefinition" {
			continue
		}
		containers(object, found)
		for _, place := range places {
			for _, reference := range mentions(document, place) {
				found[reference] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// containers takes up what stands under the name image, at any depth.
func containers(node any, found map[string]bool) {
	switch n := node.(type) {
	case map[string]any:
		for key, value := range n {
			if image, ok := value.(string); ok && key == "image" && image != "" {
				found[image] = true
			}
			containers(value, found)
		}
	case []any:
		for _, value := range n {
			containers(value, found)
		}
	}
}

// mentions are the references to an image of the values, with whatever tag.
func mentions(document string, place plan.ImagePlace) []string {
	name := strings.TrimPrefix(place.Registry+"/"+untagged(place.Repository), "/")
	if !strings.Contains(document, name) {
		return nil
	}
	pattern := regexp.MustCompile(`(?:^|[^\w./-])(` + regexp.QuoteMeta(name) + `(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)(?:$|[^\w./:@-])`)
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(document, -1) {
		if match[1] != name {
			found = append(found, match[1])
		}
	}
	return found
}

func untagged(repository string) string {
	name, _, _ := strings.Cut(repository, "@")
	if i := strings.LastIndex(name, ":"); i > strings.LastIndex(name, "/") {
		name = name[:i]
	}
	return name
}

// Moved says where an image would be found in another registry.
func Moved(source, registry string) string {
	_, rest := Split(source)
	return strings.TrimRight(registry, "/") + "/" + rest
}

// Outside are the images that are not in a registry.
func Outside(found []string, registry string) []string {
	return slices.DeleteFunc(slices.Clone(found), func(image string) bool {
		return strings.HasPrefix(image, strings.TrimRight(registry, "/")+"/")
	})
}
