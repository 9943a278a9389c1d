{{- define "argo-cd.fullname" -}}
{{ .Values.fullnameOverride | default (printf "%s-argo-cd" .Release.Name) }}
{{- end }}

{{/* Argo CD's workloads, as YAML: part completes the name, key names the values. */}}
{{- define "argo-cd.components" -}}
{{- $auth := "{name: REDIS_PASSWORD, valueFrom: {secretKeyRef: {name: argocd-redis, key: auth}}}" -}}
items:
  - part: application-controller
    key: controller
    kind: StatefulSet
    args: [/usr/local/bin/argocd-application-controller]
    env: [{{ $auth }}]
    ports: [{name: metrics, port: 8082}]
    role: true
    clusterRole: true
  - part: applicationset-controller
    key: applicationSet
    args: [/usr/local/bin/argocd-applicationset-controller]
    ports: [{name: webhook, port: 7000}]
    service: {ports: [{name: webhook, port: 7000}]}
    role: true
  - part: repo-server
    key: repoServer
    args: [/usr/local/bin/argocd-repo-server]
    env: [{{ $auth }}]
    ports: [{name: repo-server, port: 8081}]
    service: {ports: [{name: repo-server, port: 8081}]}
    role: true
  - part: server
    key: server
    args: [/usr/local/bin/argocd-server]
    env: [{{ $auth }}]
    ready: /healthz
    ports: [{name: server, port: 8080}]
    service: {ports: [{name: http, port: 80, target: server}, {name: https, port: 443, target: server}]}
    role: true
    clusterRole: true
  {{- if .Values.dex.enabled }}
  - part: dex-server
    key: dex
    args: [rundex]
    ports: [{name: http, port: 5556}, {name: grpc, port: 5557}]
    service: {ports: [{name: http, port: 5556}, {name: grpc, port: 5557}]}
    role: true
    copyutil: true
  {{- end }}
  {{- $ha := index .Values "redis-ha" }}
  {{- if $ha.enabled }}
  - part: redis-ha-server
    key: redis-ha
    kind: StatefulSet
    args: [redis-server]
    env: [{{ $auth }}]
    ports: [{name: redis, port: 6379}, {name: sentinel, port: 26379}]
    service: {headless: true, ports: [{name: redis, port: 6379}, {name: sentinel, port: 26379}]}
  - part: redis-ha-haproxy
    key: redis-ha
    sub: haproxy
    env: [{{ $auth }}]
    ports: [{name: redis, port: 6379}]
    service: {ports: [{name: redis, port: 6379}]}
  {{- else if .Values.redis.enabled }}
  - part: redis
    key: redis
    args: [--save, "", --appendonly, "no", --requirepass, $(REDIS_PASSWORD)]
    env: [{{ $auth }}]
    ports: [{name: redis, port: 6379}]
    service: {ports: [{name: redis, port: 6379}]}
  {{- end }}
{{- end }}

{{/* Labels. Takes ctx and component. */}}
{{- define "argo-cd.labels" -}}
app.kubernetes.io/part-of: argocd
app.kubernetes.io/managed-by: {{ .ctx.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .ctx.Chart.Name .ctx.Chart.Version }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Image of a component, else the global one. Takes ctx and image. */}}
{{- define "argo-cd.image" -}}
{{- $image := merge (deepCopy (.image | default dict)) (pick .ctx.Values.global.image "repository" "tag") -}}
{{ include "gitops-runtime.image" (dict "image" $image "tag" .ctx.Chart.AppVersion) }}
{{- end }}
