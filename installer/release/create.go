package release

import (
	"errors"
	"sync"

	"helm.sh/helm/v3/pkg/kube"
	"k8s.io/cli-runtime/pkg/resource"
)

// create keeps Helm's order, but for large CRDs: the API server takes seconds
// over them, and what needs no CRD is created meanwhile. Workloads and custom
// resources come after both, since they count on the CRDs.
func (k *kubeClient) create(resources kube.ResourceList) (*kube.Result, error) {
	crds := resources.Filter(isCRD)
	if len(crds) == 0 || len(crds) == len(resources) {
		return k.Client.Create(resources)
	}
	plain := resources.Filter(isPlain)
	rest := resources.Filter(func(info *resource.Info) bool { return !isCRD(info) && !isPlain(info) })
	var (
		group   sync.WaitGroup
		results [3]*kube.Result
		errs    [3]error
	)
	for i, part := range []kube.ResourceList{crds, plain} {
		group.Go(func() { results[i], errs[i] = k.createAny(part) })
	}
	group.Wait()
	if errors.Join(errs[:]...) == nil {
		results[2], errs[2] = k.createAny(rest)
	}
	return joined(results[:]), firstError(errs[:])
}

// createAny does without the error that Helm has for an empty list.
func (k *kubeClient) createAny(resources kube.ResourceList) (*kube.Result, error) {
	if len(resources) == 0 {
		return &kube.Result{}, nil
	}
	return k.Client.Create(resources)
}

func joined(results []*kube.Result) *kube.Result {
	all := &kube.Result{}
	for _, result := range results {
		if result != nil {
			all.Created = append(all.Created, result.Created...)
		}
	}
	return all
}

// isPlain tells objects that nothing runs in and that no CRD defines.
func isPlain(info *resource.Info) bool {
	switch info.Mapping.GroupVersionKind.GroupKind().String() {
	case "Namespace", "ServiceAccount", "Secret", "ConfigMap", "Service", "ResourceQuota", "LimitRange", "PodDisruptionBudget.policy",
		"ClusterRole.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io",
		"Role.rbac.authorization.k8s.io", "RoleBinding.rbac.authorization.k8s.io", "NetworkPolicy.networking.k8s.io":
		return true
	}
	return false
}
