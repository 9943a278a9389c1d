package facts

import "slices"

// Reason says why something could not be read.
type Reason string

// The reasons.
const (
	NotAllowed Reason = "not allowed"
	TooSlow    Reason = "no answer in time"
	Lost       Reason = "the connection broke"
	Failed     Reason = "the API server failed"
)

// The names of what is read, for checks that depend on it.
const (
	You            = "who you are"
	Rights         = "your rights"
	Nodes          = "nodes"
	Pods           = "pods"
	Ingresses      = "ingresses"
	IngressClasses = "ingress classes"
	Services       = "services"
	Workloads      = "workloads"
	CRDs           = "custom resource definitions"
	StorageClasses = "storage classes"
	ConfigMaps     = "config maps"
	Groups         = "API groups"
)

// Unread is one thing that could not be read.
type Unread struct {
	What   string
	Reason Reason
	Detail string
}

// Could reports whether all of these were read; else it names the first that
// was not.
func (c Cluster) Could(what ...string) (missing Unread, all bool) {
	for _, name := range what {
		if index := slices.IndexFunc(c.Unread, func(u Unread) bool { return u.What == name }); index >= 0 {
			return c.Unread[index], false
		}
	}
	return Unread{}, true
}

// InTrouble reports whether the API server failed to answer what it should.
func (c Cluster) InTrouble() bool {
	return slices.ContainsFunc(c.Unread, func(u Unread) bool { return u.Reason != NotAllowed })
}

// String is the sentence for a person.
func (u Unread) String() string {
	if u.Reason == NotAllowed {
		return "not allowed to read " + u.What
	}
	return "could not read " + u.What + ": " + string(u.Reason)
}
