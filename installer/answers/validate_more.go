package answers

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/access"
)

// validateController judges the class and what its controller needs.
func (a Answers) validateController(v *Verdict) {
	in := a.Access.Ingress
	if in.Class == "" {
		v.problem("access.ingress.class", "the ingress class is missing", "The chart's validation refuses an Ingress without one.", "Name one that kubectl get ingressclass lists.")
	}
	if _, old := in.Annotations["kubernetes.io/ingress.class"]; old {
		v.problem("access.ingress.annotations", "kubernetes.io/ingress.class cannot be set beside the class", "Kubernetes refuses an Ingress that names its class twice.",
			"Remove the annotation; access.ingress.class is enough.")
	}
	controller, known := access.ByID(in.Controller)
	switch {
	case in.Controller != "" && !known:
		v.warn("access.ingress.controller", fmt.Sprintf("%q is not a controller that Codefresh tested", in.Controller), "Only general checks can be made.",
			"Known are "+strings.Join(access.IDs(), ", ")+".")
	case known && controller.NeedsTLSSecret && in.Protocol == "https" && in.TLSSecret == "":
		v.problem("access.ingress.tlsSecret", controller.Name+" needs the Secret with the host's certificate", "Without it, it does not serve the host over https.",
			"Name a kubernetes.io/tls Secret in the runtime's namespace, or set the protocol to http.")
	}
}

// validateAPIURL judges the address of the Git API. What stands in a wrong one
// is not repeated: it may hold a token.
func (a Answers) validateAPIURL(v *Verdict) {
	if a.Git.APIURL == "" {
		return
	}
	parsed, err := url.Parse(a.Git.APIURL)
	switch {
	case err == nil && parsed.User != nil:
		v.problem("git.apiUrl", "it carries a user name or a token", "It would be shown, and written to Codefresh.", "Remove what stands before the @; the token goes into git.runtimeToken.")
	case err != nil || parsed.Host == "" || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.RawQuery != "" || parsed.Fragment != "":
		v.problem("git.apiUrl", "this is not the address of an API", "", "Write it as https://host[:port][/path], or leave it empty.")
	}
}

// validateArgoCD judges the use of an Argo CD that is there.
func (a Answers) validateArgoCD(v *Verdict) {
	if a.ArgoCD.Mode != "existing" {
		return
	}
	for _, service := range []struct{ field, value, example string }{{"argocd.server", a.ArgoCD.Server, "argocd-server"}, {"argocd.repoServer", a.ArgoCD.RepoServer, "argocd-repo-server"}} {
		if !dnsLabel.MatchString(service.value) {
			v.problem(service.field, fmt.Sprintf("%q is not the name of a Service", service.value), "The runtime reaches the existing Argo CD through it.",
				"Name it, such as "+service.example+"; `kubectl get services --namespace ARGOCD` lists them.")
		}
	}
	if a.ArgoCD.Namespace != "" && a.ArgoCD.Namespace != a.Runtime.Namespace {
		v.problem("runtime.namespace", "the runtime must be installed beside the existing Argo CD", "Argo CD runs in namespace "+a.ArgoCD.Namespace+".",
			"Set runtime.namespace to "+a.ArgoCD.Namespace+".")
	}
}

var registryName = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:[0-9]+)?(/[a-z0-9._-]+)*$`)

// validateFiles judges the names by which files, hosts and registries are
// given; what is in the files is judged where they are read.
func (a Answers) validateFiles(v *Verdict) {
	for _, host := range slices.Sorted(maps.Keys(a.TLS.GitCA)) {
		if !dnsName.MatchString(host) || a.TLS.GitCA[host] == "" {
			v.problem("tls.gitCA", fmt.Sprintf("%q does not name a host and a file", host), "", "Write git.example.com: ca.pem, without scheme or port.")
		}
	}
	if a.Images.Registry != "" && !registryName.MatchString(a.Images.Registry) {
		v.problem("images.registry", fmt.Sprintf("%q is not a registry", a.Images.Registry), "", "Write it as registry.example.com[:port][/path], without a scheme.")
	}
	if a.Images.PullSecret != "" && !dnsName.MatchString(a.Images.PullSecret) {
		v.problem("images.pullSecret", fmt.Sprintf("%q is not the name of a Secret", a.Images.PullSecret), "", "Name a Secret in the runtime's namespace.")
	}
	for field, ref := range map[string]SecretRef{"codefresh.apiKey": a.Codefresh.APIKey, "git.runtimeToken": a.Git.RuntimeToken} {
		if ref.SecretRef != nil && ref.SecretRef.Name == "codefresh-token" {
			v.problem(field, "codefresh-token is the runtime's own Secret", "The chart refuses it.", "Use another Secret.")
		}
	}
}
