package installer

import (
	"context"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// keepWayBack records, before CRDs are adopted, what their metadata was: doctor
// --undo gives them back. Those that are the release's already need nothing.
func keepWayBack(ctx context.Context, c *cluster.Connection, p plan.Plan) error {
	if len(p.AdoptCRDs()) == 0 {
		return nil
	}
	_, store, err := repairPlace(p.Answers())
	if err != nil {
		return err
	}
	client, err := metadata.NewForConfig(c.Config)
	if err != nil {
		return fmt.Errorf("preparing the client: %w", err)
	}
	crds := client.Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"))
	for _, name := range p.AdoptCRDs() {
		found, err := crds.Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || (err == nil && facts.OfRelease(found.Annotations, p.Namespace, p.Release)) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading the CRD %s: %w", name, err)
		}
		if _, err := store.Keep(c.Server, adoption(found, p), time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// adoption is what makes a CRD part of the release, and its way back.
func adoption(found *metav1.PartialObjectMetadata, p plan.Plan) check.Repair {
	repair := check.Repair{Title: "adopted by release " + p.Release, Group: apiextensionsv1.GroupName, Version: "v1", Resource: "customresourcedefinitions", Name: found.Name}
	return repair.
		Setting("/metadata/labels", found.Labels, map[string]string{"app.kubernetes.io/managed-by": "Helm"}).
		Setting("/metadata/annotations", found.Annotations, map[string]string{facts.ReleaseNameMark: p.Release, facts.ReleaseNamespaceMark: p.Namespace})
}
