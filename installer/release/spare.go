package release

import (
	"helm.sh/helm/v3/pkg/kube"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// withoutCRDs leaves those CRDs out that an upgrade would remove because the
// chart has them no more: all their resources would go with them, in every
// namespace.
func (k *kubeClient) withoutCRDs(original, target kube.ResourceList) kube.ResourceList {
	leaving := original.Difference(target).Filter(isCRD)
	for _, info := range leaving {
		k.tell.tell(Event{Type: LogEvent, Message: "CRD " + info.Name + " stays: its resources would go with it"})
	}
	return original.Filter(func(info *resource.Info) bool { return !leaving.Contains(info) })
}

// sparing leaves those objects out of a removal that are another's by now, for
// Helm deletes by name, and CRDs where they are to stay.
func (k *kubeClient) sparing(resources kube.ResourceList) (kube.ResourceList, error) {
	var own kube.ResourceList
	for _, info := range resources {
		live, err := resource.NewHelper(info.Client, info.Mapping).Get(info.Namespace, info.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		switch {
		case err == nil && !k.owns(live):
			k.spare(info, "stays: it is another's by now")
		case err == nil && (kept(live) || k.keepCRDs && isCRD(info)):
			k.spare(info, "stays, as it is to be kept")
		default:
			own = append(own, info)
		}
	}
	return own, nil
}

func (k *kubeClient) spare(info *resource.Info, why string) {
	object := objectOf(info)
	k.spared[object] = true
	k.tell.tell(Event{Type: ObjectEvent, Object: &object, State: Skipped, Message: why})
}

// owns reports whether a live object is marked as the release's.
func (w *watcher) owns(live any) bool {
	about, err := meta.Accessor(live)
	return err == nil && facts.OfRelease(about.GetAnnotations(), w.namespace, w.release)
}

// kept reports whether somebody has marked a live object to outlive its
// release. Helm goes by the mark in its record.
func kept(live any) bool {
	about, err := meta.Accessor(live)
	return err == nil && about.GetAnnotations()[kube.ResourcePolicyAnno] == kube.KeepPolicy
}

// notSpared are those of the objects that were to be deleted.
func (k *kubeClient) notSpared(resources kube.ResourceList) kube.ResourceList {
	return resources.Filter(func(info *resource.Info) bool { return !k.spared[objectOf(info)] })
}
