package reach

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"strings"
)

// Fake is a certificate that stands in while there is no right one.
type Fake struct {
	Owner string // who puts it there
	Fix   string // how to give the owner a right one
}

var (
	nginxFake = Fake{"NGINX (ingress-nginx)",
		"Give the controller the right one: --default-ssl-certificate=NAMESPACE/SECRET (chart: controller.extraArgs.default-ssl-certificate)."}
	nicFake = Fake{"NGINX Ingress Controller (F5)",
		"Set access.ingress.tlsSecret: this controller serves a host's certificate only from its Ingress."}
	traefikFake = Fake{"Traefik",
		"Give Traefik the right one: a TLSStore named default with spec.defaultCertificate.secretName."}
	certManagerFake = Fake{"cert-manager, while the right one is not issued yet",
		"Wait for it, or see what it waits for: kubectl describe certificate,certificaterequest,order,challenge -A."}
	stagingFake = Fake{"the staging service of Let's Encrypt",
		"Point the issuer at https://acme-v02.api.letsencrypt.org/directory and have the certificate issued again."}
)

var fakes = []struct {
	known func(subject, issuer pkix.Name) bool
	fake  Fake
}{
	{subjectIs("Kubernetes Ingress Controller Fake Certificate"), nginxFake},
	{subjectIs("ingress.local"), nginxFake},
	{subjectIs("NGINXIngressController"), nicFake},
	{subjectIs("TRAEFIK DEFAULT CERT"), traefikFake},
	{func(_, issuer pkix.Name) bool { return issuer.CommonName == "cert-manager.local" }, certManagerFake},
	{func(_, issuer pkix.Name) bool {
		return strings.HasPrefix(strings.Join(issuer.Organization, " "), "(STAGING)") || strings.HasPrefix(issuer.CommonName, "(STAGING)")
	}, stagingFake},
}

func subjectIs(name string) func(subject, issuer pkix.Name) bool {
	return func(subject, _ pkix.Name) bool { return strings.EqualFold(subject.CommonName, name) }
}

func fakeOf(c *x509.Certificate) (Fake, bool) {
	for _, row := range fakes {
		if row.known(c.Subject, c.Issuer) {
			return row.fake, true
		}
	}
	return Fake{}, false
}
