package facts

import "testing"

func nodesOf(nodes ...Node) Cluster { return Cluster{Nodes: nodes} }

func TestProviderIsWhatMostNodesSay(t *testing.T) {
	labelled := func(key, value string) Node { return Node{Labels: map[string]string{key: value}} }
	aws, gce, azure, other := Node{ProviderID: "aws:///eu/i-1"}, Node{ProviderID: "gce://p/z/n"}, Node{ProviderID: "azure:///s"}, Node{ProviderID: "acme://1"}
	virtual := Node{ProviderID: "azure:///v", Labels: map[string]string{"type": "virtual-kubelet"}}
	for name, test := range map[string]struct {
		cluster Cluster
		want    string
	}{
		"EKS by label":                   {nodesOf(labelled("eks.amazonaws.com/nodegroup", "w")), "eks"},
		"EKS by kubelet":                 {nodesOf(Node{ProviderID: "aws:///eu/i-1", Kubelet: "v1.33.1-eks-1"}), "eks"},
		"self-managed on EC2":            {nodesOf(aws), "aws"},
		"GKE":                            {nodesOf(gce), "gke"},
		"AKS":                            {nodesOf(azure), "aks"},
		"DigitalOcean":                   {nodesOf(Node{ProviderID: "digitalocean://1"}), "digitalocean"},
		"Exoscale":                       {nodesOf(Node{ProviderID: "exoscale://1"}), "exoscale"},
		"Oracle":                         {nodesOf(Node{ProviderID: "ocid1.instance.oc1..a"}), "oracle"},
		"Scaleway":                       {nodesOf(Node{ProviderID: "scaleway://instance/fr-par-1/a"}), "scaleway"},
		"MicroK8s":                       {nodesOf(labelled("microk8s.io/cluster", "true")), "microk8s"},
		"MicroK8s needs its value":       {nodesOf(labelled("microk8s.io/cluster", "false")), "bare-metal"},
		"minikube":                       {nodesOf(labelled("minikube.k8s.io/name", "m")), "minikube"},
		"Docker Desktop":                 {nodesOf(Node{OSImage: "Docker Desktop"}), "docker-desktop"},
		"k3s on AWS":                     {nodesOf(Node{ProviderID: "k3s://a", Kubelet: "v1.33.1+k3s1"}), "k3s"},
		"bare metal":                     {nodesOf(Node{}, Node{}), "bare-metal"},
		"OpenShift":                      {Cluster{Groups: map[string]bool{"config.openshift.io": true}, Nodes: []Node{aws}}, "openshift"},
		"a majority":                     {nodesOf(gce, gce, other), "gke"},
		"virtual nodes have no voice":    {nodesOf(gce, virtual, virtual), "gke"},
		"three clouds":                   {nodesOf(aws, gce, azure), ""},
		"half and half":                  {nodesOf(aws, gce), ""},
		"an unknown provider":            {nodesOf(other, other), ""},
		"a cloud and no provider at all": {nodesOf(aws, other, Node{}), ""},
		"no nodes":                       {Cluster{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.cluster.Provider()
			if got.ID != test.want {
				t.Errorf("recognised as %q (%s), want %q", got.ID, got.Evidence, test.want)
			}
			if got.ID != "" && got.Evidence == "" {
				t.Error("recognised without evidence")
			}
		})
	}
}

func TestOwnerIsWhoWouldUndoAChange(t *testing.T) {
	helm := map[string]string{"meta.helm.sh/release-name": "nginx", "meta.helm.sh/release-namespace": "edge"}
	marks := func(key, value string) map[string]string { return map[string]string{key: value} }
	with := func(m map[string]string, key, value string) map[string]string { m[key] = value; return m }
	for name, test := range map[string]struct {
		meta Meta
		want string
	}{
		"nobody":                      {Meta{}, ""},
		"Helm":                        {Meta{Labels: marks("app.kubernetes.io/managed-by", "Helm"), Annotations: helm}, HelmOwner},
		"Helm's label alone":          {Meta{Labels: marks("app.kubernetes.io/managed-by", "Helm")}, ""},
		"Argo CD over Helm":           {Meta{Labels: marks("app.kubernetes.io/managed-by", "Helm"), Annotations: with(map[string]string{"meta.helm.sh/release-name": "n"}, "argocd.argoproj.io/tracking-id", "edge:apps/Deployment:a/b")}, ArgoCDOwner},
		"Argo CD by label":            {Meta{Labels: marks("argocd.argoproj.io/instance", "edge")}, ArgoCDOwner},
		"Flux, a Helm release":        {Meta{Labels: marks("helm.toolkit.fluxcd.io/name", "edge"), Annotations: helm}, FluxOwner},
		"Flux, a kustomization":       {Meta{Labels: marks("kustomize.toolkit.fluxcd.io/name", "edge")}, FluxOwner},
		"k3s":                         {Meta{Annotations: marks("objectset.rio.cattle.io/owner-name", "traefik")}, K3sOwner},
		"an operator":                 {Meta{Controller: "NginxIngress/edge"}, OperatorOwner},
		"a ReplicaSet is no operator": {Meta{Controller: "ReplicaSet/edge-1"}, ""},
		"AKS":                         {Meta{Labels: marks("app.kubernetes.io/managed-by", "aks-app-routing-operator")}, AKSOwner},
		"an add-on":                   {Meta{Labels: marks("addonmanager.kubernetes.io/mode", "Reconcile")}, AddonOwner},
		"OLM":                         {Meta{Labels: marks("operators.coreos.com/nginx.ns", "")}, OLMOwner},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.meta.Owner().Kind; got != test.want {
				t.Errorf("owner is %q, want %q", got, test.want)
			}
		})
	}
}

func TestOldArgoCDTrackingCountsOnlyWithItsApplication(t *testing.T) {
	workload := Meta{Labels: map[string]string{"app.kubernetes.io/instance": "edge"}}
	if got := (Cluster{}).Owner(workload); got.Kind != "" {
		t.Errorf("an instance label alone makes %v the owner", got)
	}
	c := Cluster{Applications: []Name{{"argocd", "edge"}}}
	if got := c.Owner(workload); got.Kind != ArgoCDOwner || got.Namespace != "argocd" {
		t.Errorf("owner is %v", got)
	}
}
