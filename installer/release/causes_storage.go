package release

import (
	"regexp"
	"time"
)

var storageCauses = []cause{
	{ID: "no-default-storage-class", Reasons: []string{claimPending}, Says: []string{"no storage class is set"},
		Named: time.Second, Fatal: true, Grace: 5 * time.Second,
		What: "volume claim {name} names no storage class, and the cluster has no default one",
		Fix:  "Make one the default: `kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true`, with a NAME from `kubectl get storageclass`."},
	{ID: "storage-class-missing", Reasons: []string{claimPending}, Says: []string{"storageclass.storage.k8s.io"},
		Named: time.Second, Fatal: true, Grace: 5 * time.Second, Field: "options.values",
		Finds: regexp.MustCompile(`storageclass\.storage\.k8s\.io "(?P<class>[^"]+)" not found`),
		What:  "volume claim {name} asks for storage class {class}, which does not exist",
		Fix:   "Name one that `kubectl get storageclass` lists in your values file."},
	{ID: "volume-not-provisioned", Reasons: []string{claimPending}, Only: func(s symptom) bool { return s.Last == "ProvisioningFailed" },
		Named: 2 * time.Second,
		What:  "the volume of claim {name} could not be made",
		Fix:   "Mend what the storage driver says; it tries again by itself: `kubectl describe pvc {name} --namespace {namespace}`."},
	{ID: "volume-pending", Reasons: []string{claimPending},
		Named: 8 * time.Second,
		What:  "volume claim {name} still waits for its volume",
		Fix:   "See whether the storage driver runs: `kubectl describe pvc {name} --namespace {namespace}`."},
	{ID: "volume-not-attached", Reasons: []string{"FailedAttachVolume"},
		Named: 5 * time.Second,
		What:  "a volume of pod {pod} cannot be attached to its node",
		Fix:   "If another pod still uses it, remove that one; else look at the storage driver. It is tried again by itself."},
	{ID: "volume-not-mounted", Reasons: []string{"FailedMount"}, Only: func(s symptom) bool {
		return !says(s.Message, []string{"configmap ", "secret ", "secret key", "config key"})
	},
		Named: 5 * time.Second,
		What:  "a volume of pod {pod} cannot be mounted",
		Fix:   "Mend what the node says: `kubectl describe pod {pod} --namespace {namespace}`. It is tried again by itself."},
}
