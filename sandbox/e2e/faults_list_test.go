package e2e

import "fmt"

// containerFaults are played by the sandbox's kubelets.
var containerFaults = []fault{
	{name: "image does not exist", scenarios: []string{"image-pull"}, shows: "ImagePullBackOff", cause: "image-not-found", exit: 5},
	{name: "pull needs credentials", scenarios: []string{"image-unauthorized"}, shows: "ImagePullBackOff", cause: "image-unauthorized"},
	{name: "pulls are rate-limited", scenarios: []string{"image-rate-limited"}, shows: "ImagePullBackOff", cause: "image-rate-limited"},
	{name: "image of another architecture", scenarios: []string{"image-architecture"}, shows: "ImagePullBackOff", cause: "image-wrong-architecture"},
	{name: "registry out of reach", scenarios: []string{"image-registry-gone"}, shows: "ImagePullBackOff", cause: "image-registry-unreachable"},
	{name: "registry not trusted", scenarios: []string{"image-certificate"}, shows: "ImagePullBackOff", cause: "image-certificate"},
	{name: "no name of an image", scenarios: []string{"image-name"}, shows: "InvalidImageName", cause: "image-name-invalid", exit: 5},
	{name: "crash loop", scenarios: []string{"crash-loop"}, shows: "CrashLoopBackOff", cause: "crash-loop"},
	{name: "out of memory", scenarios: []string{"out-of-memory"}, shows: "CrashLoopBackOff", cause: "out-of-memory", exit: 5},
	{name: "built for another architecture", scenarios: []string{"exec-format"}, shows: "CrashLoopBackOff", cause: "wrong-architecture", exit: 5},
	{name: "program not in the image", scenarios: []string{"command-missing"}, shows: "RunContainerError", cause: "command-missing", exit: 5},
	{name: "runs as root and may not", scenarios: []string{"runs-as-root"}, shows: "runAsNonRoot", cause: "runs-as-root", exit: 5},
	{name: "probe fails", scenarios: []string{"probe-fails"}, shows: "probe failed", cause: "probe-failing"},
	{name: "Secret missing", scenarios: []string{"secret-missing"}, shows: "router-certificate", cause: "missing-secret", exit: 5},
	{name: "ConfigMap missing", scenarios: []string{"configmap-missing"}, shows: "router-rules", cause: "missing-configmap"},
	{name: "key missing", scenarios: []string{"key-missing"}, shows: "tls.key", cause: "missing-key"},
	{name: "network plugin broken", scenarios: []string{"network-plugin"}, shows: "FailedCreatePodSandBox", cause: "pod-network"},
	{name: "egress to Codefresh blocked", scenarios: []string{"egress-blocked"}, shows: "codefresh-token", cause: "registration-egress"},
	{name: "Codefresh refuses the key", scenarios: []string{"key-refused"}, shows: "codefresh-token", cause: "registration-key", exit: 5},
	{name: "Codefresh refuses the runtime", scenarios: []string{"account-refuses"}, shows: "codefresh-token", cause: "registration-account", exit: 5},
}

