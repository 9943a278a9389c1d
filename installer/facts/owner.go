package facts

import (
	"strings"
)

// Owner is who takes care of an object: a change behind its back is undone.
type Owner struct {
	Kind      string // Helm, Argo CD, Flux, k3s, operator …; empty for nobody
	Name      string
	Namespace string
	Chart     string // for Helm: name-version
}

// The kinds of owners that know how to be asked for a change.
const (
	HelmOwner     = "Helm"
	ArgoCDOwner   = "Argo CD"
	FluxOwner     = "Flux"
	K3sOwner      = "k3s"
	OperatorOwner = "operator"
	AddonOwner    = "add-on manager"
	AKSOwner      = "AKS application routing"
	OLMOwner      = "Operator Lifecycle Manager"
)

// String names the owner in a sentence.
func (o Owner) String() string {
	switch {
	case o.Kind == "":
		return "nobody"
	case o.Name == "":
		return o.Kind
	case o.Namespace != "":
		return o.Kind + " (" + o.Namespace + "/" + o.Name + ")"
	}
	return o.Kind + " (" + o.Name + ")"
}

// Owner tells who takes care of the object. Those that act on their own come
// before Helm, whose marks they often leave too.
func (m Meta) Owner() Owner {
	for _, rule := range ownerRules {
		if owner, found := rule(m); found {
			return owner
		}
	}
	return Owner{}
}

var ownerRules = []func(Meta) (Owner, bool){argoCDOwner, fluxOwner, k3sOwner, operatorOwner, aksOwner, addonOwner, olmOwner, helmOwner}

func argoCDOwner(m Meta) (Owner, bool) {
	if id := m.Annotations["argocd.argoproj.io/tracking-id"]; id != "" {
		name, _, _ := strings.Cut(id, ":")
		return Owner{Kind: ArgoCDOwner, Name: name}, true
	}
	name := m.Labels["argocd.argoproj.io/instance"]
	return Owner{Kind: ArgoCDOwner, Name: name}, name != ""
}

func fluxOwner(m Meta) (Owner, bool) {
	for _, kind := range []string{"helm.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io"} {
		if name := m.Labels[kind+"/name"]; name != "" {
			return Owner{Kind: FluxOwner, Name: name, Namespace: m.Labels[kind+"/namespace"]}, true
		}
	}
	return Owner{}, false
}

// k3sOwner recognises what the Helm controller of k3s and RKE2 installs, and
// what they apply themselves.
func k3sOwner(m Meta) (Owner, bool) {
	for _, marks := range []map[string]string{m.Labels, m.Annotations} {
		for key, value := range marks {
			if key == "helmcharts.cattle.io/chart" || key == "helm.cattle.io/helmchart" {
				return Owner{Kind: K3sOwner, Name: value, Namespace: "kube-system"}, true
			}
			if strings.HasPrefix(key, "objectset.rio.cattle.io/") {
				return Owner{Kind: K3sOwner, Name: m.Annotations["objectset.rio.cattle.io/owner-name"], Namespace: m.Annotations["objectset.rio.cattle.io/owner-namespace"]}, true
			}
		}
	}
	return Owner{}, false
}

func operatorOwner(m Meta) (Owner, bool) {
	kind, name, _ := strings.Cut(m.Controller, "/")
	switch kind {
	case "", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob":
		return Owner{}, false
	}
	return Owner{Kind: OperatorOwner, Name: kind + " " + name, Namespace: m.Namespace}, true
}

func aksOwner(m Meta) (Owner, bool) {
	return Owner{Kind: AKSOwner}, m.Labels["app.kubernetes.io/managed-by"] == "aks-app-routing-operator"
}

func addonOwner(m Meta) (Owner, bool) {
	return Owner{Kind: AddonOwner}, m.Labels["addonmanager.kubernetes.io/mode"] != ""
}

func olmOwner(m Meta) (Owner, bool) {
	for key := range m.Labels {
		if strings.HasPrefix(key, "operators.coreos.com/") || key == "olm.owner" {
			return Owner{Kind: OLMOwner, Name: m.Labels["olm.owner"]}, true
		}
	}
	return Owner{}, false
}

func helmOwner(m Meta) (Owner, bool) {
	release := m.Annotations[ReleaseNameMark]
	if m.Labels["app.kubernetes.io/managed-by"] != "Helm" || release == "" {
		return Owner{}, false
	}
	return Owner{Kind: HelmOwner, Name: release, Namespace: m.Annotations[ReleaseNamespaceMark], Chart: m.Labels["helm.sh/chart"]}, true
}

// Owner is the object's own marks, or the Argo CD Application whose name the
// older way of tracking leaves as the instance.
func (c Cluster) Owner(m Meta) Owner {
	owner := m.Owner()
	if owner.Kind != "" {
		return owner
	}
	instance := m.Labels["app.kubernetes.io/instance"]
	for _, application := range c.Applications {
		if instance != "" && application.Name == instance {
			return Owner{Kind: ArgoCDOwner, Name: instance, Namespace: application.Namespace}
		}
	}
	return Owner{}
}

// What Helm marks the objects of a release with.
const (
	ReleaseNameMark      = "meta.helm.sh/release-name"
	ReleaseNamespaceMark = "meta.helm.sh/release-namespace"
)

// OfRelease reports whether annotations mark an object as the release's.
func OfRelease(annotations map[string]string, namespace, release string) bool {
	return annotations[ReleaseNameMark] == release && annotations[ReleaseNamespaceMark] == namespace
}
