package access

import (
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// setEntry sets one entry of a map in an object: a label, an annotation, a key
// of a ConfigMap. parent is the path of the map, such as /metadata/labels.
func setEntry(m facts.Meta, target check.Repair, parent string, entries map[string]string, key, value string) check.Repair {
	target.Namespace, target.Name = m.Namespace, m.Name.Name
	return target.Setting(parent, entries, map[string]string{key: value})
}

// labelService and annotateService mark a Service.
func labelService(s facts.Service, title, key, value string) check.Repair {
	return setEntry(s.Meta, check.Repair{Title: title, Version: "v1", Resource: "services"}, "/metadata/labels", s.Labels, key, value)
}

func annotateService(s facts.Service, title, key, value string) check.Repair {
	return setEntry(s.Meta, check.Repair{Title: title, Version: "v1", Resource: "services"}, "/metadata/annotations", s.Annotations, key, value)
}
