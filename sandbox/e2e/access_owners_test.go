package e2e

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The marks of those who take care of objects.
var (
	argoCDMarks     = marks{annotations: map[string]string{"argocd.argoproj.io/tracking-id": "edge:apps/Deployment:web/edge"}}
	oldArgoCDMarks  = marks{labels: map[string]string{"app.kubernetes.io/instance": "edge"}}
	fluxHelmMarks   = marks{labels: map[string]string{"helm.toolkit.fluxcd.io/name": "edge", "helm.toolkit.fluxcd.io/namespace": "flux-system"}}
	fluxGitMarks    = marks{labels: map[string]string{"kustomize.toolkit.fluxcd.io/name": "edge", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}}
	addOnMarks      = marks{labels: map[string]string{"addonmanager.kubernetes.io/mode": "Reconcile"}}
	aksMarks        = marks{labels: map[string]string{"app.kubernetes.io/managed-by": "aks-app-routing-operator"}}
	application     = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: edge, namespace: default}\nspec: {project: default}"
	ownerWords      = map[string]string{"Argo CD": "Argo CD's Application edge", "Flux": "Flux reads flux-system/edge", "an operator": "It belongs to operator ("}
	helmReleaseName = map[string]string{"meta.helm.sh/release-name": "edge", "meta.helm.sh/release-namespace": "web"}
)

func helmMarks(chart string) marks {
	return marks{labels: map[string]string{"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": chart}, annotations: helmReleaseName}
}

func k3sMarks(chart string) marks {
	return marks{annotations: map[string]string{"objectset.rio.cattle.io/owner-name": chart, "objectset.rio.cattle.io/owner-namespace": "kube-system", "objectset.rio.cattle.io/id": "helm-controller"}}
}

// owned are the cases of one broken cluster whose objects have an owner: Helm,
// which says helm, Argo CD, Flux and an operator. The check is the one that
// would be repaired else.
func owned(broken accessCase, check, chart, helm string) []accessCase {
	return []accessCase{
		broken.ownedBy("Helm", check, helm, helmMarks(chart)),
		broken.ownedBy("Argo CD", check, ownerWords["Argo CD"], argoCDMarks),
		broken.ownedBy("Flux", check, ownerWords["Flux"], fluxHelmMarks),
		broken.operated(someOperator, check, ownerWords["an operator"]),
	}
}

// ownedBy is the case with an owner who has to be told.
func (c accessCase) ownedBy(owner, check, words string, owners marks) accessCase {
	c.name += ", owned by " + owner
	c.edits = append(slices.Clone(c.edits), ownedBy(owners))
	c.says = merged(c.says, map[string]string{check: words})
	c.repaired, c.kept, c.left = false, true, nil
	return c
}

// operated is the case with objects that an operator made from one of its own
// kind.
func (c accessCase) operated(operator customKind, check, words string) accessCase {
	c = c.ownedBy("an operator of "+operator.group, check, words, marks{})
	c.operator = operator
	return c
}

// controlledBy makes all objects of the namespace that the case is about the
// operator's, whose own object is called edge.
func (l *lab) controlledBy(operator customKind, about string) edit {
	return func(f *fixture) {
		namespace, controls := f.object(about).GetNamespace(), true
		own := &fixture{t: f.t}
		own.addText("apiVersion: " + operator.group + "/" + operator.version + "\nkind: " + operator.kind + "\nmetadata: {name: edge, namespace: " + namespace + "}\nspec: {}")
		l.apply(own)
		uid := l.get(own.objects[0]).GetUID()
		for _, object := range f.objects {
			if object.GetNamespace() == namespace {
				object.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: operator.group + "/" + operator.version, Kind: operator.kind, Name: "edge", UID: uid, Controller: &controls}})
			}
		}
	}
}
