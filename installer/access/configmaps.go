package access

import (
	"cmp"
	"slices"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// ConfigMapsWanted names the ConfigMaps that the controllers of a cluster read
// their settings from: rules look into them.
func ConfigMapsWanted(cluster facts.Cluster) []facts.Name {
	var wanted []facts.Name
	for _, c := range Controllers {
		if c.ConfigMaps == nil {
			continue
		}
		for _, site := range c.sitesOf(cluster, Want{}) {
			wanted = append(wanted, c.ConfigMaps(site)...)
		}
	}
	slices.SortFunc(wanted, func(a, b facts.Name) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return slices.Compact(wanted)
}

// namedConfigMap is the ConfigMap that a flag names as NAMESPACE/NAME.
func namedConfigMap(flag string) func(Site) []facts.Name {
	return func(s Site) []facts.Name {
		if value := s.Flags.Text(flag, ""); value != "" {
			return []facts.Name{facts.ParseName(value, s.Workload.Namespace)}
		}
		return nil
	}
}

// configured is the ConfigMap that the site's program reads, with what is in
// it. It is known only where it was read.
func (s Site) configured() (name facts.Name, data map[string]string, known bool) {
	if s.Controller.ConfigMaps == nil {
		return facts.Name{}, nil, false
	}
	names := s.Controller.ConfigMaps(s)
	if len(names) == 0 {
		return facts.Name{}, nil, false
	}
	data, known = s.Cluster.ConfigMap(names[0])
	return names[0], data, known
}
