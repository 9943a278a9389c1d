package checklist

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/text"
)

// resource is one kind of objects in a namespace.
type resource = dynamic.ResourceInterface

// lookGatewayRoute reads what the Gateway's controller says of the route.
func lookGatewayRoute(ctx context.Context, s *Scene) Finding {
	group, version, plural := access.GatewayPlace()
	namespace := s.Answers.Runtime.Namespace
	found, err := s.Dynamic.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: plural}).Namespace(namespace).Get(ctx, access.RouteName, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return failed("Bring it back: "+s.helmUpgrade("global.runtime.httpRoute.enabled=true"), "there is no HTTPRoute %s in namespace %s", access.RouteName, namespace)
	case err != nil:
		return unknown(err)
	}
	parents, _, _ := unstructured.NestedSlice(found.Object, "status", "parents")
	if len(parents) == 0 {
		f := waiting("Gateway %s has not looked at the route yet", s.Answers.Access.Gateway.Parent)
		f.Command = s.kubectl(namespace) + " describe httproute " + access.RouteName
		return f
	}
	for _, kind := range []string{"Accepted", "ResolvedRefs"} {
		status, message := routeCondition(parents, kind)
		switch status {
		case "True":
		case "False":
			return failed("Change the Gateway, or the host: cfwizard check says what its listeners take.", "the Gateway does not take the route: %s", message)
		default:
			return waiting("the Gateway has not said whether the route is %s", kind)
		}
	}
	return done("taken by Gateway %s", s.Answers.Access.Gateway.Parent)
}

// routeCondition is the condition of the first Gateway that does not say True.
func routeCondition(parents []any, kind string) (status, message string) {
	for _, parent := range parents {
		table, _ := parent.(map[string]any)
		conditions, _, _ := unstructured.NestedSlice(table, "conditions")
		status, message = "", ""
		for _, each := range conditions {
			condition, _ := each.(map[string]any)
			if condition["type"] == kind {
				status, _ = condition["status"].(string)
				words, _ := condition["message"].(string)
				message = text.Shorten(text.Line(words), 200)
			}
		}
		if status != "True" {
			return status, message
		}
	}
	return status, message
}
