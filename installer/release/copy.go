package release

import "helm.sh/helm/v3/pkg/chart"

// copyOf gives a chart that Helm may render: it takes out the dependencies
// that are switched off, and gives others the names of their aliases.
func copyOf(c *chart.Chart) *chart.Chart {
	copied, metadata := *c, *c.Metadata
	metadata.Dependencies = make([]*chart.Dependency, 0, len(c.Metadata.Dependencies))
	for _, dependency := range c.Metadata.Dependencies {
		same := *dependency
		metadata.Dependencies = append(metadata.Dependencies, &same)
	}
	if c.Metadata.Dependencies == nil {
		metadata.Dependencies = nil
	}
	copied.Metadata = &metadata
	children := make([]*chart.Chart, 0, len(c.Dependencies()))
	for _, child := range c.Dependencies() {
		children = append(children, copyOf(child))
	}
	copied.SetDependencies(children...)
	return &copied
}
