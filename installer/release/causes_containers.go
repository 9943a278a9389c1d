package release

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// makers are the Secrets that a part of the runtime makes, by that part.
var makers = map[string]string{
	"argocd-initial-admin-secret": "argo-cd-server", "argocd-token": appProxy, "argocd-secret": "argo-cd-server",
	"argocd-redis": "hook argo-cd-redis-secret-init", "gitops-runtime-redis": "hook redis-secret-init",
}

var secretName = regexp.MustCompile(`secret "(?P<secret>[^"]+)" not found`)

func madeByUs(s symptom) bool {
	found := secretName.FindStringSubmatch(s.Message)
	return found != nil && (makers[found[1]] != "" || found[1] == runtimeToken)
}

// wentOut reports that the container's memory ran out. Once may be bad luck.
func wentOut(s symptom) bool {
	return s.Last == "OOMKilled" && (s.Restarts >= 2 || s.Object.Kind == "Job")
}

var (
	ends    = []string{crashLoop, endedBadly}
	startup = []string{"RunContainerError", "CreateContainerError", "StartError", crashLoop, endedBadly}
	wanting = []string{configError, "FailedMount"}
)

var containerCauses = []cause{
	{ID: "missing-key", Reasons: wanting, Says: []string{"couldn't find key", "non-existent secret key", "non-existent config key"},
		Named: 5 * time.Second, Fatal: true, Grace: 8 * time.Second, Alone: true,
		Finds: regexp.MustCompile(`(?:couldn't find key|secret key:|config key:) (?P<key>\S+)`),
		What:  "pod {pod} needs key {key}, which its Secret or ConfigMap does not have",
		Fix:   "Add the key, or correct its name in the answers or in your values file: `kubectl get secrets,configmaps --namespace {namespace}`."},
	{ID: "secret-awaited", Reasons: wanting, Says: []string{`secret "`}, Only: madeByUs,
		Named: 10 * time.Second, Finds: secretName,
		What: "pod {pod} waits for Secret {secret}, which another part of the runtime makes",
		Fix:  "Waiting goes on. See how that part fares: `kubectl get pods --namespace {namespace}`."},
	{ID: "missing-secret", Reasons: wanting, Says: []string{`secret "`},
		Named: 5 * time.Second, Fatal: true, Grace: 8 * time.Second, Alone: true, Finds: secretName,
		What: "pod {pod} needs Secret {secret}, which does not exist",
		Fix:  "Create it with `kubectl create secret generic {secret} --namespace {namespace} --from-literal KEY=VALUE`, or correct its name in the answers or in your values file."},
	{ID: "missing-configmap", Reasons: wanting, Says: []string{`configmap "`},
		Named: 5 * time.Second, Fatal: true, Grace: 8 * time.Second, Alone: true,
		Finds: regexp.MustCompile(`configmap "(?P<map>[^"]+)" not found`),
		What:  "pod {pod} needs ConfigMap {map}, which does not exist",
		Fix:   "Create it, or correct its name in your values file: `kubectl get configmaps --namespace {namespace}`."},
	{ID: "runs-as-root", Reasons: []string{configError}, Says: []string{"runasnonroot"},
		Named: time.Second, Fatal: true, Grace: 3 * time.Second, Field: "options.values",
		What: "{image} runs as root, and its pod forbids that",
		Fix:  "Set runAsUser, or runAsNonRoot to false, in the securityContext of {name} in a values file."},
	{ID: "wrong-architecture", Reasons: startup,
		Only: func(s symptom) bool {
			return says(s.Message+strings.Join(s.Log, " "), []string{"exec format error"})
		},
		Named: time.Second, Fatal: true, Grace: 3 * time.Second,
		What: "{image} is built for another architecture than its node's",
		Fix:  "Run it on nodes of the right one: set global.nodeSelector to kubernetes.io/arch: amd64 in a values file. See `kubectl get nodes --label-columns kubernetes.io/arch`."},
	{ID: "command-missing", Reasons: startup, Says: []string{"executable file not found", "no such file or directory: unknown"},
		Named: time.Second, Fatal: true, Grace: 3 * time.Second, Field: "options.values",
		What: "{image} has no such program as container {container} is to run",
		Fix:  "Correct the command or the image of {name} in your values file."},
	{ID: "out-of-memory", Reasons: ends, Only: wentOut,
		Named: time.Second, Fatal: true, Grace: 3 * time.Second, Field: "options.values",
		What: "container {container} of {name} needs more memory than it may have",
		Fix:  "Raise resources.limits.memory of {name} in a values file. Its limit now: `kubectl get pod {pod} --namespace {namespace} --output jsonpath='{.spec.containers[*].resources}'`."},
	{ID: "crash-loop", Reasons: []string{crashLoop},
		Named: 3 * time.Second, Fatal: true, Grace: 5 * time.Second, Restarts: 5, Alone: true, Again: true, Backoff: true,
		What: "container {container} of {name} ends again and again, with exit code {code}",
		Fix:  "Mend what its log says: `kubectl logs {pod} --container {container} --previous --namespace {namespace}`."},
	{ID: "probe-failing", Reasons: []string{probeFails},
		Named: 10 * time.Second,
		What:  "{name} runs, and does not say that it is ready",
		Fix:   "Waiting goes on. See its log: `kubectl logs {pod} --container {container} --namespace {namespace}`."},
	{ID: "evicted", Reasons: []string{"Evicted"},
		Named: 2 * time.Second,
		What:  "pod {pod} was put off its node, which runs short of something",
		Fix:   "Another is made by itself. See which node lacks what: `kubectl describe nodes`."},
	{ID: "pod-network", Reasons: []string{"FailedCreatePodSandBox"},
		Named: 5 * time.Second,
		What:  "the node cannot connect pod {pod} to the network",
		Fix:   "Look at the network plugin: `kubectl get pods --namespace kube-system`. It is tried again by itself."},
	{ID: "container-not-started", Reasons: slices.Concat(startup[:3], []string{configError, "CreateContainer", "PostStartHookError"}),
		Named: 3 * time.Second,
		What:  "container {container} of {name} cannot be started",
		Fix:   "See why with `kubectl describe pod {pod} --namespace {namespace}`. It is tried again by itself."},
}
