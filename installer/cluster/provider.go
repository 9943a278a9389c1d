package cluster

import "strings"

// providers are recognised by what their nodes' provider IDs begin with.
var providers = []struct{ prefix, name string }{
	{"aws://", "EKS"}, {"gce://", "GKE"}, {"azure://", "AKS"}, {"digitalocean://", "DigitalOcean"},
	{"ocid1.", "Oracle"}, {"scaleway://", "Scaleway"}, {"exoscale://", "Exoscale"}, {"k3s://", "k3s"}, {"kind://", "kind"},
}

// Provider names the cloud or distribution when every node says the same.
func (f Facts) Provider() string {
	found := ""
	for _, node := range f.Nodes {
		name := ""
		for _, p := range providers {
			if strings.HasPrefix(node.Spec.ProviderID, p.prefix) {
				name = p.name
			}
		}
		if name == "" || (found != "" && name != found) {
			return ""
		}
		found = name
	}
	return found
}
