// Package facts is what was read of a cluster: plain data, without a client.
// Checks are pure functions over it.
package facts

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// Cluster is what was read of the cluster, in one pass, cut down to what checks
// need. What could not be read is named in Unread and is never taken as absent.
type Cluster struct {
	Context, Server, Version string
	User                     string
	ClusterAdmin             bool
	Groups                   map[string]bool // the API groups that are served
	BrokenGroups             []string        // API groups whose server does not answer

	Nodes          []Node
	IngressClasses []IngressClass
	Ingresses      []Ingress
	Services       []Service
	Workloads      []Workload
	CRDs           []Meta
	StorageClasses []StorageClass
	Runtimes       []RuntimeRecord
	Applications   []Name        // of Argo CD
	Secrets        map[Name]bool // of those that were looked for: whether they are there
	ConfigMaps     map[Name]map[string]string
	Custom         map[string][]Custom // by resource.group

	Unread []Unread
}

// Name is where an object is.
type Name struct{ Namespace, Name string }

func (n Name) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// ParseName reads NAMESPACE/NAME; a bare name is in the given namespace.
func ParseName(s, namespace string) Name {
	if ns, name, found := strings.Cut(s, "/"); found {
		return Name{ns, name}
	}
	return Name{namespace, s}
}

// Meta is what is kept of any object's metadata.
type Meta struct {
	Name
	UID         string
	Labels      map[string]string
	Annotations map[string]string
	Controller  string // the kind of the object that controls it, if any
}

// Amount is processors and memory.
type Amount struct {
	MilliCPU int64
	Memory   int64
}

// Plus adds two amounts.
func (a Amount) Plus(b Amount) Amount { return Amount{a.MilliCPU + b.MilliCPU, a.Memory + b.Memory} }

// Node is one node.
type Node struct {
	Name             string
	ProviderID       string
	Labels           map[string]string
	OS, Arch         string
	OSImage          string
	Kubelet          string
	Ready, Closed    bool     // Closed: cordoned
	Taints           []string // those that keep pods away, as key=value:effect
	Capacity         Amount
	Allocatable      Amount
	Requested        Amount
	External, Inside []string // addresses
}

// Virtual nodes stand for a service that runs pods elsewhere.
func (n Node) Virtual() bool { return n.Labels["type"] == "virtual-kubelet" }

// Free is what a node has left.
func (n Node) Free() Amount {
	return Amount{max(0, n.Allocatable.MilliCPU-n.Requested.MilliCPU), max(0, n.Allocatable.Memory-n.Requested.Memory)}
}

// IngressClass is one ingress class.
type IngressClass struct {
	Meta
	Controller string
	Default    bool
	Parameters string // kind.group/name
}

// Ingress is one Ingress.
type Ingress struct {
	Meta
	Class     string
	Rules     []Rule
	Addresses []string
}

// Rule is a host of an Ingress with its paths.
type Rule struct {
	Host  string
	Paths []string
}

// Service is one Service.
type Service struct {
	Meta
	Type         string
	Class        string // of the load balancer
	ClusterIP    string
	ExternalName string
	Selector     map[string]string
	Ports        []Port
	ExternalIPs  []string
	Addresses    []string // what the load balancer got
}

// Port is a port of a Service.
type Port struct {
	Name     string
	Port     int32
	Protocol string
}

// Workload is a Deployment, DaemonSet or StatefulSet.
type Workload struct {
	Meta
	Kind        string
	Wanted      int32
	Ready       int32
	PodLabels   map[string]string
	HostNetwork bool
	Containers  []Container
	Mounts      map[string]string // folder in the first container → ConfigMap
}

// Container is what decides how a program behaves.
type Container struct {
	Name      string
	Image     string
	Command   []string
	Args      []string
	Env       map[string]string // literal values only
	HostPorts bool
}

// StorageClass is one storage class.
type StorageClass struct {
	Name    string
	Default bool
}

// RuntimeRecord is what a Codefresh runtime says of itself in its namespace.
type RuntimeRecord struct {
	Name      string // in Codefresh; empty where it does not say
	Namespace string
	Release   string // empty for a runtime that the old CLI made
	Version   string
}

// Custom is an object of a kind that this program has no type for.
type Custom struct {
	Meta
	Version string
	Spec    map[string]any
	Status  map[string]any
}

// ConfigMap gives a ConfigMap that was read.
func (c Cluster) ConfigMap(name Name) (map[string]string, bool) {
	found, ok := c.ConfigMaps[name]
	return found, ok
}

// Class finds an ingress class by its name.
func (c Cluster) Class(name string) (IngressClass, bool) {
	index := slices.IndexFunc(c.IngressClasses, func(k IngressClass) bool { return k.Meta.Name.Name == name })
	if index < 0 {
		return IngressClass{}, false
	}
	return c.IngressClasses[index], true
}

// Service finds a Service by its name.
func (c Cluster) Service(name Name) (Service, bool) {
	index := slices.IndexFunc(c.Services, func(s Service) bool { return s.Meta.Name == name })
	if index < 0 {
		return Service{}, false
	}
	return c.Services[index], true
}

// Fingerprint is the cluster in a few words, so that nobody installs into the
// wrong one.
func (c Cluster) Fingerprint() string {
	words := []string{c.Context}
	if provider := c.Provider(); provider.Name != "" {
		words = append(words, provider.Name)
	}
	words = append(words, "Kubernetes "+strings.TrimPrefix(c.Version, "v"))
	if len(c.Nodes) > 0 {
		words = append(words, text.Plural(len(c.Nodes), "node"))
	}
	return strings.Join(words, " · ")
}
