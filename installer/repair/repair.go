// Package repair applies fixes to the cluster, each with a person's consent,
// and keeps what takes them back.
package repair

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Outdated is the cause where an object is no longer what it was looked at as.
const Outdated = "repair-outdated"

// IsOutdated reports whether a look at the object as it is now would do.
func IsOutdated(err error) bool {
	var p *problem.Problem
	return errors.As(err, &p) && p.Cause == Outdated
}

// Apply makes the change. The tests in the patch refuse an object that is no
// longer what the person saw.
func Apply(ctx context.Context, c *cluster.Connection, r check.Repair) error {
	return patch(ctx, c, r, r.Patch)
}

// Undo takes the change back, unless somebody has changed it since.
func Undo(ctx context.Context, c *cluster.Connection, r check.Repair) error {
	return patch(ctx, c, r, r.Undo)
}

func patch(ctx context.Context, c *cluster.Connection, r check.Repair, operations []check.Operation) error {
	body, err := json.Marshal(operations)
	if err != nil {
		return fmt.Errorf("encoding the patch: %w", err)
	}
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return fmt.Errorf("preparing the client: %w", err)
	}
	resource := schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
	_, err = client.Resource(resource).Namespace(r.Namespace).Patch(ctx, r.Name, types.JSONPatchType, body, metav1.PatchOptions{FieldManager: "cfwizard"})
	if err != nil {
		return refusal(r, err)
	}
	return nil
}

func refusal(r check.Repair, err error) error {
	p := &problem.Problem{Kind: problem.CheckFailed, Cause: "repair-failed", What: r.Object() + " could not be changed", Why: text.Line(err.Error()),
		Fix: "Make the change yourself: " + r.Command(), Err: err}
	switch {
	case apierrors.IsInvalid(err), apierrors.IsConflict(err), apierrors.IsNotFound(err):
		p.Cause, p.What = Outdated, r.Object()+" has changed since it was looked at"
		p.Fix = "Nothing was written. Look again: cfwizard check"
	case apierrors.IsForbidden(err):
		p.Cause, p.What = "forbidden", "you may not change "+r.Object()
		p.Fix = "Ask someone who may to run: " + r.Command()
	}
	return p
}
