package checklist

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// The inputs of the route in a mesh.
const (
	inputGateway = "access.mesh.gateway"
	inputForm    = "form"
	formSingle   = "single"
	formTwo      = "two"
)

// lookVirtualService believes the route only when app-proxy answers over it.
func lookVirtualService(ctx context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	if _, _, _, istio := access.VirtualServicePlace(cluster); !istio {
		return s.otherMesh()
	}
	there, wrong, err := s.routeThere(ctx, cluster)
	switch {
	case err != nil:
		return unknown(err)
	case !there:
		return s.offerRoute(cluster, wrong)
	}
	if err := s.proxy(); err != nil {
		f := unknown(err)
		f.Detail = "the VirtualService is there; the runtime does not answer over it yet: " + f.Detail
		return f
	}
	return done("VirtualService internal-router, and the runtime answers over it")
}

// otherMesh is known only by what comes through it.
func (s *Scene) otherMesh() Finding {
	if err := s.proxy(); err != nil {
		f := todo("the runtime does not answer: %s", unknown(err).Detail)
		f.Fix = "Let your mesh route " + s.Answers.Access.Mesh.URL + " to the Service internal-router in namespace " + s.Answers.Runtime.Namespace + ", port 80."
		return f
	}
	return done("the runtime answers over your mesh")
}

// routeThere looks for the one route, or for the two of older runtimes, and
// says what is wrong with it.
func (s *Scene) routeThere(ctx context.Context, cluster facts.Cluster) (there bool, wrong string, err error) {
	want := preflight.Wanted(facts.Namespace{}, s.Answers)
	wrong = "no VirtualService leads to the runtime"
	for _, name := range []string{"internal-router", "cap-app-proxy"} {
		found, err := s.virtualServices(cluster).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return false, "", err
		}
		hosts, _, _ := unstructured.NestedStringSlice(found.Object, "spec", "hosts")
		gateways, _, _ := unstructured.NestedStringSlice(found.Object, "spec", "gateways")
		switch {
		case !contains(hosts, want.Host):
			wrong = "VirtualService " + name + " is for " + list(hosts) + ", not for " + want.Host
		case want.Gateway != "" && !contains(gateways, want.Gateway):
			wrong = "VirtualService " + name + " belongs to " + list(gateways) + ", not to " + want.Gateway
		default:
			return true, "", nil
		}
	}
	return false, wrong, nil
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if strings.EqualFold(one, name) {
			return true
		}
	}
	return false
}

func (s *Scene) offerRoute(cluster facts.Cluster, detail string) Finding {
	want := s.routeWanted(cluster, Given{})
	f := todo("%s", detail)
	f.Does = "applies the VirtualService internal-router in namespace " + want.Namespace
	f.Inputs = []Input{{Name: inputGateway, Title: "the Istio Gateway, as NAMESPACE/NAME", Default: want.Gateway},
		{Name: inputForm, Title: "single; or two, for runtimes before 0.0.543", Default: formSingle}}
	f.planned = func(given Given) []string { return s.plannedRoutes(cluster, given) }
	f.Preview = f.planned(Given{})
	if manifest, err := yaml.Marshal(access.VirtualService(cluster, want)); err == nil {
		f.Command = s.Answers.Cluster.Kubectl() + " apply -f - <<'END'\n" + string(manifest) + "END"
	}
	return f
}

// plannedRoutes are the manifests of what would be applied.
func (s *Scene) plannedRoutes(cluster facts.Cluster, given Given) []string {
	var lines []string
	for i, object := range s.routes(cluster, given) {
		if i > 0 {
			lines = append(lines, "---")
		}
		if manifest, err := yaml.Marshal(object); err == nil {
			lines = append(lines, strings.Split(strings.TrimSpace(string(manifest)), "\n")...)
		}
	}
	return lines
}

// routes are the VirtualServices in the form that was given.
func (s *Scene) routes(cluster facts.Cluster, given Given) []map[string]any {
	want := s.routeWanted(cluster, given)
	if given[inputForm] == formTwo {
		return access.VirtualServices(cluster, want, eventSources(cluster, want.Namespace))
	}
	return []map[string]any{access.VirtualService(cluster, want)}
}

// routeWanted fills the Gateway in where the cluster has only one.
func (s *Scene) routeWanted(cluster facts.Cluster, given Given) access.Want {
	want := preflight.Wanted(facts.Namespace{}, s.Answers)
	if given[inputGateway] != "" {
		want.Gateway = given[inputGateway]
	}
	if offers := access.MeshGateways(cluster); want.Gateway == "" && len(offers) == 1 {
		want.Gateway = offers[0].Value
	}
	if release, err := s.release(); err == nil {
		want.WorkflowsDisabled = plan.ValueAt(release.Values, "argo-workflows.enabled") == false
	}
	return want
}

func applyVirtualService(ctx context.Context, s *Scene, given Given) (string, error) {
	cluster, err := s.cluster()
	if err != nil {
		return "", err
	}
	if _, _, _, istio := access.VirtualServicePlace(cluster); !istio {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "no-istio", Field: "virtual-service", What: "the cluster has no Istio", Fix: s.otherMesh().Fix}
	}
	var names []string
	for _, object := range s.routes(cluster, given) {
		made := &unstructured.Unstructured{Object: object}
		if err := s.apply(ctx, cluster, made); err != nil {
			return "", writeRefused("VirtualService "+made.GetName(), err)
		}
		names = append(names, made.GetName())
	}
	return "applied VirtualService " + strings.Join(names, ", "), nil
}

// eventSources are those of the namespace that take webhooks, by the Services
// that stand before them.
func eventSources(cluster facts.Cluster, namespace string) []string {
	var names []string
	for _, service := range cluster.Services {
		if name, is := strings.CutSuffix(service.Meta.Name.Name, "-eventsource-svc"); is && service.Namespace == namespace {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []string{"push-github"}
	}
	return names
}

// apply makes the object, or gives the one that is there its spec.
func (s *Scene) apply(ctx context.Context, cluster facts.Cluster, object *unstructured.Unstructured) error {
	routes := s.virtualServices(cluster)
	found, err := routes.Get(ctx, object.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = routes.Create(ctx, object, metav1.CreateOptions{FieldManager: "cfwizard"})
		return err
	}
	if err != nil {
		return err
	}
	found.Object["spec"] = object.Object["spec"]
	_, err = routes.Update(ctx, found, metav1.UpdateOptions{FieldManager: "cfwizard"})
	return err
}

func (s *Scene) virtualServices(cluster facts.Cluster) resource {
	group, version, plural, _ := access.VirtualServicePlace(cluster)
	return s.Dynamic.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: plural}).Namespace(s.Answers.Runtime.Namespace)
}
