package cluster

import (
	"context"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

func (r *reader) readVersion(ctx context.Context) error {
	version, err := within(ctx, r.client.Discovery().ServerVersion)
	if err != nil {
		return err
	}
	r.facts.Version = text.Line(version.GitVersion)
	return nil
}

// Ping asks whether the cluster answers at all.
func (c *Connection) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := within(ctx, c.Client.Discovery().ServerVersion); err != nil {
		return c.Unreachable(err)
	}
	return nil
}

// Kinds asks for all kinds that the API server serves, once: a mapper that asks
// again for each unknown kind would wait for a server in trouble each time.
func (c *Connection) Kinds(ctx context.Context) ([]*restmapper.APIGroupResources, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return within(ctx, func() ([]*restmapper.APIGroupResources, error) {
		return restmapper.GetAPIGroupResources(c.Client.Discovery())
	})
}

// within bounds a call that takes no context.
func within[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := call()
		answers <- answer{value, err}
	}()
	select {
	case got := <-answers:
		return got.value, got.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// customKinds are read where the cluster serves them.
var customKinds = map[string][]string{
	"networking.istio.io":       {"gateways", "virtualservices"},
	"gateway.networking.k8s.io": {"gatewayclasses", "gateways"},
	"elbv2.k8s.aws":             {"ingressclassparams"},
	"eks.amazonaws.com":         {"ingressclassparams"},
	"charts.nginx.org":          {"nginxingresses"},
	"k8s.nginx.org":             {"nginxingresscontrollers"},
	"getambassador.io":          {"listeners"},
	"traefik.io":                {"tlsstores"},
}

// readGroups asks what the API server serves, and which of the servers behind
// it do not answer.
func (r *reader) readGroups(ctx context.Context) (func(), error) {
	var broken []string
	lists, err := within(ctx, func() ([]*metav1.APIResourceList, error) {
		return discovery.ServerPreferredResources(r.client.Discovery())
	})
	var failed *discovery.ErrGroupDiscoveryFailed
	if errors.As(err, &failed) {
		for group := range failed.Groups {
			broken = append(broken, text.Line(group.String()))
		}
		slices.Sort(broken)
		err = nil
	}
	return func() {
		r.facts.BrokenGroups = broken
		for _, list := range lists {
			r.serve(list)
		}
	}, err
}

// serve remembers a group, and where its interesting kinds are.
func (r *reader) serve(list *metav1.APIResourceList) {
	version, err := schema.ParseGroupVersion(list.GroupVersion)
	if err != nil {
		return
	}
	r.facts.Groups[version.Group] = true
	for _, resource := range list.APIResources {
		if slices.Contains(customKinds[version.Group], resource.Name) {
			r.custom = append(r.custom, version.WithResource(resource.Name))
		}
		if version.Group == "argoproj.io" && resource.Name == "applications" {
			r.applications = version.WithResource(resource.Name)
		}
	}
}

// readCustom lists the custom kinds that the cluster serves.
func (r *reader) readCustom(ctx context.Context) {
	for _, resource := range r.custom {
		key := resource.Resource + "." + resource.Group
		readList(r, ctx, key, r.dynamic.Resource(resource).List, func(u unstructured.Unstructured) {
			r.facts.Custom[key] = append(r.facts.Custom[key], customOf(u, resource.Version))
		})
	}
	if r.applications.Resource == "" {
		return
	}
	readList(r, ctx, "applications.argoproj.io", r.metadata.Resource(r.applications).List, func(m metav1.PartialObjectMetadata) {
		r.facts.Applications = append(r.facts.Applications, facts.Name{Namespace: m.Namespace, Name: m.Name})
	})
}

func customOf(u unstructured.Unstructured, version string) facts.Custom {
	out := facts.Custom{Version: version, Meta: metaOf(metav1.ObjectMeta{Namespace: u.GetNamespace(), Name: u.GetName(), UID: u.GetUID(),
		Labels: u.GetLabels(), Annotations: u.GetAnnotations(), OwnerReferences: u.GetOwnerReferences()})}
	out.Spec, _, _ = unstructured.NestedMap(u.Object, "spec")
	out.Status, _, _ = unstructured.NestedMap(u.Object, "status")
	return out
}

// readNamed reads the few objects that the lists make interesting.
func (r *reader) readNamed(ctx context.Context, options Options) {
	if options.ConfigMaps != nil {
		for _, name := range options.ConfigMaps(r.facts) {
			r.readConfigMap(ctx, name)
		}
	}
	if options.Secrets != nil {
		for _, name := range options.Secrets(r.facts) {
			r.findSecret(ctx, name)
		}
	}
}

func (r *reader) readConfigMap(ctx context.Context, name facts.Name) {
	r.read("config map "+name.String(), func() (func(), error) {
		got, err := r.client.CoreV1().ConfigMaps(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
		if err != nil {
			return func() {}, ignoreAbsent(err)
		}
		return func() { r.facts.ConfigMaps[name] = got.Data }, nil
	})
}

// findSecret asks for the Secret's metadata only.
func (r *reader) findSecret(ctx context.Context, name facts.Name) {
	r.read("secret "+name.String(), func() (func(), error) {
		_, err := r.metadata.Resource(corev1.SchemeGroupVersion.WithResource("secrets")).Namespace(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
		return func() { r.facts.Secrets[name] = !apierrors.IsNotFound(err) }, ignoreAbsent(err)
	})
}
