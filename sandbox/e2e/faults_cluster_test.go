package e2e

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"
)

func indent(spec string) string { return strings.ReplaceAll("  "+spec, "\n  ", "\n    ") }

// clusterFaults are made of the API server's own refusals.
var clusterFaults = []fault{
	{name: "quota exceeded", setup: func(r *faultRun) { r.apply(quota("pods: 4")) }, shows: "exceeded quota", cause: "quota-exceeded", exit: 5},
	{name: "quota wants limits", setup: func(r *faultRun) { r.apply(quota("limits.cpu: 8")) }, shows: "failed quota", cause: "quota-needs-requests", exit: 5},
	{name: "limit range", setup: func(r *faultRun) { r.apply(limitRange) }, shows: "memory limit of 8Mi", cause: "limit-range", exit: 5},
	{name: "pod security", setup: func(r *faultRun) { r.apply(restricted) }, shows: "violates PodSecurity", cause: "pod-security", exit: 5},
	{name: "webhook denies pods", setup: func(r *faultRun) { r.apply(webhook(denying(r), "pods")) }, shows: "denied the request", cause: "webhook-denied", exit: 5},
	{name: "webhook denies Services", setup: func(r *faultRun) { r.apply(webhook(denying(r), "services")) }, cause: "webhook-denied", exit: 5},
	{name: "webhook out of reach", setup: func(r *faultRun) { r.apply(webhook(`url: "https://127.0.0.1:1/"`, "pods")) }, shows: "failed calling webhook", cause: "webhook-unreachable", exit: 5},
	{name: "policy denies", setup: func(r *faultRun) { r.apply(policy) }, shows: "ValidatingAdmissionPolicy", cause: "policy-denied", exit: 5},
	{name: "CRD of another release", crds: true, setup: func(r *faultRun) { r.apply(foreignCRD) }, cause: "crd-owned-by-another", exit: 5},
	{name: "Service of another release", setup: func(r *faultRun) { r.apply(foreignService) }, cause: "owned-by-another", exit: 5},
	{name: "no rights at all", scenarios: []string{"no-rights"}, cause: "forbidden", exit: 5},
	{name: "rights for the namespace only", scenarios: []string{"read-only"}, setup: func(r *faultRun) { r.apply(namespaceAdmin) }, cause: "forbidden", exit: 5},
	{name: "rights to write, not to grant", scenarios: []string{"read-only"}, setup: func(r *faultRun) { r.apply(writer) }, cause: "rbac-escalation", exit: 5},
	{name: "Gateway API missing", extra: "access: {mode: gateway, gateway: {parent: infra/public, host: runtime.example.com}}\n", cause: "kind-unknown", exit: 5},
	{name: "namespace deleted meanwhile", scenarios: []string{"never-ready"}, setup: func(r *faultRun) { r.apply(kept) },
		during: func(r *faultRun) { r.run("kubectl", "delete", "namespace", r.namespace, "--wait=false") }, shows: "Namespace Terminating", cause: "namespace-terminating", exit: 5},
	{name: "Deployment deleted meanwhile", scenarios: []string{"never-ready"},
		during: func(r *faultRun) {
			r.run("kubectl", "delete", "deployment", "internal-router", "--namespace", r.namespace)
		}, cause: "object-deleted", exit: 5},
	{name: "API server gone", scenarios: []string{"never-ready"}, config: func(r *faultRun) string { return r.proxied(time.Hour) }, cause: "cluster-unreachable"},
}

func quota(hard string) string {
	return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: small, namespace: NAMESPACE}\nspec: {hard: {" + hard + "}}\n"
}

const limitRange = `apiVersion: v1
kind: LimitRange
metadata: {name: small, namespace: NAMESPACE}
spec: {limits: [{type: Container, max: {memory: 8Mi}}]}
`

const restricted = `apiVersion: v1
kind: Namespace
metadata: {name: NAMESPACE, labels: {pod-security.kubernetes.io/enforce: restricted}}
`

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: every pod needs a team}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}}}
`

const foreignService = `apiVersion: v1
kind: Service
metadata: {name: argo-server, namespace: NAMESPACE}
spec: {ports: [{port: 80}]}
`

const namespaceAdmin = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader-admin, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "sandbox:readers"}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: namespaces}
rules: [{apiGroups: [""], resources: [namespaces], verbs: [create, get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers-namespaces}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: namespaces}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "sandbox:readers"}]
`

const writer = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: writer}
rules: [{apiGroups: ["", apps, batch, policy, autoscaling, rbac.authorization.k8s.io], resources: ["*"], verbs: [create, get, list, watch, patch, update, delete]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers-writer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: writer}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "sandbox:readers"}]
`

// kept keeps the namespace from going away at once.
const kept = `apiVersion: v1
kind: ConfigMap
metadata: {name: kept, namespace: NAMESPACE, finalizers: [example.com/kept]}
`

// webhook is asked about everything of a resource in the fault's namespace.
func webhook(client, resource string) string {
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: strict}
webhooks:
- name: strict.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 2
  clientConfig: {` + client + `}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [` + resource + `]}]
`
}

// denying is a webhook server that refuses everything.
func denying(r *faultRun) string {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, call *http.Request) {
		var review struct {
			Request struct {
				UID string `json:"uid"`
			} `json:"request"`
		}
		_ = json.NewDecoder(call.Body).Decode(&review)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":%q,"allowed":false,"status":{"message":"images must be signed"}}}`, review.Request.UID)
	}))
	r.undo = append(r.undo, server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return fmt.Sprintf("url: %q, caBundle: %s", server.URL, base64.StdEncoding.EncodeToString(authority))
}

// proxied leads to the API server through a proxy that drops every call for a
// while when the wait has begun.
func (r *faultRun) proxied(away time.Duration) string {
	var until atomic.Int64
	r.during = func(*faultRun) { until.Store(time.Now().Add(away).UnixNano()) }
	return r.faulty("away-"+r.namespace, func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		return time.Now().UnixNano() < until.Load() && drop(w)
	})
}
