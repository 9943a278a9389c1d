package scenario

import (
	"maps"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/kubelet"
)

// at is a fault of one container.
func at(container string, o kubelet.Outcome) map[string]kubelet.Outcome {
	return map[string]kubelet.Outcome{container: o}
}

// waits is a container that the kubelet cannot start.
func waits(reason, message string) kubelet.Outcome {
	return kubelet.Outcome{Name: "waiting", Reason: reason, Message: message}
}

const proxyImage = "quay.io/codefresh/cap-app-proxy:1.4124.0"

// pullFails is an image that cannot be pulled, in containerd's words.
func pullFails(why string) kubelet.Outcome {
	message := `Back-off pulling image "` + proxyImage + `": ErrImagePull: failed to pull and unpack image "` + proxyImage + `": ` + why
	o := waits("ImagePullBackOff", message)
	for _, after := range []time.Duration{0, 10 * time.Second} {
		o.Events = append(o.Events,
			kubelet.Happening{Type: "Normal", Reason: "Pulling", Message: `Pulling image "` + proxyImage + `"`, After: after},
			kubelet.Happening{Type: "Warning", Reason: "Failed", Message: `Failed to pull image "` + proxyImage + `": ` + why, After: after + after/20})
	}
	return o
}

// cannotMount is a pod that has a node, and a volume that is not there.
func cannotMount(why string) kubelet.Outcome {
	o := waits("ContainerCreating", "")
	o.Events = []kubelet.Happening{{Type: "Warning", Reason: "FailedMount", Message: why}}
	return o
}

