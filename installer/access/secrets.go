package access

import "github.com/cfwizard/cfwizard/installer/facts"

// TLSPlace is where the controller of the class looks for the Secret with the
// host's certificate: beside the Ingress, but for Istio beside its gateway.
func TLSPlace(cluster facts.Cluster, want Want) facts.Name {
	place := facts.Name{Namespace: want.Namespace, Name: want.TLSSecret}
	if finding, _ := Find(cluster, want); finding.Running && finding.Controller.ID == istio.ID {
		place.Namespace = ingressNamespace(finding.Site.Workload)
	}
	return place
}

// SecretsWanted names the Secrets whose presence matters to the access path.
func SecretsWanted(cluster facts.Cluster, want Want) []facts.Name {
	wanted := MeshSecretsWanted(cluster)
	if want.TLSSecret != "" {
		wanted = append(wanted, TLSPlace(cluster, want))
	}
	return wanted
}
