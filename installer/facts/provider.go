package facts

import (
	"strings"
)

// Provider is the cloud or distribution that a cluster runs on.
type Provider struct {
	ID       string
	Name     string
	Evidence string
}

// sign is one way to recognise a provider by a node.
type sign struct {
	id, name   string
	providerID string // what the node's provider ID begins with
	label      string // a label that only this provider sets; key or key=value
	osImage    string
	kubelet    string // part of the kubelet's version
}

// signs are looked at in order; the first that fits a node decides. Those of
// distributions stand before those of the clouds they may run on.
var signs = []sign{
	{id: "eks", name: "EKS", label: "eks.amazonaws.com/nodegroup"},
	{id: "eks", name: "EKS", label: "eks.amazonaws.com/compute-type"},
	{id: "eks", name: "EKS", providerID: "aws://", kubelet: "-eks-"},
	{id: "aws", name: "AWS", providerID: "aws://"},
	{id: "gke", name: "GKE", providerID: "gce://"},
	{id: "gke", name: "GKE", label: "cloud.google.com/gke-nodepool"},
	{id: "aks", name: "AKS", providerID: "azure://"},
	{id: "aks", name: "AKS", label: "kubernetes.azure.com/cluster"},
	{id: "digitalocean", name: "DigitalOcean", providerID: "digitalocean://"},
	{id: "digitalocean", name: "DigitalOcean", label: "doks.digitalocean.com/node-pool"},
	{id: "exoscale", name: "Exoscale", providerID: "exoscale://"},
	{id: "oracle", name: "Oracle OKE", label: "oci.oraclecloud.com/fault-domain"},
	{id: "oracle", name: "Oracle OKE", providerID: "ocid1.instance."},
	{id: "oracle", name: "Oracle OKE", providerID: "oci://"},
	{id: "scaleway", name: "Scaleway", providerID: "scaleway://"},
	{id: "scaleway", name: "Scaleway", label: "k8s.scaleway.com/pool-name"},
	{id: "microk8s", name: "MicroK8s", label: "microk8s.io/cluster=true"},
	{id: "minikube", name: "minikube", label: "minikube.k8s.io/version"},
	{id: "minikube", name: "minikube", label: "minikube.k8s.io/name"},
	{id: "docker-desktop", name: "Docker Desktop", osImage: "Docker Desktop"},
	{id: "kind", name: "kind", providerID: "kind://"},
	{id: "k3s", name: "k3s", providerID: "k3s://"},
	{id: "k3s", name: "k3s", label: "node.kubernetes.io/instance-type=k3s"},
	{id: "k3s", name: "k3s", kubelet: "+k3s"},
	{id: "rke2", name: "RKE2", label: "rke2.io/node-args"},
	{id: "rke2", name: "RKE2", kubelet: "+rke2"},
	{id: "k0s", name: "k0s", label: "node.k0sproject.io/role"},
}

// Provider is what more than half of the nodes say. Nodes that stand for a
// service elsewhere have no voice, and a cluster whose nodes disagree has no
// provider. Nodes that no cloud has marked at all are bare metal.
func (c Cluster) Provider() Provider {
	if c.Groups["config.openshift.io"] {
		return Provider{ID: "openshift", Name: "OpenShift", Evidence: "the API group config.openshift.io"}
	}
	votes, evidence := map[string]int{}, map[string]Provider{}
	voters := 0
	for _, node := range c.Nodes {
		if node.Virtual() {
			continue
		}
		voters++
		said := node.provider()
		votes[said.ID]++
		evidence[said.ID] = said
	}
	for id, count := range votes {
		if id != "" && 2*count > voters {
			return evidence[id]
		}
	}
	return Provider{}
}

// provider is what one node says.
func (n Node) provider() Provider {
	for _, s := range signs {
		if why, fits := s.fits(n); fits {
			return Provider{ID: s.id, Name: s.name, Evidence: "node " + n.Name + ": " + why}
		}
	}
	if n.ProviderID == "" {
		return Provider{ID: "bare-metal", Name: "bare metal", Evidence: "node " + n.Name + " has no provider ID and no cloud's label"}
	}
	return Provider{}
}

// fits reports whether all that the sign asks for is there.
func (s sign) fits(n Node) (why string, fits bool) {
	var reasons []string
	if s.providerID != "" {
		if !strings.HasPrefix(n.ProviderID, s.providerID) {
			return "", false
		}
		reasons = append(reasons, "provider ID "+s.providerID+"…")
	}
	if s.label != "" {
		key, value, exact := strings.Cut(s.label, "=")
		found, ok := n.Labels[key]
		if !ok || (exact && found != value) {
			return "", false
		}
		reasons = append(reasons, "label "+s.label)
	}
	if s.osImage != "" {
		if n.OSImage != s.osImage {
			return "", false
		}
		reasons = append(reasons, "operating system "+s.osImage)
	}
	if s.kubelet != "" {
		if !strings.Contains(n.Kubelet, s.kubelet) {
			return "", false
		}
		reasons = append(reasons, "kubelet "+n.Kubelet)
	}
	return strings.Join(reasons, ", "), true
}