// faults are the ways in which containers fail, one for each cause that an
// installer should name.
var faults = map[string]Scenario{
	"image-unauthorized": {Meaning: "the registry wants credentials", Faults: at("cap-app-proxy",
		pullFails(`failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://quay.io/v2/auth: 401 Unauthorized`))},
	"image-rate-limited": {Meaning: "the registry has had enough", Faults: at("cap-app-proxy",
		pullFails(`failed to copy: httpReadSeeker: failed open: unexpected status code: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit`))},
	"image-architecture": {Meaning: "the image is not built for the nodes", Faults: at("cap-app-proxy",
		pullFails(`no match for platform in manifest: not found`))},
	"image-registry-gone": {Meaning: "the nodes do not reach the registry", Faults: at("cap-app-proxy",
		pullFails(`failed to do request: Head "https://quay.io/v2/": dial tcp: lookup quay.io on 10.96.0.10:53: no such host`))},
	"image-certificate": {Meaning: "the nodes do not trust the registry", Faults: at("cap-app-proxy",
		pullFails(`failed to do request: Head "https://quay.io/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority`))},
	"image-name": {Meaning: "the name of an image is not one", Faults: at("cap-app-proxy",
		waits("InvalidImageName", `Failed to apply default image tag "quay.io/UPPER": couldn't parse image name "quay.io/UPPER": invalid reference format: repository name must be lowercase`))},
	"image-second-try": {Meaning: "an image is pulled at the second try", Faults: at("cap-app-proxy",
		lasting(pulledAgain(pullFails(`failed to resolve reference: unexpected status from HEAD request: 404 Not Found: not found`)), 14*time.Second))},
	"hook-image": {Meaning: "the image of the validation hook does not exist", Faults: at("validate-values",
		waits("ImagePullBackOff", `Back-off pulling image "quay.io/codefresh/gitops-runtime-installer:0.29.22": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image: not found`))},

	"out-of-memory": {Meaning: "gitops-operator needs more memory than it may have", Faults: at("gitops-operator",
		kubelet.Outcome{Name: "crashed", Reason: "OOMKilled", ExitCode: "137", Log: []string{"starting gitops-operator", "reading the cluster"}})},
	"exec-format": {Meaning: "gitops-operator is built for another architecture", Faults: at("gitops-operator",
		kubelet.Outcome{Name: "crashed", Reason: "Error", ExitCode: "255", Log: []string{"exec /gitops-operator: exec format error"}})},
	"command-missing": {Meaning: "gitops-operator's image lacks its program", Faults: at("gitops-operator",
		kubelet.Outcome{Name: "waiting", Reason: "RunContainerError", Message: `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/gitops-operator": executable file not found in $PATH: unknown`})},
	"runs-as-root": {Meaning: "gitops-operator runs as root and may not", Faults: at("gitops-operator",
		waits("CreateContainerConfigError", `container has runAsNonRoot and image will run as root (pod: "gitops-operator", container: gitops-operator)`))},
	"probe-fails": {Meaning: "gitops-operator runs and never gets ready", Faults: at("gitops-operator",
		kubelet.Outcome{Name: "unready", Log: []string{"starting gitops-operator", "waiting for the leader's lease"},
			Events: []kubelet.Happening{{Type: "Warning", Reason: "Unhealthy", Message: "Readiness probe failed: HTTP probe failed with statuscode: 503"}}})},
	"secret-missing": {Meaning: "internal-router needs a Secret that nobody makes", Faults: at("internal-router",
		waits("CreateContainerConfigError", `secret "router-certificate" not found`))},
	"configmap-missing": {Meaning: "internal-router needs a ConfigMap that nobody makes", Faults: at("internal-router",
		cannotMount(`MountVolume.SetUp failed for volume "config" : configmap "router-rules" not found`))},
	"key-missing": {Meaning: "internal-router needs a key that its Secret lacks", Faults: at("internal-router",
		waits("CreateContainerConfigError", `couldn't find key tls.key in Secret codefresh/router-certificate`))},
	"network-plugin": {Meaning: "internal-router gets no network", Faults: at("internal-router",
		kubelet.Outcome{Name: "waiting", Reason: "ContainerCreating", Events: []kubelet.Happening{{Type: "Warning", Reason: "FailedCreatePodSandBox",
			Message: `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox: plugin type="calico" failed (add): connection is unauthorized`}}})},
	"secret-later": {Meaning: "internal-router's Secret comes when another pod has made it", Faults: at("internal-router",
		lasting(waits("CreateContainerConfigError", `secret "router-certificate" not found`), 6*time.Second))},
	"three-minutes": {Meaning: "cap-app-proxy needs three minutes", Faults: at("cap-app-proxy",
		kubelet.Outcome{Name: "unready", For: 3 * time.Minute, Log: []string{"starting"}})},
	"one-slow-pod": {Meaning: "cap-app-proxy needs 25 s, and others wait for what it makes", Faults: at("cap-app-proxy",
		kubelet.Outcome{Name: "unready", For: 25 * time.Second, Log: []string{"starting"},
			Events: []kubelet.Happening{{Type: "Warning", Reason: "Unhealthy", Message: "Readiness probe failed: connection refused"}}})},

	"hook-fails": {Meaning: "a hook fails for a reason of its own", Faults: at("redis-secret-init",
		kubelet.Outcome{Name: "failed", Log: []string{"creating the secret", "error: the server rejected our request"}})},
	"delete-hook-fails": {Meaning: "the hook that tells Codefresh of an uninstall fails", Faults: at("delete-runtime-from-platform",
		kubelet.Outcome{Name: "failed", Log: []string{"starting", "error: connect ECONNREFUSED"}})},
	"hook-hangs": {Meaning: "a hook never ends", Faults: at("validate-usage",
		kubelet.Outcome{Name: "unready", Log: []string{"asking Codefresh", "still asking"}})},
	"hook-slow": {Meaning: "a hook needs 8 s and tells what it does", Faults: at("validate-values",
		kubelet.Outcome{Name: "unready", For: 8 * time.Second, Log: []string{"first line", "second line"}})},

	"egress-blocked": {Meaning: "app-proxy does not reach Codefresh", Faults: at("cap-app-proxy",
		unregistered(`error: registering the runtime: request to https://g.codefresh.io/2.0/api/graphql failed, reason: getaddrinfo ENOTFOUND g.codefresh.io`))},
	"key-refused": {Meaning: "Codefresh refuses app-proxy's key", Faults: at("cap-app-proxy",
		unregistered(`error: registering the runtime: Request failed with status code 401: Unauthorized`))},
	"account-refuses": {Meaning: "the account takes no more runtimes", Faults: at("cap-app-proxy",
		unregistered(`error: registering the runtime: clusters limit reached: usage=3, limit=3`))},
}

// lasting makes a fault pass after a while.
func lasting(o kubelet.Outcome, d time.Duration) kubelet.Outcome {
	o.For = d
	return o
}

// pulledAgain is a pull whose second try does not fail.
func pulledAgain(o kubelet.Outcome) kubelet.Outcome {
	o.Events = o.Events[:len(o.Events)-1]
	return o
}

// unregistered is an app-proxy that runs and could not register.
func unregistered(why string) kubelet.Outcome {
	return kubelet.Outcome{Name: "ready", Idle: true, Message: why, Log: []string{"info: starting app-proxy", why}}
}

func init() { maps.Copy(All, faults) }
