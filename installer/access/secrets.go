package access

import (
	"slices"

	"github.com/cfwizard/cfwizard/installer/facts"
)

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

// issuers are the annotations by which an Ingress asks cert-manager for its
// certificate.
var issuers = []string{"cert-manager.io/cluster-issuer", "cert-manager.io/issuer", "kubernetes.io/tls-acme"}

// IssuedLater reports whether cert-manager makes the Secret with the host's
// certificate, which it does only once the Ingress is there.
func IssuedLater(cluster facts.Cluster, want Want) bool {
	asked := slices.ContainsFunc(issuers, func(key string) bool { return want.Annotations[key] != "" })
	_, known := cluster.Could(facts.CRDs)
	return asked && (!known || slices.ContainsFunc(cluster.CRDs, func(m facts.Meta) bool { return m.Name.Name == "certificates.cert-manager.io" }))
}
