package release

import (
	"sync"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"github.com/cfwizard/cfwizard/installer/text"
)

// kubeClient is Helm's client that tells what it does, waits by watching, and
// whose waiting ends with a context. Embedding keeps the optional interfaces
// that Helm looks for.
type kubeClient struct {
	*kube.Client
	*watcher
	config *rest.Config
	// serverValidates asks once.
	serverValidates func() bool
	spared          map[Object]bool // what a removal leaves, though the release names it
	keepCRDs        bool
}

func newKubeClient(r Request, w *watcher) *kubeClient {
	helm := kube.New(r.Cluster.Getter)
	helm.Namespace = r.Plan.Namespace
	return &kubeClient{Client: helm, watcher: w, config: r.Cluster.Config, spared: map[Object]bool{}, serverValidates: sync.OnceValue(func() bool {
		about, err := r.Cluster.Client.Discovery().ServerVersion()
		return err == nil && checksFields(about)
	})}
}

// Create tells which phase begins, by what is created.
func (k *kubeClient) Create(resources kube.ResourceList) (*kube.Result, error) {
	if err := k.refuse(); err != nil {
		return &kube.Result{}, err
	}
	k.hello(k.ctx)
	switch {
	case isHook(resources):
		k.tell.enter(Hooks, "")
	case allCRDs(resources):
		k.tell.enter(CRDs, "")
	default:
		k.tell.enter(Apply, text.Plural(len(resources), "object"))
	}
	k.belongs(namesOf(resources)...)
	result, err := k.create(resources)
	k.tellCreated(resources, err)
	return result, err
}

// Update is what Helm does instead of Create where objects are there already.
func (k *kubeClient) Update(original, target kube.ResourceList, force bool) (*kube.Result, error) {
	if err := k.refuse(); err != nil {
		return &kube.Result{}, err // Helm reads it also then
	}
	k.hello(k.ctx)
	k.tell.enter(Apply, text.Plural(len(target), "object"))
	k.belongs(namesOf(target)...)
	result, err := k.Client.Update(k.withoutCRDs(original, target), target, force)
	k.tellCreated(target, err)
	return result, err
}

func (k *kubeClient) tellCreated(resources kube.ResourceList, err error) {
	if err != nil {
		return
	}
	for _, info := range resources {
		object, state := objectOf(info), Ready
		if isWorkload(info) {
			state = Waiting
		}
		k.tell.tell(Event{Type: ObjectEvent, Object: &object, State: state, Message: "created"})
	}
}

// Wait waits until everything is ready in Helm's sense.
func (k *kubeClient) Wait(resources kube.ResourceList, timeout time.Duration) error {
	return k.wait(resources, timeout, false)
}

// WaitWithJobs waits for Jobs too.
func (k *kubeClient) WaitWithJobs(resources kube.ResourceList, timeout time.Duration) error {
	return k.wait(resources, timeout, true)
}

func objectOf(info *resource.Info) Object {
	return Object{Kind: info.Mapping.GroupVersionKind.Kind, Namespace: info.Namespace, Name: info.Name}
}

func namesOf(resources kube.ResourceList) []Object {
	var found []Object
	for _, info := range resources {
		found = append(found, objectOf(info))
	}
	return found
}

// isHook reports whether Helm creates a hook: it does so one manifest at a
// time.
func isHook(resources kube.ResourceList) bool {
	for _, info := range resources {
		annotations, err := meta.NewAccessor().Annotations(info.Object)
		if err != nil || annotations["helm.sh/hook"] == "" {
			return false
		}
	}
	return len(resources) > 0
}

func allCRDs(resources kube.ResourceList) bool {
	for _, info := range resources {
		if !isCRD(info) {
			return false
		}
	}
	return len(resources) > 0
}

func isCRD(info *resource.Info) bool {
	return info.Mapping.GroupVersionKind.Group == apiextensionsv1.GroupName
}

func isWorkload(info *resource.Info) bool {
	switch info.Mapping.GroupVersionKind.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return true
	}
	return false
}
