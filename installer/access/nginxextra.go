package access

import (
	"cmp"
	"regexp"
)

var beforeOne = regexp.MustCompile(`^(nginx-)?v?0\.\d`)

// communityRetired tells that the project has ended, and what its last release
// for the cluster is.
func communityRetired(s Site) Verdict {
	version := imageTag(s.Program().Image)
	last := ingressNginxFor(s.Cluster.Version)
	if beforeOne.MatchString(version) {
		return fail("NGINX Community %s knows no Ingresses of today", version).why("It reads networking.k8s.io/v1beta1, which Kubernetes 1.22 removed.").
			fix("Install a newer one: %s", installCommand(s.Cluster, s.Controller)).evidence("%s", s.Program().Image)
	}
	return warn("NGINX Community is retired; this is %s", cmp.Or(version, "a version without a name")).
		why("Since 24 March 2026 nobody mends it, not even security holes.").evidence("%s", s.Program().Image).
		fix("It goes on working. Keep it at its last release for this cluster, controller v%s (chart %s), and plan a move to another controller or to the Gateway API (--access.mode gateway); ingress2gateway turns Ingresses into routes.",
			last.Controller, last.Chart)
}

// communityCertificate says which certificate the host would get. Whether it is
// valid is for the probe of the host to say.
func communityCertificate(s Site) Verdict {
	byDefault := s.Flags.Text("default-ssl-certificate", "")
	switch {
	case s.Want.Protocol == "http":
		return nothing
	case s.Want.TLSSecret != "":
		return pass("the Ingress brings its certificate").evidence("Secret %s/%s", s.Want.Namespace, s.Want.TLSSecret)
	case s.Service.Annotations[awsAnnotation+"ssl-cert"] != "":
		return pass("the load balancer has the certificate").evidence("%s", s.Service.Annotations[awsAnnotation+"ssl-cert"])
	case byDefault != "":
		return pass("hosts without a certificate of their own get that of %s", byDefault).evidence("--default-ssl-certificate")
	}
	return warn("without a Secret, the host gets a certificate that nobody trusts").
		why("It is the controller's own, Kubernetes Ingress Controller Fake Certificate: the chart's check of the host fails, and so does Codefresh.").
		fix("Name the Secret with the certificate: --access.ingress.tlsSecret SECRET; or give the controller one for all hosts: --default-ssl-certificate=NAMESPACE/SECRET (chart: controller.extraArgs.default-ssl-certificate)")
}
