package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/cfwizard/cfwizard/installer/facts"
)

func nodeOf(n corev1.Node) facts.Node {
	info := n.Status.NodeInfo
	out := facts.Node{Name: n.Name, ProviderID: n.Spec.ProviderID, Labels: n.Labels, OS: info.OperatingSystem, Arch: info.Architecture,
		OSImage: info.OSImage, Kubelet: info.KubeletVersion, Closed: n.Spec.Unschedulable,
		Capacity: amountOf(n.Status.Capacity), Allocatable: amountOf(n.Status.Allocatable)}
	for _, condition := range n.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			out.Ready = condition.Status == corev1.ConditionTrue
		}
	}
	for _, taint := range n.Spec.Taints {
		if taint.Effect != corev1.TaintEffectPreferNoSchedule {
			out.Taints = append(out.Taints, taint.ToString())
		}
	}
	for _, address := range n.Status.Addresses {
		switch address.Type {
		case corev1.NodeExternalIP:
			out.External = append(out.External, address.Address)
		case corev1.NodeInternalIP:
			out.Inside = append(out.Inside, address.Address)
		}
	}
	return out
}

func amountOf(list corev1.ResourceList) facts.Amount {
	return facts.Amount{MilliCPU: list.Cpu().MilliValue(), Memory: list.Memory().Value()}
}

// addPod counts what a pod asks of its node; nothing else of it is kept.
func (r *reader) addPod(p corev1.Pod) {
	if p.Spec.NodeName == "" {
		return
	}
	sum := r.requests[p.Spec.NodeName]
	asked := podRequests(p.Spec)
	r.requests[p.Spec.NodeName] = sum.Plus(asked)
}

// podRequests is what the scheduler counts: the containers together, or the
// largest init container where that is more.
func podRequests(spec corev1.PodSpec) facts.Amount {
	var sum facts.Amount
	for _, container := range spec.Containers {
		asked := amountOf(container.Resources.Requests)
		sum = sum.Plus(asked)
	}
	for _, container := range spec.InitContainers {
		asked := amountOf(container.Resources.Requests)
		if container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sum = sum.Plus(asked)
			continue
		}
		sum = facts.Amount{MilliCPU: max(sum.MilliCPU, asked.MilliCPU), Memory: max(sum.Memory, asked.Memory)}
	}
	return sum
}

// addRequests joins what the pods ask with the nodes they are on.
func (r *reader) addRequests() {
	for i, node := range r.facts.Nodes {
		r.facts.Nodes[i].Requested = r.requests[node.Name]
	}
}
