package release

import (
	"context"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	maxVersions     = 50
	versionsTimeout = 15 * time.Second
)

// Versions lists the stable versions of a chart in a registry, the newest
// first, and not more than a person would look through. A chart on disk has
// only its own.
func Versions(ctx context.Context, reference string) ([]string, error) {
	if !registry.IsOCI(reference) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, versionsTimeout)
	defer cancel()
	client, err := newRegistryClient(&leash{ctx: ctx, base: charts.base}, reference)
	if err != nil {
		return nil, err
	}
	tags, err := client.Tags(strings.TrimPrefix(reference, registry.OCIScheme+"://"))
	if err != nil {
		return nil, &problem.Problem{Kind: problem.Unreachable, Cause: "no-versions", Field: "runtime.version",
			What: "the registry does not list its versions", Why: text.Shorten(text.Line(err.Error()), 120),
			Fix: "Type a version, or leave it empty for the newest.", Err: err}
	}
	var stable []string
	for _, tag := range tags {
		if !strings.ContainsAny(tag, "-+") && len(stable) < maxVersions {
			stable = append(stable, tag)
		}
	}
	return stable, nil
}
