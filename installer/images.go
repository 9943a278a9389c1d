package installer

import (
	"cmp"
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/images"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/release"
)

// Images are the images of a chart, rendered for answers.
type Images struct {
	Images  []images.Image
	Values  map[string]any // that move every image of the chart
	Outside []string       // what stays where it is all the same
}

// anyAccount stands for an account where none is named: it changes no image.
const anyAccount = "000000000000000000000000"

// Images renders the chart, lists its images, and, for a registry, moves them
// and looks whether any stays behind.
func (e *Engine) Images(ctx context.Context, a answers.Answers, registry string) (Images, error) {
	a.Codefresh.AccountID = cmp.Or(a.Codefresh.AccountID, anyAccount)
	a.Images.Registry = ""
	fetched, err := release.FetchChart(ctx, a.Runtime.Chart, a.Runtime.Version)
	if err != nil {
		return Images{}, err
	}
	places := images.Places(fetched.Chart)
	found, err := e.rendered(ctx, a, fetched, places)
	if err != nil {
		return Images{}, err
	}
	var result Images
	for _, source := range found {
		image := images.Image{Source: source}
		if registry != "" {
			image.Target = images.Moved(source, registry)
		}
		result.Images = append(result.Images, image)
	}
	if registry == "" {
		return result, nil
	}
	result.Values = plan.ImageValues(places, registry)
	a.Images.Registry = registry
	if found, err = e.rendered(ctx, a, fetched, places); err == nil {
		result.Outside = images.Outside(found, registry)
	}
	return result, err
}

func (e *Engine) rendered(ctx context.Context, a answers.Answers, fetched release.Fetched, places []plan.ImagePlace) ([]string, error) {
	built, err := e.Plan(ctx, a, false)
	if err != nil {
		return nil, err
	}
	manifests, err := release.Manifests(built, fetched.Chart)
	return images.In(manifests, places), err
}
