package release

import (
	"context"
	"encoding/json"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// adoptCRDs makes the CRDs that are there part of the release, so that Helm
// accepts them. Those that are not there the chart creates.
func adoptCRDs(ctx context.Context, r Request, t *teller) error {
	names := r.Plan.AdoptCRDs()
	if len(names) == 0 {
		return nil
	}
	client, err := apiextensions.NewForConfig(r.Cluster.Config)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"labels":      map[string]string{"app.kubernetes.io/managed-by": "Helm"},
		"annotations": map[string]string{facts.ReleaseNameMark: r.Plan.Release, facts.ReleaseNamespaceMark: r.Plan.Namespace},
	}})
	if err != nil {
		return err
	}
	for _, name := range names {
		_, err := client.ApiextensionsV1().CustomResourceDefinitions().Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return r.writeProblem("CRD "+name, err)
		}
		t.tell(Event{Type: ObjectEvent, Object: &Object{Kind: "CustomResourceDefinition", Name: name}, State: Ready, Message: "adopted"})
	}
	return nil
}
