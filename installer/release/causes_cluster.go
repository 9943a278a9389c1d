package release

import (
	"regexp"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

var clusterCauses = []cause{
	{ID: "namespace-terminating", Reasons: []string{terminating},
		Named: time.Second, Fatal: true, Grace: time.Second, Field: "runtime.namespace",
		What: "namespace {namespace} is being deleted",
		Fix:  "Wait until it is gone with `kubectl wait --for=delete namespace/{namespace}`, or use another."},
	{ID: "namespace-terminating", Reasons: refusals, Says: []string{"because it is being terminated"},
		Named: time.Second, Fatal: true, Grace: time.Second, Field: "runtime.namespace",
		What: "namespace {namespace} is being deleted",
		Fix:  "Wait until it is gone with `kubectl wait --for=delete namespace/{namespace}`, or use another."},
	{ID: "namespace-missing", Reasons: []string{fromHelm}, Says: []string{`namespaces "`}, Only: func(s symptom) bool { return says(s.Message, []string{"not found"}) },
		Field: "runtime.namespace",
		What:  "namespace {namespace} was removed while the runtime was being installed",
		Fix:   "Find out who removed it, and run `{again}`."},
	{ID: "rbac-escalation", Reasons: []string{fromHelm}, Says: []string{"attempting to grant rbac permissions not currently held"},
		What: "you may not create roles with more rights than your own, and the runtime needs such roles",
		Fix:  "Ask for cluster-admin: `kubectl create clusterrolebinding NAME --clusterrole cluster-admin --user USER`, or use another context."},
	{ID: "forbidden", Reasons: []string{fromHelm}, Says: []string{"is forbidden: user", "cannot create resource", "cannot get resource", "cannot patch resource", "cannot delete resource", "cannot list resource"},
		Finds: regexp.MustCompile(`(?P<can>cannot [a-z]+ resource "[^"]+")`), Field: "cluster.context",
		What: "you lack rights that the installation needs: your user {can}",
		Fix:  "Ask for cluster-admin, or use a context that has it: --context NAME."},
	{ID: "cluster-unauthorized", Reasons: []string{fromHelm, noAnswer}, Says: []string{"unauthorized", "has asked for the client to provide credentials"},
		Kind: problem.Unreachable, Field: "cluster.context",
		What: "the cluster does not know you any more",
		Fix:  "Log in again, as you would for kubectl, check with `kubectl auth whoami`, and run `{again}`."},
	{ID: "certificate-expired", Reasons: []string{fromHelm, noAnswer}, Says: []string{"certificate has expired or is not yet valid"},
		Kind: problem.Unreachable, Field: "cluster.context",
		What: "the certificate of the cluster, or yours, has expired",
		Fix:  "Renew it, look at this machine's clock, and run `{again}`. Your own is in `kubectl config view --raw`."},
	{ID: "certificate-untrusted", Reasons: []string{fromHelm, noAnswer}, Says: []string{"x509:"},
		Kind: problem.Unreachable, Field: "cluster.context",
		What: "the certificate of the cluster is not to be trusted",
		Fix:  "Get a new kubeconfig for this cluster: its CA has changed, or something stands in between."},
	{ID: "cluster-unreachable", Reasons: []string{fromHelm, noAnswer},
		Only: func(s symptom) bool { return s.Reason == noAnswer || says(s.Message, gone) },
		Kind: problem.Unreachable, Field: "cluster.context",
		What: "the cluster's API server does not answer",
		Fix:  "Check it with `kubectl version`; when it is back, run `{again}`."},
	{ID: "etcd-full", Reasons: refusals, Says: []string{"database space exceeded"},
		What: "the cluster's etcd is full, so nothing can be written",
		Fix:  "Have the cluster's operator compact and defragment etcd, and run `{again}`."},
	{ID: "object-too-large", Reasons: []string{fromHelm}, Says: []string{"request is too large", "must have at most 1048576", "request entity too large", "trying to send message larger"},
		Field: "options.values",
		What:  "the release does not fit into one object of the cluster",
		Fix:   "Make your values files smaller: Helm keeps them, the chart and all manifests in one Secret of at most 1 MiB."},
	{ID: "kind-unknown", Reasons: []string{fromHelm}, Says: []string{"no matches for kind", "ensure crds are installed first"},
		Finds: regexp.MustCompile(`no matches for kind "(?P<unknown>[^"]+)" in version "(?P<version>[^"]+)"`), Field: "access.mode",
		What: "the cluster does not know the kind {unknown} of {version}",
		Fix:  "Install the CRDs that define it, such as those of the Gateway API for HTTPRoute, or choose another access mode."},
	{ID: "field-immutable", Reasons: []string{fromHelm}, Says: []string{"field is immutable", "updates to statefulset spec for fields other than"},
		What: "an object cannot be changed in the way that the chart wants",
		Fix:  "Remove the object that the message names, with `kubectl delete`, and run `{again}`: it is made anew."},
	{ID: "object-invalid", Reasons: refusals, Says: []string{" is invalid: ", "error validating data", "unknown field"},
		Field: "options.values",
		What:  "the API server refuses an object of the chart",
		Fix:   "Correct the value that the message names in your values file."},
	{ID: "object-deleted", Reasons: []string{fromHelm}, Says: []string{`" not found`},
		Only:  func(s symptom) bool { return deletedObject.MatchString(s.Message) },
		Finds: deletedObject,
		What:  "{found} was deleted while it was waited for",
		Fix:   "Find out who deleted it, such as a GitOps tool that owns the namespace, and run `{again}`."},
}

// gone is what network calls say when nobody answers.
var gone = []string{"connection refused", "no route to host", "network is unreachable", "i/o timeout", "connection reset by peer", "tls handshake timeout",
	"no such host", "unexpected eof", ": eof", "client connection lost", "http2: server sent goaway", "client.timeout exceeded", "cluster unreachable",
	"broken pipe", "the server is currently unable to handle the request", "apiserver is shutting down"}

var deletedObject = regexp.MustCompile(`(?P<found>(?:deployments\.apps|statefulsets\.apps|daemonsets\.apps|services|persistentvolumeclaims|pods|jobs\.batch|customresourcedefinitions\.\S+) "[^"]+") not found`)
