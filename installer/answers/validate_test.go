package answers

import (
	"strings"
	"testing"
)

// complete are answers that pass.
func complete() Answers {
	a := Default()
	a.Codefresh.AccountID = "64f0c0ffee00000000000001"
	return a
}

func TestValidate(t *testing.T) {
	ingress := func(a *Answers) {
		a.Access.Mode, a.Access.Ingress.Host, a.Access.Ingress.Class = IngressMode, "h.example.com", "nginx"
	}
	gateway := func(a *Answers) {
		a.Access.Mode, a.Access.Gateway.Parent, a.Access.Gateway.Host = GatewayMode, "infra/public", "h.example.com"
	}
	tests := []struct {
		name   string
		change func(*Answers)
		field  string // of the problem; empty when it passes
		warns  string // of the warning
	}{
		{"defaults with an account", func(*Answers) {}, "", ""},
		{"38 characters", func(a *Answers) { a.Runtime.Name = "a" + strings.Repeat("b", 37) }, "", ""},
		{"39 characters", func(a *Answers) { a.Runtime.Name = "a" + strings.Repeat("b", 38) }, "runtime.name", ""},
		{"starts with a digit", func(a *Answers) { a.Runtime.Name = "1a" }, "runtime.name", ""},
		{"upper case", func(a *Answers) { a.Runtime.Name = "My_Runtime!" }, "runtime.name", ""},
		{"inner hyphen", func(a *Answers) { a.Runtime.Name = "from-terraform" }, "", "runtime.name"},
		{"trailing hyphen", func(a *Answers) { a.Runtime.Name = "a-" }, "runtime.name", ""},
		{"namespace", func(a *Answers) { a.Runtime.Namespace = "Not_One" }, "runtime.namespace", ""},
		{"release", func(a *Answers) { a.Runtime.Release = strings.Repeat("a", 54) }, "runtime.release", ""},
		{"release with a dot", func(a *Answers) { a.Runtime.Release = "a.b" }, "", ""},
		{"no chart", func(a *Answers) { a.Runtime.Chart = "" }, "runtime.chart", ""},
		{"no account", func(a *Answers) { a.Codefresh.AccountID = "" }, "codefresh.accountId", ""},
		{"no account in ingress mode", func(a *Answers) { ingress(a); a.Codefresh.AccountID = "" }, "codefresh.accountId", ""},
		{"no key", func(a *Answers) { a.Codefresh.APIKey = SecretRef{} }, "codefresh.apiKey", ""},
		{"platform without a scheme", func(a *Answers) { a.Codefresh.URL = "g.codefresh.io" }, "codefresh.url", ""},
		{"platform with a password", func(a *Answers) { a.Codefresh.URL = "https://a:b@g.codefresh.io" }, "codefresh.url", ""},
		{"tunnel on premises", func(a *Answers) { a.Codefresh.URL = "https://cf.example.com" }, "access.mode", ""},
		{"ingress on premises", func(a *Answers) { ingress(a); a.Codefresh.URL = "https://cf.example.com" }, "", ""},
		{"tunnel with a stand-in", func(a *Answers) { a.Codefresh.URL = "http://127.0.0.1:1" }, "", ""},
		{"unknown mode", func(a *Answers) { a.Access.Mode = "tunel" }, "access.mode", ""},
		{"ingress", ingress, "", ""},
		{"ingress without a host", func(a *Answers) { ingress(a); a.Access.Ingress.Host = "" }, "access.ingress.host", ""},
		{"ingress with an IP", func(a *Answers) { ingress(a); a.Access.Ingress.Host = "10.0.0.1" }, "access.ingress.host", ""},
		{"ingress with IPv6", func(a *Answers) { ingress(a); a.Access.Ingress.Host = "[::1]" }, "access.ingress.host", ""},
		{"ingress with a URL", func(a *Answers) { ingress(a); a.Access.Ingress.Host = "https://h.example.com" }, "access.ingress.host", ""},
		{"ingress with a port", func(a *Answers) { ingress(a); a.Access.Ingress.Host = "h.example.com:443" }, "access.ingress.host", ""},
		{"ingress without a class", func(a *Answers) { ingress(a); a.Access.Ingress.Class = "" }, "access.ingress.class", ""},
		{"ingress over ftp", func(a *Answers) { ingress(a); a.Access.Ingress.Protocol = "ftp" }, "access.ingress.protocol", ""},
		{"a host of another mode", func(a *Answers) { a.Access.Ingress.Host = "10.0.0.1" }, "", ""},
		{"mesh", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com" }, "", ""},
		{"mesh with a slash", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com/" }, "", ""},
		{"mesh with a port", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com:8443" }, "", ""},
		{"mesh with a path", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com/runtime" }, "access.mesh.url", ""},
		{"mesh with a query", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com?a=b" }, "access.mesh.url", ""},
		{"mesh without a scheme", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "h.example.com" }, "access.mesh.url", ""},
		{"mesh with httpx", func(a *Answers) { a.Access.Mode, a.Access.Mesh.URL = MeshMode, "httpx" }, "access.mesh.url", ""},
		{"mesh with a bad gateway", func(a *Answers) {
			a.Access.Mode, a.Access.Mesh.URL, a.Access.Mesh.Gateway = MeshMode, "https://h", "public"
		}, "access.mesh.gateway", ""},
		{"gateway", gateway, "", ""},
		{"gateway without a namespace", func(a *Answers) { gateway(a); a.Access.Gateway.Parent = "public" }, "access.gateway.parent", ""},
		{"gateway without a host", func(a *Answers) { gateway(a); a.Access.Gateway.Host = "" }, "access.gateway.host", ""},
		{"repository", func(a *Answers) { a.Git.SharedConfigRepo = "https://github.com/o/r.git" }, "", ""},
		{"repository without .git", func(a *Answers) { a.Git.SharedConfigRepo = "https://github.com/o/r" }, "", "git.sharedConfigRepo"},
		{"no repository", func(a *Answers) { a.Git.SharedConfigRepo = "https://github.com" }, "git.sharedConfigRepo", ""},
		{"provider against the host", func(a *Answers) { a.Git.SharedConfigRepo, a.Git.Provider = "https://github.com/o/r.git", "gitlab" }, "git.provider", ""},
		{"cloud provider on another host", func(a *Answers) { a.Git.SharedConfigRepo, a.Git.Provider = "https://git.example.com/o/r.git", "github" }, "git.provider", ""},
		{"unknown host", func(a *Answers) { a.Git.SharedConfigRepo = "https://git.example.com/o/r.git" }, "git.provider", ""},
		{"unknown host, provider given", func(a *Answers) {
			a.Git.SharedConfigRepo, a.Git.Provider = "https://git.example.com/o/r.git", "gitlab-server"
		}, "", ""},
		{"guessed provider", func(a *Answers) { a.Git.SharedConfigRepo = "https://gitlab.example.com/o/r.git" }, "", "git.provider"},
		{"existing Argo CD", func(a *Answers) {
			a.ArgoCD = ArgoCD{Mode: "existing", Namespace: "codefresh", Server: "argocd-server", RepoServer: "argocd-repo-server"}
		}, "", ""},
		{"existing Argo CD without a Service", func(a *Answers) { a.ArgoCD = ArgoCD{Mode: "existing", RepoServer: "r"} }, "argocd.server", ""},
		{"existing Argo CD without a repo server", func(a *Answers) { a.ArgoCD = ArgoCD{Mode: "existing", Server: "s"} }, "argocd.repoServer", ""},
		{"existing Argo CD elsewhere", func(a *Answers) {
			a.ArgoCD = ArgoCD{Mode: "existing", Namespace: "argocd", Server: "s", RepoServer: "r"}
		}, "runtime.namespace", ""},
		{"unknown controller", func(a *Answers) { ingress(a); a.Access.Ingress.Controller = "kong" }, "", "access.ingress.controller"},
		{"NGINX Enterprise without a certificate", func(a *Answers) { ingress(a); a.Access.Ingress.Controller = "nginx-enterprise" }, "access.ingress.tlsSecret", ""},
		{"NGINX Enterprise with a certificate", func(a *Answers) {
			ingress(a)
			a.Access.Ingress.Controller, a.Access.Ingress.TLSSecret = "nginx-enterprise", "cert"
		}, "", ""},
		{"NGINX Enterprise in clear", func(a *Answers) {
			ingress(a)
			a.Access.Ingress.Controller, a.Access.Ingress.Protocol = "nginx-enterprise", "http"
		}, "", ""},
		{"a Git CA", func(a *Answers) { a.TLS.GitCA = map[string]string{"git.example.com": "ca.pem"} }, "", ""},
		{"a Git CA by URL", func(a *Answers) { a.TLS.GitCA = map[string]string{"https://git.example.com": "ca.pem"} }, "tls.gitCA", ""},
		{"a registry", func(a *Answers) { a.Images.Registry = "registry.example.com:5000/mirror" }, "", ""},
		{"a registry by URL", func(a *Answers) { a.Images.Registry = "https://registry.example.com" }, "images.registry", ""},
		{"a pull Secret", func(a *Answers) { a.Images.PullSecret = "Not_One" }, "images.pullSecret", ""},
		{"the reserved Secret", func(a *Answers) {
			a.Codefresh.APIKey = SecretRef{SecretRef: &KeyInSecret{Name: "codefresh-token", Key: "token"}}
		}, "codefresh.apiKey", ""},
		{"unknown provider", func(a *Answers) { a.Git.Provider = "svn" }, "git.provider", ""},
	}
	for _, test := range tests {
		a := complete()
		test.change(&a)
		v := a.Validate()
		if test.field == "" && len(v.Problems) > 0 {
			t.Errorf("%s: refused: %v", test.name, v.Problems)
		}
		if test.field != "" && (len(v.Problems) == 0 || v.Problems[0].Field != test.field || v.Problems[0].Fix == "") {
			t.Errorf("%s: got %v; want a problem of %s with a fix", test.name, v.Problems, test.field)
		}
		if test.warns != "" && (len(v.Warnings) == 0 || v.Warnings[0].Field != test.warns) {
			t.Errorf("%s: warnings %v; want one of %s", test.name, v.Warnings, test.warns)
		}
		if test.warns == "" && len(v.Warnings) > 0 {
			t.Errorf("%s: warns %v", test.name, v.Warnings)
		}
	}
}

// A slash at the end does not make Codefresh's platform a private one.
func TestWhosePlatformItIs(t *testing.T) {
	for address, want := range map[string]struct{ private, onPremises bool }{
		"https://g.codefresh.io":    {false, false},
		"https://g.codefresh.io/":   {false, false},
		"https://G.Codefresh.IO":    {false, false},
		"https://codefresh.io.evil": {true, true},
		"https://cf.example.com":    {true, true},
		"http://127.0.0.1:8080":     {true, false},
	} {
		a := complete()
		a.Codefresh.URL = address
		if a.PrivatePlatform() != want.private || a.OnPremises() != want.onPremises {
			t.Errorf("%s: private %v, on premises %v", address, a.PrivatePlatform(), a.OnPremises())
		}
	}
}

func TestTheAddressOfAMesh(t *testing.T) {
	a := complete()
	a.Access.Mode, a.Access.Mesh.URL = MeshMode, "https://h.example.com:8443/"
	if got := a.IngressURL(); got != "https://h.example.com:8443" {
		t.Errorf("it is %s", got)
	}
}

// The address of an API is handed on in the one form that its readers know.
func TestTheAPIsAddressIsNormal(t *testing.T) {
	a := complete()
	a.Git.SharedConfigRepo, a.Git.Provider, a.Git.APIURL = "https://bb.example.com/scm/K/s.git", "bitbucket-server", "https://bb.example.com/"
	if _, _, api := a.SharedConfig(); api != "https://bb.example.com" {
		t.Errorf("it is %s", api)
	}
}
