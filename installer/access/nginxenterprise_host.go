package access

import (
	"cmp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// enterpriseTLS holds that a host without a Secret of its own is not served
// over https at all: the handshake is refused.
func enterpriseTLS(s Site) Verdict {
	secret := facts.Name{Namespace: s.Want.Namespace, Name: s.Want.TLSSecret}
	there, looked := s.Cluster.Secrets[secret]
	switch {
	case s.Want.Protocol == "http":
		return nothing
	case s.Want.TLSSecret == "":
		return fail("the host has no Secret with its certificate").why("Without spec.tls on the Ingress, %s does not serve the host over https.", s.Controller.Name).
			fix("Name it: --access.ingress.tlsSecret SECRET (global.runtime.ingress.tls[0].hosts[0]=%s, global.runtime.ingress.tls[0].secretName=SECRET). It must be in the runtime's namespace; to copy it: %s",
				cmp.Or(s.Want.Host, "HOST"), copySecret("SECRET", s.Want.Namespace))
	case !there && IssuedLater(s.Cluster, s.Want):
		return skip("Secret %s is made by cert-manager once the Ingress is there", secret)
	case !looked:
		return skip("Secret %s was not looked at", secret)
	case !there:
		return fail("Secret %s is not there", secret).why("The Ingress looks for its certificate in the runtime's namespace only.").
			fix("Copy it: %s", copySecret(s.Want.TLSSecret, s.Want.Namespace))
	}
	return pass("the Ingress brings its certificate").evidence("Secret %s", secret)
}

// copySecret is the command that copies a Secret into the runtime's namespace,
// without what ties it to the place it comes from.
func copySecret(name, namespace string) string {
	return "kubectl get secret " + text.Quote(name) + " -n SOURCE -o json | jq 'del(.metadata.namespace,.metadata.uid,.metadata.resourceVersion," +
		".metadata.creationTimestamp,.metadata.ownerReferences,.metadata.managedFields)' | kubectl apply -n " + text.Quote(cmp.Or(namespace, "NAMESPACE")) + " -f -"
}

// enterpriseHost looks for another Ingress of its class with the host: the
// oldest gets it, whatever the paths.
func enterpriseHost(s Site) Verdict {
	if missing, all := s.Cluster.Could(facts.Ingresses); !all {
		return unread(missing)
	}
	if s.Want.Host == "" {
		return nothing
	}
	takes := s.Flags.Text("ingress-class", "nginx")
	for _, ingress := range s.Cluster.Ingresses {
		ours := ingress.Namespace == s.Want.Namespace && ingress.Meta.Name.Name == "codefresh-gitops-runtime"
		class := cmp.Or(ingress.Annotations["kubernetes.io/ingress.class"], ingress.Class)
		if ours || class != takes || !serves(ingress, s.Want.Host) {
			continue
		}
		return fail("%s has given the host %s to Ingress %s", s.Controller.Name, s.Want.Host, ingress.Meta.Name).why("It gives a host to one Ingress only, the oldest.").
			fix("Choose another host, or remove that one: kubectl -n %s delete ingress %s", ingress.Namespace, ingress.Meta.Name.Name)
	}
	return pass("no other Ingress of class %s has %s", takes, s.Want.Host)
}

func serves(ingress facts.Ingress, host string) bool {
	for _, rule := range ingress.Rules {
		if strings.EqualFold(rule.Host, host) {
			return true
		}
	}
	return false
}
