{{/* URL at which the runtime is reached; ingress, then httpRoute, tunnel, ingressUrl. */}}
{{- define "codefresh-gitops-runtime.ingress-url" -}}
{{- if .Values.global.runtime.ingress.enabled -}}
{{- include "gitops-runtime.protocol" (dict "protocol" .Values.global.runtime.ingress.protocol "what" "ingress") -}}
{{- printf "%s://%s" .Values.global.runtime.ingress.protocol (index .Values.global.runtime.ingress.hosts 0) -}}
{{- else if .Values.global.runtime.httpRoute.enabled -}}
{{- include "gitops-runtime.protocol" (dict "protocol" .Values.global.runtime.httpRoute.protocol "what" "httpRoute") -}}
{{- printf "%s://%s" .Values.global.runtime.httpRoute.protocol (index .Values.global.runtime.httpRoute.hostnames 0) -}}
{{- else if (index .Values "tunnel-client" "enabled") -}}
{{- $name := required "global.runtime.name is required for tunnel based runtime" .Values.global.runtime.name -}}
{{- $account := required "global.codefresh.accountId is required for tunnel based runtime" .Values.global.codefresh.accountId -}}
{{- printf "https://%s-%s.%s" $account $name (index .Values "tunnel-client" "tunnelServer" "subdomainHost") -}}
{{- else if not .Values.global.runtime.ingressUrl -}}
{{- fail "ERROR: When global.runtime.ingress.enabled and global.runtime.httpRoute.enabled are false and tunnel-client.enabled is false -  global.runtime.ingressUrl must be provided" -}}
{{- else if not (hasPrefix "http" .Values.global.runtime.ingressUrl) -}}
{{- fail "ERROR: Only http and https are supported for global.runtime.ingressUrl" -}}
{{- else -}}
{{- .Values.global.runtime.ingressUrl -}}
{{- end -}}
{{- end }}

{{- define "gitops-runtime.protocol" -}}
{{- if not (has .protocol (list "http" "https")) -}}
{{- fail (printf "ERROR: Unsupported protocol %v for %s. Only http and https supported" .protocol .what) -}}
{{- end -}}
{{- end }}

{{/* Yes when the tunnel is the access mode. */}}
{{- define "gitops-runtime.tunnelled" -}}
{{- if and (index .Values "tunnel-client" "enabled") (not .Values.global.runtime.ingress.enabled) (not .Values.global.runtime.httpRoute.enabled) -}}
yes
{{- end -}}
{{- end }}

{{/* Public paths, as YAML. */}}
{{- define "gitops-runtime.paths" -}}
paths:
  - /webhooks
  {{- if index .Values "argo-workflows" "enabled" }}
  - /workflows
  {{- end }}
  - /app-proxy
{{- end }}

{{/* Refusals, in a fixed order. Prints nothing. */}}
{{- define "gitops-runtime.validate" -}}
{{- $_ := include "gitops-runtime.user-token" . -}}
{{- if and .Values.global.runtime.codefreshHosted (not .Values.global.codefresh.accountId) -}}
{{- fail "global.codefresh.accountId must be provided for hosted runtimes" -}}
{{- end -}}
{{- if and (not .Values.global.runtime.name) (not (include "gitops-runtime.tunnelled" .)) -}}
{{- fail "global.runtime.name is required" -}}
{{- end -}}
{{- $_ := include "codefresh-gitops-runtime.ingress-url" . -}}
{{- $route := .Values.global.runtime.httpRoute -}}
{{- if and $route.enabled (not $route.parentRefs) -}}
{{- fail "ERROR: global.runtime.httpRoute.parentRefs is required when httpRoute is enabled" -}}
{{- end -}}
{{- if and $route.enabled (not $route.hostnames) -}}
{{- fail "ERROR: global.runtime.httpRoute.hostnames is required when httpRoute is enabled" -}}
{{- end -}}
{{- if and .Values.codefreshWorkflowLogStoreCM.enabled (not .Values.global.codefresh.accountId) -}}
{{- fail "global.codefresh.accountId is required if codefreshWorkflowLogStoreCM is enabled" -}}
{{- end -}}
{{- $proxy := index .Values "app-proxy" -}}
{{- if and (index $proxy "image-enrichment" "enabled") (not (index .Values "argo-workflows" "enabled")) -}}
{{- fail "ERROR: app-proxy.image-enrichment is enabled but argo-workflows is disabled. This is not suppurted. Either disable erichment or enable workflows" -}}
{{- end -}}
{{- if and (gt (int $proxy.replicaCount) 1) (not .Values.redis.enabled) (not (index .Values "redis-ha" "enabled")) -}}
{{- fail ".Values.redis.enabled or .Values.redis-ha.enabled must be true when .Values.app-proxy.replicaCount > 1" -}}
{{- end -}}
{{- $_ := include "gitops-runtime.git-password" . -}}
{{- $_ := include "gitops-runtime.argo-cd" . -}}
{{- end }}
