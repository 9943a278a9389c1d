package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Shape is what the nodes of a kind of cluster look like.
type Shape struct {
	ProviderID string // with one %d for the node's number
	Labels     map[string]string
	KubeletTag string
	OSImage    string
	Others     []string // the shapes of the second and third node, where they differ
}

// Shapes are the kinds of clusters that the sandbox can look like.
var Shapes = map[string]Shape{
	"plain":        {},
	"eks":          {ProviderID: "aws:///eu-central-1a/i-0%015d", Labels: map[string]string{"eks.amazonaws.com/nodegroup": "workers", "topology.kubernetes.io/region": "eu-central-1"}, KubeletTag: "-eks-a1b2c3d"},
	"gke":          {ProviderID: "gce://acme-project/europe-west3-a/gke-acme-%d", Labels: map[string]string{"cloud.google.com/gke-nodepool": "default-pool", "topology.kubernetes.io/region": "europe-west3"}, KubeletTag: "-gke.1000"},
	"aks":          {ProviderID: "azure:///subscriptions/00000000/resourceGroups/acme/providers/Microsoft.Compute/virtualMachineScaleSets/vmss/virtualMachines/%d", Labels: map[string]string{"kubernetes.azure.com/cluster": "acme", "topology.kubernetes.io/region": "westeurope"}, KubeletTag: ""},
	"digitalocean": {ProviderID: "digitalocean://%09d", Labels: map[string]string{"doks.digitalocean.com/node-pool": "pool", "topology.kubernetes.io/region": "fra1"}, KubeletTag: ""},
	"oracle":       {ProviderID: "ocid1.instance.oc1.eu-frankfurt-1.%d", Labels: map[string]string{"oci.oraclecloud.com/fault-domain": "FAULT-DOMAIN-1"}, KubeletTag: ""},
	"scaleway":     {ProviderID: "scaleway://instance/fr-par-1/%d", Labels: map[string]string{"k8s.scaleway.com/pool-name": "default"}, KubeletTag: ""},
	"exoscale":     {ProviderID: "exoscale://%d", Labels: map[string]string{"node.exoscale.net/nodepool-id": "pool"}, KubeletTag: ""},
	"k3s":          {ProviderID: "k3s://node-%d", Labels: map[string]string{"node.kubernetes.io/instance-type": "k3s"}, KubeletTag: "+k3s1"},
	"minikube":     {Labels: map[string]string{"minikube.k8s.io/name": "minikube", "minikube.k8s.io/version": "v1.37.0"}},
	"microk8s":     {Labels: map[string]string{"microk8s.io/cluster": "true"}},
	"docker":       {OSImage: "Docker Desktop"},
	"mixed":        {ProviderID: "aws:///eu-central-1a/i-0%015d", Others: []string{"gke", "aks"}},
	"unknown":      {ProviderID: "acme://rack/%d"},
	"half":         {ProviderID: "aws:///eu-central-1a/i-0%015d", Others: []string{"unknown", "plain"}},
}

// ShapeNames lists them in order.
func ShapeNames() []string { return slices.Sorted(maps.Keys(Shapes)) }

const nodeCount = 3

// MakeNodes replaces the cluster's nodes by three of a shape.
func (c *Cluster) MakeNodes(ctx context.Context, shapeName string) error {
	shape, ok := Shapes[shapeName]
	if !ok {
		return fmt.Errorf("there is no node shape %q; known are %v", shapeName, ShapeNames())
	}
	nodes := c.Client.CoreV1().Nodes()
	if err := nodes.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "sandbox.cfwizard.io/node"}); err != nil {
		return fmt.Errorf("removing the old nodes: %w", err)
	}
	for i := range nodeCount {
		if _, err := nodes.Create(ctx, shape.at(i).node(i), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating a node: %w", err)
		}
	}
	return nil
}

// at is the shape of one node.
func (s Shape) at(i int) Shape {
	if i == 0 || i > len(s.Others) {
		return s
	}
	return Shapes[s.Others[i-1]]
}

func (s Shape) node(i int) *corev1.Node {
	name := fmt.Sprintf("node-%d", i)
	labels := map[string]string{
		"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name,
		"sandbox.cfwizard.io/node": "true",
	}
	maps.Copy(labels, s.Labels)
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("16Gi"),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size,
			NodeInfo: corev1.NodeSystemInfo{Architecture: "amd64", OperatingSystem: "linux", OSImage: s.OSImage, KubeletVersion: "v1.36.3" + s.KubeletTag}},
	}
	if s.ProviderID != "" {
		node.Spec.ProviderID = fmt.Sprintf(s.ProviderID, i)
	}
	return node
}

// MakeReaders lets the read-only user read.
func (c *Cluster) MakeReaders(ctx context.Context) error {
	_, err := c.Client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "sandbox-readers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: "sandbox:readers"}},
	}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// SetTaint makes all nodes refuse pods, or accept them again.
func (c *Cluster) SetTaint(ctx context.Context, on bool) error {
	taints := "[]"
	if on {
		taints = `[{"key":"sandbox.cfwizard.io/full","value":"true","effect":"NoSchedule"}]`
	}
	patch := fmt.Appendf(nil, `{"spec":{"taints":%s}}`, taints)
	for i := range nodeCount {
		name := fmt.Sprintf("node-%d", i)
		if _, err := c.Client.CoreV1().Nodes().Patch(ctx, name, "application/strategic-merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("tainting %s: %w", name, err)
		}
	}
	return nil
}

// SetQuota limits the pods of a namespace, or lifts the limit.
func (c *Cluster) SetQuota(ctx context.Context, namespace string, on bool) error {
	quotas := c.Client.CoreV1().ResourceQuotas(namespace)
	if !on {
		err := quotas.Delete(ctx, "sandbox", metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	_, err := c.Client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	_, err = quotas.Create(ctx, &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "sandbox"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("4")}},
	}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// NodeCount counts the nodes.
func (c *Cluster) NodeCount(ctx context.Context) (int, error) {
	list, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, fmt.Errorf("listing nodes: %w", err)
	}
	return len(list.Items), nil
}

// WaitForNodes waits until kwok has made all nodes ready.
func (c *Cluster) WaitForNodes(ctx context.Context) error {
	return waitUntil(ctx, "the nodes", c.all(), func(ctx context.Context) error {
		list, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, node := range list.Items {
			if !slices.ContainsFunc(node.Status.Conditions, func(condition corev1.NodeCondition) bool {
				return condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue
			}) {
				return fmt.Errorf("%s is not ready", node.Name)
			}
		}
		return nil
	})
}