// hookFaults are about the chart's hooks, and what they would refuse that the
// account tells before.
var hookFaults = []fault{
	{name: "validator: not an admin", hooks: true, scenarios: []string{"validate-fails"}, shows: "validate-values.* Failed", cause: "not-admin", exit: 5},
	{name: "account: name taken", hooks: true, setup: func(r *faultRun) { r.scenario("codefresh.name-taken=" + r.namespace) }, cause: "runtime.name", exit: 7},
	{name: "account: limit reached", hooks: true, scenarios: []string{"codefresh.limit-reached"}, cause: "account.limit", exit: 7},
	{name: "validator: no such ingress class", hooks: true, extra: "access: {mode: ingress, ingress: {host: runtime.example.com, class: nowhere}}\n",
		shows: "validate-values.* Failed", cause: "ingress-class-missing", exit: 5},
	{name: "validator: the host does not answer", hooks: true, extra: "access: {mode: ingress, ingress: {host: runtime.example.com, class: nginx}}\n",
		shows: "validate-values.* Failed", cause: "ingress-unreachable", exit: 5},
	{name: "validator: scopes of the Git token", hooks: true, extra: gitFromSecret, setup: func(r *faultRun) { r.apply(secretWith("git-token", "ghp_sandboxuser")) },
		shows: "validate-values.* Failed", cause: "git-scopes", exit: 5},
	{name: "validator: fine-grained Git token", hooks: true, extra: gitFromSecret, setup: func(r *faultRun) { r.apply(secretWith("git-token", "github_pat_sandboxgood")) },
		shows: "validate-values.* Failed", cause: "git-fine-grained", exit: 5},
	{name: "validator: token of an unknown runtime", hooks: true, setup: func(r *faultRun) { r.apply(secretWith("codefresh-token", "of.another")) }, shows: "validate-values.* Failed", cause: "runtime-unknown", exit: 5},
	{name: "hook's image missing", hooks: true, scenarios: []string{"hook-image"}, shows: "ImagePullBackOff", cause: "image-not-found", exit: 5},
	{name: "hook fails", scenarios: []string{"hook-fails"}, shows: "redis-secret-init.* Failed", cause: "hook-failed", exit: 5},
	{name: "hook never ends", hooks: true, timeout: "6s", scenarios: []string{"hook-hangs"}, shows: "Pod validate-usage.* Running", cause: "hook-timed-out", exit: 6},
}

const gitFromSecret = "git: {runtimeToken: {secretRef: {name: git-token, key: token}}}\n"

// secretWith is a Secret that holds a token.
func secretWith(name, token string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: NAMESPACE}\nstringData: {token: %s}\n", name, token)
}

// schedulingFaults are made of the real scheduler's and controllers' words.
var schedulingFaults = []fault{
	{name: "not enough CPU", values: "app-proxy: {resources: {requests: {cpu: 900}}}\n", shows: "Insufficient cpu", cause: "unschedulable-cpu"},
	{name: "not enough memory", values: "app-proxy: {resources: {requests: {memory: 900Gi}}}\n", shows: "Insufficient memory", cause: "unschedulable-memory"},
	{name: "not enough ephemeral storage", values: "app-proxy: {resources: {requests: {ephemeral-storage: 900Gi}}}\n", shows: "Insufficient ephemeral-storage", cause: "unschedulable-ephemeral-storage"},
	{name: "no node with the label", values: "app-proxy: {nodeSelector: {disk: fast}}\n", shows: "node affinity/selector", cause: "unschedulable-selector", exit: 5},
	{name: "nodes are tainted", scenarios: []string{"unschedulable"}, shows: "untolerated taint", cause: "unschedulable-taint", exit: 5},
	{name: "no default storage class", templates: claim(""), shows: "no storage class is set", cause: "no-default-storage-class", exit: 5},
	{name: "storage class missing", templates: claim("gold"), shows: `storageclass.*not found`, cause: "storage-class-missing", exit: 5},
	{name: "volume never made", templates: claim("slow"), setup: func(r *faultRun) { r.apply(slowClass) }, shows: "ExternalProvisioning",
		first: "unschedulable-volume", cause: "volume-pending"},
	{name: "service account missing", templates: pod("    serviceAccountName: nobody\n"), shows: "serviceaccount.*not found", cause: "service-account-missing", exit: 5},
}

const slowClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: slow}
provisioner: example.com/slow
`

// claim is a chart whose only workload waits for a volume.
func claim(class string) string {
	name := ""
	if class != "" {
		name = "\n  storageClassName: " + class
	}
	return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]` + name + `
  resources: {requests: {storage: 1Gi}}
---
` + pod("    volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n")
}

// pod is a Deployment with something in its pods' specification.
func pod(spec string) string {
	spec = indent(spec)
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: store}
spec:
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec:
      containers: [{name: store, image: "example.com/store:1"}]
` + spec
}
