package release

import (
	"regexp"
	"time"
)

// refusals are where the API server says no: to Helm, or to a controller that
// makes pods.
var refusals = []string{fromHelm, createFails}

var webhookName = regexp.MustCompile(`webhook "(?P<webhook>[^"]+)"`)

var admissionCauses = []cause{
	{ID: "webhook-denied", Reasons: refusals, Says: []string{"denied the request"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second, Finds: webhookName,
		What: "a policy of this cluster refuses the runtime: admission webhook {webhook}",
		Fix:  "Change what its message asks for in a values file, or have whoever runs the policy exempt namespace {namespace}."},
	{ID: "webhook-unreachable", Reasons: refusals, Says: []string{"failed calling webhook"},
		Named: 2 * time.Second, Fatal: true, Grace: 40 * time.Second, Alone: true, Finds: webhookName,
		What: "admission webhook {webhook} of this cluster does not answer, so nothing can be created",
		Fix:  "Start its service again, or remove its configuration: `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations`."},
	{ID: "policy-denied", Reasons: refusals, Says: []string{"validatingadmissionpolicy"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second,
		Finds: regexp.MustCompile(`(?i)validatingadmissionpolicy '(?P<policy>[^']+)'`),
		What:  "admission policy {policy} of this cluster refuses the runtime",
		Fix:   "Change what its message asks for in a values file, or have the policy exempt namespace {namespace}."},
	{ID: "pod-security", Reasons: refusals, Says: []string{"violates podsecurity"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second, Field: "runtime.namespace",
		Finds: regexp.MustCompile(`violates PodSecurity "(?P<level>[^"]+)"`),
		What:  "namespace {namespace} enforces pod security {level}, which the runtime does not meet",
		Fix:   "Use a namespace of its own, or lower the level: `kubectl label namespace {namespace} pod-security.kubernetes.io/enforce=privileged --overwrite`."},
	{ID: "security-context-constraints", Reasons: refusals, Says: []string{"security context constraint"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second,
		What: "OpenShift's security context constraints refuse the pods of {name}",
		Fix:  "Set the values that the chart has for OpenShift, or grant one: `oc adm policy add-scc-to-group anyuid system:serviceaccounts:{namespace}`."},
	{ID: "quota-needs-requests", Reasons: refusals, Says: []string{"failed quota"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second, Field: "runtime.namespace",
		Finds: regexp.MustCompile(`failed quota: (?P<quota>[^:]+): (?P<needs>[^;]+)`),
		What:  "quota {quota} of namespace {namespace} wants every pod to say what it needs",
		Fix:   "Give the namespace a LimitRange with defaults, or the pods their resources in a values file: {needs}."},
	{ID: "quota-exceeded", Reasons: refusals, Says: []string{"exceeded quota"},
		Named: time.Second, Fatal: true, Grace: 10 * time.Second, Alone: true, Field: "runtime.namespace",
		Finds: regexp.MustCompile(`exceeded quota: (?P<quota>[^,]+), (?P<numbers>.*)`),
		What:  "namespace {namespace} has no room left in its quota {quota}",
		Fix:   "Raise it with `kubectl edit resourcequota {quota} --namespace {namespace}`, or use another namespace."},
	{ID: "limit-range", Reasons: refusals, Says: []string{"usage per container", "usage per pod", "limit to request ratio per", "must be less than or equal to cpu limit", "must be less than or equal to memory limit"},
		Named: time.Second, Fatal: true, Grace: 2 * time.Second, Field: "options.values",
		Finds: regexp.MustCompile(`(?P<rule>(?:maximum|minimum|[a-z-]+ max limit to request ratio|must be less than or equal to)[^,\]]*)`),
		What:  "a limit range of namespace {namespace} refuses the pods of {name}: {rule}",
		Fix:   "Set the resources in a values file, or change it: `kubectl describe limitrange --namespace {namespace}`."},
	{ID: "service-account-missing", Reasons: []string{createFails}, Says: []string{"error looking up service account"},
		Named: 2 * time.Second, Fatal: true, Grace: 8 * time.Second, Alone: true,
		Finds: regexp.MustCompile(`serviceaccount "(?P<account>[^"]+)" not found`),
		What:  "the pods of {name} need service account {account}, which does not exist",
		Fix:   "Create it with `kubectl create serviceaccount {account} --namespace {namespace}`, or let the chart make it."},
	{ID: "pods-refused", Reasons: []string{createFails},
		Named: 3 * time.Second,
		What:  "the pods of {name} cannot be made",
		Fix:   "Mend what the API server says; it is tried again by itself."},
}
