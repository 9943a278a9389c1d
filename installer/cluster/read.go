package cluster

import (
	"context"
	"net/http"
	"sync"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// readTimeout bounds the whole reading. A cluster of thousands of nodes needs
// a second or two.
const readTimeout = 20 * time.Second

// Options say what to read beyond what is always read.
type Options struct {
	// ConfigMaps names those that the workloads make interesting.
	ConfigMaps func(facts.Cluster) []facts.Name
	// Secrets names those whose presence matters. Their content is not read.
	Secrets func(facts.Cluster) []facts.Name
}

// reader gathers facts in parallel. Each read stores what it got under the
// lock, or names what it could not read.
type reader struct {
	client   kubernetes.Interface
	metadata metadata.Interface
	dynamic  dynamic.Interface
	mu       sync.Mutex
	group    sync.WaitGroup
	facts    facts.Cluster
	requests map[string]facts.Amount // of the pods, by node

	custom       []schema.GroupVersionResource // to read, once discovered
	applications schema.GroupVersionResource
}

// Read gathers the facts. Only a cluster that does not answer at all, or
// refuses the user, is an error.
func (c *Connection) Read(ctx context.Context, options Options) (facts.Cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	r, err := c.reader()
	if err != nil {
		return facts.Cluster{}, err
	}
	r.facts.Context, r.facts.Server = text.Line(c.Context), text.Line(c.Server)
	if err := r.readVersion(ctx); err != nil {
		return r.facts, c.Unreachable(err)
	}
	r.readAll(ctx)
	r.group.Wait()
	r.addRequests()
	r.readCustom(ctx)
	r.group.Wait()
	r.readNamed(ctx, options)
	r.group.Wait()
	return r.facts, nil
}

// reader speaks protobuf where the API server can: it is a fraction of the
// work of JSON for both.
func (c *Connection) reader() (*reader, error) {
	config := rest.CopyConfig(c.Config)
	config.Timeout = readTimeout
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, badKubeconfig("", err)
	}
	return newReader(config, transport)
}

func newReader(config *rest.Config, transport *http.Client) (*reader, error) {
	protobuf := rest.CopyConfig(config)
	protobuf.ContentType = "application/vnd.kubernetes.protobuf"
	protobuf.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client, err := kubernetes.NewForConfigAndClient(protobuf, transport)
	if err != nil {
		return nil, badKubeconfig("", err)
	}
	meta, err := metadata.NewForConfigAndClient(config, transport)
	if err != nil {
		return nil, badKubeconfig("", err)
	}
	custom, err := dynamic.NewForConfigAndClient(config, transport)
	if err != nil {
		return nil, badKubeconfig("", err)
	}
	return &reader{client: client, metadata: meta, dynamic: custom, requests: map[string]facts.Amount{},
		facts: facts.Cluster{Groups: map[string]bool{}, ConfigMaps: map[facts.Name]map[string]string{}, Secrets: map[facts.Name]bool{}, Custom: map[string][]facts.Custom{}}}, nil
}

// read runs one read. It returns what to store, which is done under the lock.
func (r *reader) read(what string, call func() (store func(), err error)) {
	r.group.Go(func() {
		store, err := call()
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil {
			r.facts.Unread = append(r.facts.Unread, unreadBecause(what, err))
			return
		}
		store()
	})
}

func (r *reader) readAll(ctx context.Context) {
	f := &r.facts
	r.read(facts.Groups, func() (func(), error) { return r.readGroups(ctx) })
	r.read(facts.You, func() (func(), error) {
		me, err := r.client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		return func() { f.User = text.Line(me.Status.UserInfo.Username) }, err
	})
	r.read(facts.Rights, func() (func(), error) {
		all := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "*", Group: "*", Resource: "*"}}}
		review, err := r.client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, all, metav1.CreateOptions{})
		return func() { f.ClusterAdmin = review.Status.Allowed }, err
	})
	core, apps, networking := r.client.CoreV1(), r.client.AppsV1(), r.client.NetworkingV1()
	readList(r, ctx, facts.Nodes, core.Nodes().List, func(n corev1.Node) { f.Nodes = append(f.Nodes, nodeOf(n)) })
	readList(r, ctx, facts.Pods, running(core.Pods("").List), r.addPod)
	readList(r, ctx, facts.Services, core.Services("").List, func(s corev1.Service) { f.Services = append(f.Services, serviceOf(s)) })
	readList(r, ctx, facts.Workloads, apps.Deployments("").List, func(d deployment) { f.Workloads = append(f.Workloads, deploymentOf(d)) })
	readList(r, ctx, facts.Workloads, apps.DaemonSets("").List, func(d daemonSet) { f.Workloads = append(f.Workloads, daemonSetOf(d)) })
	readList(r, ctx, facts.Workloads, apps.StatefulSets("").List, func(s statefulSet) { f.Workloads = append(f.Workloads, statefulSetOf(s)) })
	readList(r, ctx, facts.Ingresses, networking.Ingresses("").List, func(i networkingv1.Ingress) { f.Ingresses = append(f.Ingresses, ingressOf(i)) })
	readList(r, ctx, facts.IngressClasses, networking.IngressClasses().List, func(c networkingv1.IngressClass) {
		f.IngressClasses = append(f.IngressClasses, classOf(c))
	})
	readList(r, ctx, facts.StorageClasses, r.client.StorageV1().StorageClasses().List, func(s storagev1.StorageClass) {
		f.StorageClasses = append(f.StorageClasses, storageOf(s))
	})
	readList(r, ctx, facts.ConfigMaps, named("codefresh-cm", core.ConfigMaps("").List), func(m corev1.ConfigMap) {
		f.Runtimes = append(f.Runtimes, runtimeOf(m))
	})
	readList(r, ctx, facts.CRDs, r.metadata.Resource(crdResource).List, func(m metav1.PartialObjectMetadata) {
		f.CRDs = append(f.CRDs, metaOf(m.ObjectMeta))
	})
}
