package cluster

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/facts"
)

func deploymentOf(d deployment) facts.Workload {
	out := workloadOf("Deployment", d.ObjectMeta, d.Spec.Template)
	out.Wanted, out.Ready = replicas(d.Spec.Replicas), d.Status.AvailableReplicas
	return out
}

func statefulSetOf(s statefulSet) facts.Workload {
	out := workloadOf("StatefulSet", s.ObjectMeta, s.Spec.Template)
	out.Wanted, out.Ready = replicas(s.Spec.Replicas), s.Status.ReadyReplicas
	return out
}

func daemonSetOf(d daemonSet) facts.Workload {
	out := workloadOf("DaemonSet", d.ObjectMeta, d.Spec.Template)
	out.Wanted, out.Ready = d.Status.DesiredNumberScheduled, d.Status.NumberAvailable
	return out
}

func replicas(wanted *int32) int32 {
	if wanted == nil {
		return 1
	}
	return *wanted
}

func workloadOf(kind string, meta metav1.ObjectMeta, template corev1.PodTemplateSpec) facts.Workload {
	out := facts.Workload{Meta: metaOf(meta), Kind: kind, PodLabels: template.Labels, HostNetwork: template.Spec.HostNetwork, Mounts: map[string]string{}}
	maps := map[string]string{} // volume → ConfigMap
	for _, volume := range template.Spec.Volumes {
		if volume.ConfigMap != nil {
			maps[volume.Name] = volume.ConfigMap.Name
		}
	}
	for _, container := range template.Spec.Containers {
		out.Containers = append(out.Containers, containerOf(container))
		for _, mount := range container.VolumeMounts {
			if name, ok := maps[mount.Name]; ok {
				out.Mounts[mount.MountPath] = name
			}
		}
	}
	return out
}

func containerOf(c corev1.Container) facts.Container {
	out := facts.Container{Name: c.Name, Image: c.Image, Command: c.Command, Args: c.Args, Env: map[string]string{}}
	for _, variable := range c.Env {
		if variable.ValueFrom == nil {
			out.Env[variable.Name] = variable.Value
		} else if field := variable.ValueFrom.FieldRef; field != nil {
			out.Env[variable.Name] = "field:" + field.FieldPath
		}
	}
	for _, port := range c.Ports {
		out.HostPorts = out.HostPorts || port.HostPort > 0
	}
	return out
}
