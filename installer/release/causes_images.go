package release

import "time"

// pullAgain lets the kubelet try a second time, ten to fifteen seconds after
// the first. Where its events are heard, two failures are enough.
const pullAgain = 20 * time.Second

var pulls = []string{"ErrImagePull", "ImagePullBackOff", "RegistryUnavailable"}

var imageCauses = []cause{
	{ID: "image-name-invalid", Reasons: []string{"InvalidImageName"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second, Field: "images.registry",
		What: "{image} is not the name of an image",
		Fix:  "Correct images.registry, or the image in your values file."},
	{ID: "image-never-pulled", Reasons: []string{"ErrImageNeverPull"},
		Named: time.Second, Fatal: true, Grace: 5 * time.Second, Field: "options.values",
		What: "the image {image} is not on the node, and its pull policy is Never",
		Fix:  "Set the pull policy to IfNotPresent in your values file, or load the image onto the nodes."},
	{ID: "image-certificate", Reasons: pulls, Says: []string{"x509:", "certificate signed by unknown authority", "certificate has expired"},
		Named: 2 * time.Second, Fatal: true, Grace: pullAgain, Backoff: true, Field: "images.registry",
		What: "the nodes do not trust the certificate of the registry {registry}",
		Fix:  "Give the nodes' container runtime the registry's CA, or renew the certificate. Look with `kubectl describe pod {pod} --namespace {namespace}`."},
	{ID: "image-rate-limited", Reasons: pulls, Says: []string{"toomanyrequests", "429 too many requests", "rate limit"},
		Named: 2 * time.Second, Backoff: true, Field: "images.registry",
		What: "the registry {registry} limits how often images are pulled",
		Fix:  "It is tried again and again. Use a pull secret with an account of its own, or a mirror: `cfwizard images --registry MIRROR -o values`."},
	{ID: "image-wrong-architecture", Reasons: pulls, Says: []string{"no match for platform", "no matching manifest for"},
		Named: 2 * time.Second, Fatal: true, Grace: pullAgain, Backoff: true,
		What: "the image {image} does not exist for the nodes' architecture",
		Fix:  "Run it on nodes of another architecture: set global.nodeSelector to kubernetes.io/arch: amd64 in a values file. See `kubectl get nodes --label-columns kubernetes.io/arch`."},
	{ID: "image-unauthorized", Reasons: pulls,
		Says:  []string{"401 unauthorized", "unauthorized:", "403 forbidden", "pull access denied", "access to the resource is denied", "no basic auth credentials", "authorization failed", "authentication required"},
		Named: 2 * time.Second, Fatal: true, Grace: pullAgain, Backoff: true, Field: "images.pullSecret",
		What: "the registry {registry} refuses to give out {image}",
		Fix:  "Create a pull secret: `kubectl create secret docker-registry regcred --namespace {namespace} --docker-server {registry} --docker-username USER --docker-password PASSWORD`, and set images.pullSecret to regcred."},
	{ID: "node-disk-full", Reasons: pulls, Says: []string{"no space left on device"},
		Named: 2 * time.Second, Backoff: true,
		What: "a node has no room left for the image {image}",
		Fix:  "Free or add disk space on the node of pod {pod}: `kubectl get pod {pod} --namespace {namespace} --output wide`."},
	{ID: "image-registry-unreachable", Reasons: pulls,
		Says:  []string{"no such host", "i/o timeout", "connection refused", "connection reset", "tls handshake timeout", "deadline exceeded", "proxyconnect", "server misbehaving", "no route to host", "502 bad gateway", "503 service unavailable", "500 internal server error"},
		Named: 2 * time.Second, Backoff: true, Field: "images.registry",
		What: "the nodes cannot reach the registry {registry}",
		Fix:  "Let the nodes out to {registry}, or use a mirror: `cfwizard images --registry MIRROR -o values`. It is tried again and again."},
	{ID: "image-not-found", Reasons: pulls, Says: []string{"not found", "manifest unknown", "name unknown", "does not exist"},
		Named: 2 * time.Second, Fatal: true, Grace: pullAgain, Backoff: true, Field: "images.registry",
		What: "there is no image {image}",
		Fix:  "Copy it to the registry, or correct images.registry or the tag in your values file. `cfwizard images` lists what the chart needs."},
	{ID: "image-pull-failed", Reasons: pulls,
		Named: 3 * time.Second, Backoff: true,
		What: "the image {image} could not be pulled",
		Fix:  "It is tried again and again. See why with `kubectl describe pod {pod} --namespace {namespace}`."},
}
