// Package answers holds what a person decided: typed, versioned, written as
// YAML, without secrets. It does no I/O beyond the bytes it is given.
package answers

import (
	"strings"
	"time"
)

// APIVersion and Kind name the file format.
const (
	APIVersion = "cfwizard/v1"
	Kind       = "Answers"
)

// Answers is everything a person decides about an installation.
type Answers struct {
	Cluster   Cluster   `yaml:"cluster"`
	Codefresh Codefresh `yaml:"codefresh"`
	Runtime   Runtime   `yaml:"runtime"`
	Access    Access    `yaml:"access"`
	Git       Git       `yaml:"git"`
	ArgoCD    ArgoCD    `yaml:"argocd"`
	CRDs      CRDs      `yaml:"crds"`
	Images    Images    `yaml:"images"`
	TLS       TLS       `yaml:"tls"`
	Options   Options   `yaml:"options"`
}

// Cluster is where to install.
type Cluster struct {
	Kubeconfig string `yaml:"kubeconfig"`
	Context    string `yaml:"context"`
}

// Codefresh is the account that the runtime belongs to.
type Codefresh struct {
	URL       string    `yaml:"url"`
	AccountID string    `yaml:"accountId"`
	APIKey    SecretRef `yaml:"apiKey"`
}

// Runtime names the runtime and the Helm release that carries it.
type Runtime struct {
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace"`
	Release   string `yaml:"release"`
	Chart     string `yaml:"chart"`
	Version   string `yaml:"version"`
}

// Mode is how Codefresh reaches the runtime.
type Mode string

// The access modes.
const (
	Tunnel       Mode = "tunnel"
	IngressMode  Mode = "ingress"
	MeshMode     Mode = "mesh"
	GatewayMode  Mode = "gateway"
	defaultProto      = "https"
)

// Access is the way in to the runtime. Only the part of the mode counts.
type Access struct {
	Mode    Mode    `yaml:"mode"`
	Ingress Ingress `yaml:"ingress"`
	Mesh    Mesh    `yaml:"mesh"`
	Gateway Gateway `yaml:"gateway"`
}

// Ingress is access through an ingress controller.
type Ingress struct {
	Host           string            `yaml:"host"`
	Class          string            `yaml:"class"`
	Controller     string            `yaml:"controller"`
	Protocol       string            `yaml:"protocol"`
	TLSSecret      string            `yaml:"tlsSecret"`
	SkipValidation bool              `yaml:"skipValidation"`
	Annotations    map[string]string `yaml:"annotations"`
	Labels         map[string]string `yaml:"labels"`
}

// Mesh is access through a service mesh that routes on its own.
type Mesh struct {
	URL     string `yaml:"url"`
	Gateway string `yaml:"gateway"`
}

// Gateway is access through the Gateway API.
type Gateway struct {
	Parent   string `yaml:"parent"`
	Host     string `yaml:"host"`
	Protocol string `yaml:"protocol"`
}

// Git is the provider and the shared-configuration repository.
type Git struct {
	Provider         string    `yaml:"provider"`
	APIURL           string    `yaml:"apiUrl"`
	SharedConfigRepo string    `yaml:"sharedConfigRepo"`
	Username         string    `yaml:"username"`
	RuntimeToken     SecretRef `yaml:"runtimeToken"`
	UserToken        SecretRef `yaml:"userToken"`
}

// ArgoCD is a new Argo CD from the chart, or the one that is there.
type ArgoCD struct {
	Mode       string    `yaml:"mode"`
	Namespace  string    `yaml:"namespace"`
	Server     string    `yaml:"server"`
	RepoServer string    `yaml:"repoServer"`
	Auth       SecretRef `yaml:"auth"`
}

// CRDs says what to do with custom resource definitions.
type CRDs struct {
	Mode string `yaml:"mode"`
}

// Images moves the images to another registry.
type Images struct {
	Registry   string `yaml:"registry"`
	PullSecret string `yaml:"pullSecret"`
}

// TLS names certificate files.
type TLS struct {
	PlatformCA string            `yaml:"platformCA"`
	GitCA      map[string]string `yaml:"gitCA"`
}

// Options are the switches that few people need.
type Options struct {
	SkipValidation       bool     `yaml:"skipValidation"`
	SkipUsageValidation  bool     `yaml:"skipUsageValidation"`
	HA                   bool     `yaml:"ha"`
	ConfigurationRuntime bool     `yaml:"configurationRuntime"`
	Timeout              Duration `yaml:"timeout"`
	Wait                 bool     `yaml:"wait"`
	Values               []string `yaml:"values"`
}

// Default is what holds where nobody decided otherwise.
func Default() Answers {
	return Answers{
		Codefresh: Codefresh{URL: "https://g.codefresh.io", APIKey: SecretRef{Env: "CF_API_KEY"}},
		Runtime: Runtime{Name: "codefresh", Namespace: "codefresh", Release: "cf-gitops-runtime",
			Chart: "oci://quay.io/codefresh/gitops-runtime"},
		Access:  Access{Mode: Tunnel, Ingress: Ingress{Protocol: defaultProto}, Gateway: Gateway{Protocol: defaultProto}},
		ArgoCD:  ArgoCD{Mode: "new"},
		CRDs:    CRDs{Mode: "install"},
		Options: Options{Timeout: Duration(10 * time.Minute), Wait: true},
	}
}

// IngressURL is the address under which Codefresh will reach the runtime.
// The tunnel's address is known only with the account.
func (a Answers) IngressURL() string {
	switch a.Access.Mode {
	case IngressMode:
		return a.Access.Ingress.Protocol + "://" + a.Access.Ingress.Host
	case MeshMode:
		return strings.TrimRight(a.Access.Mesh.URL, "/")
	case GatewayMode:
		return a.Access.Gateway.Protocol + "://" + a.Access.Gateway.Host
	}
	return "https://" + a.Codefresh.AccountID + "-" + a.Runtime.Name + ".tunnels.cf-cd.com"
}
