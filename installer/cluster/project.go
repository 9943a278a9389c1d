package cluster

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/cfwizard/cfwizard/installer/facts"
)

type (
	deployment  = appsv1.Deployment
	daemonSet   = appsv1.DaemonSet
	statefulSet = appsv1.StatefulSet
)

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// lastApplied repeats the whole object: of use here is only that it is there.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

func metaOf(m metav1.ObjectMeta) facts.Meta {
	out := facts.Meta{Name: facts.Name{Namespace: m.Namespace, Name: m.Name}, UID: string(m.UID), Labels: m.Labels, Annotations: m.Annotations}
	if _, long := m.Annotations[lastApplied]; long {
		out.Annotations = maps.Clone(m.Annotations)
		out.Annotations[lastApplied] = ""
	}
	if controller := metav1.GetControllerOf(&metav1.ObjectMeta{OwnerReferences: m.OwnerReferences}); controller != nil {
		out.Controller = controller.Kind + "/" + controller.Name
	}
	return out
}

func ingressOf(i networkingv1.Ingress) facts.Ingress {
	out := facts.Ingress{Meta: metaOf(i.ObjectMeta)}
	if i.Spec.IngressClassName != nil {
		out.Class = *i.Spec.IngressClassName
	}
	for _, rule := range i.Spec.Rules {
		kept := facts.Rule{Host: rule.Host}
		if rule.HTTP != nil {
			for _, path := range rule.HTTP.Paths {
				kept.Paths = append(kept.Paths, path.Path)
			}
		}
		out.Rules = append(out.Rules, kept)
	}
	for _, address := range i.Status.LoadBalancer.Ingress {
		out.Addresses = append(out.Addresses, address.Hostname+address.IP)
	}
	return out
}

func classOf(c networkingv1.IngressClass) facts.IngressClass {
	out := facts.IngressClass{Meta: metaOf(c.ObjectMeta), Controller: c.Spec.Controller,
		Default: c.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true"}
	if p := c.Spec.Parameters; p != nil && p.APIGroup != nil {
		out.Parameters = p.Kind + "." + *p.APIGroup + "/" + p.Name
	}
	return out
}

func serviceOf(s corev1.Service) facts.Service {
	out := facts.Service{Meta: metaOf(s.ObjectMeta), Type: string(s.Spec.Type), ClusterIP: s.Spec.ClusterIP, ExternalName: s.Spec.ExternalName,
		Selector: s.Spec.Selector, ExternalIPs: s.Spec.ExternalIPs}
	if s.Spec.LoadBalancerClass != nil {
		out.Class = *s.Spec.LoadBalancerClass
	}
	for _, port := range s.Spec.Ports {
		out.Ports = append(out.Ports, facts.Port{Name: port.Name, Port: port.Port, Protocol: string(port.Protocol)})
	}
	for _, address := range s.Status.LoadBalancer.Ingress {
		out.Addresses = append(out.Addresses, address.Hostname+address.IP)
	}
	return out
}

func storageOf(s storagev1.StorageClass) facts.StorageClass {
	return facts.StorageClass{Name: s.Name, Default: s.Annotations["storageclass.kubernetes.io/is-default-class"] == "true"}
}

func runtimeOf(m corev1.ConfigMap) facts.RuntimeRecord {
	return facts.RuntimeRecord{Name: m.Labels["codefresh.io/runtime-name"], Namespace: m.Namespace, Release: m.Data["helmReleaseName"], Version: m.Data["version"]}
}
