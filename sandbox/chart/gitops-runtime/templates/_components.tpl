{{/* secretKeyRef of the runtime's token, which app-proxy makes once the runtime is registered. */}}
{{- define "gitops-runtime.runtime-token" -}}
{valueFrom: {secretKeyRef: {name: codefresh-token, key: token}}}
{{- end }}

{{/*
The umbrella's workloads, as YAML: key names the values, shared marks an image that global.imageRegistry moves,
ca one that gets the custom CA.
*/}}
{{- define "gitops-runtime.components" -}}
{{- $argo := include "gitops-runtime.argo-cd" . | fromJson -}}
{{- $url := .Values.global.codefresh.url | quote -}}
{{- $extras := dict "CODEFRESH_URL" .Values.global.codefresh.url "CODEFRESH_EVENTS_PATH" .Values.global.codefresh.apiEventsPath "ARGOCD_SERVER" $argo.server "ARGOCD_REPO_SERVER" $argo.repoServer -}}
items:
  - name: internal-router
    key: internal-router
    ready: /readyz
    ports: [{name: http, port: 8080}]
    service: {ports: [{name: http, port: 80}]}
    mounts: [{name: config, mountPath: /etc/nginx/conf.d}]
    volumes: [{name: config, configMap: {name: internal-router-config}}]
  - name: argo-gateway
    key: argo-gateway
    shared: true
    ca: true
    args: [gateway]
    ready: /healthz
    ports: [{name: http, port: 8080}]
    service: {ports: [{name: http, port: 80}]}
    envFrom: [{configMapRef: {name: argo-gateway-cmd-params-cm}}]
    env:
      CODEFRESH_TOKEN: {{ include "gitops-runtime.runtime-token" . }}
      {{- toYaml $extras | nindent 6 }}
  {{- range $name, $port := dict "cluster-event-reporter" 8088 "runtime-event-reporter" 8087 }}
  - name: {{ $name }}
    key: {{ $name }}
    shared: true
    ca: true
    args: [{{ $name }}]
    ready: /healthz
    ports: [{name: http, port: {{ $port }}}]
    service: {ports: [{name: http, port: {{ $port }}}]}
    envFrom: [{configMapRef: {name: {{ $name }}-cmd-params-cm}}]
    env:
      CODEFRESH_TOKEN: {{ include "gitops-runtime.runtime-token" $ }}
      {{- toYaml $extras | nindent 6 }}
  {{- end }}
  {{- if index .Values "gitops-operator" "enabled" }}
  - name: gitops-operator
    key: gitops-operator
    shared: true
    ca: true
    ready: /readyz
    ports: [{name: health, port: 8081}]
    args: [--leader-elect]
    env:
      CODEFRESH_URL: {{ $url }}
      CODEFRESH_TOKEN: {{ include "gitops-runtime.runtime-token" . }}
      RUNTIME: {{ .Values.global.runtime.name | quote }}
      ARGO_CD_URL: {{ $argo.server | quote }}
      {{- if .Values.global.runtime.singleNamespace }}
      WATCH_NAMESPACE: {{ .Release.Namespace }}
      {{- end }}
  {{- end }}
  - {{- include "gitops-runtime.app-proxy" . | nindent 4 }}
{{- end }}

{{- define "gitops-runtime.app-proxy" -}}
{{- $v := index .Values "app-proxy" -}}
{{- $argo := include "gitops-runtime.argo-cd" . | fromJson -}}
{{- $ca := include "gitops-runtime.ca" . -}}
name: cap-app-proxy
key: app-proxy
ready: /api/readyz
ca: true
caPath: /app/config/codefresh-tls-certs
ports: [{name: http, port: 8080}, {name: metrics, port: 9100}]
service: {ports: [{name: http, port: 3017}, {name: metrics, port: 9100}]}
envFrom: [{configMapRef: {name: cap-app-proxy-cm}}]
env:
  CF_HOST: {{ .Values.global.codefresh.url | quote }}
  USER_TOKEN: {valueFrom: {secretKeyRef: {{ include "gitops-runtime.user-token" . }}}}
  RUNTIME_TOKEN: {valueFrom: {secretKeyRef: {name: codefresh-token, key: token, optional: true}}}
  RUNTIME_STORE_IV: {valueFrom: {secretKeyRef: {name: codefresh-token, key: encryptionIV, optional: true}}}
  ARGO_CD_URL: {{ $argo.server | quote }}
  {{- if $argo.password }}
  ARGO_CD_USERNAME: {{ $argo.username | quote }}
  ARGO_CD_PASSWORD: {valueFrom: {secretKeyRef: {{ toJson $argo.password }}}}
  {{- else }}
  ARGO_CD_TOKEN: {valueFrom: {secretKeyRef: {{ toJson $argo.token }}}}
  {{- end }}
  {{- with include "gitops-runtime.git-password" . }}
  GIT_USERNAME: {{ $.Values.global.runtime.gitCredentials.username | quote }}
  GIT_PASSWORD: {valueFrom: {secretKeyRef: {{ . }}}}
  {{- end }}
  {{- if $ca }}
  NODE_EXTRA_CA_CERTS: /app/config/all/all.cer
  {{- end }}
  {{- $ha := index .Values "redis-ha" }}
  {{- if or $ha.enabled .Values.redis.enabled }}
  REDIS_URL: {{ ternary (printf "%s-haproxy:6379" $ha.fullnameOverride) "gitops-runtime-redis:6379" (default false $ha.enabled) }}
  REDIS_PASSWORD: {valueFrom: {secretKeyRef: {name: gitops-runtime-redis, key: auth}}}
  {{- end }}
mounts:
  - {name: all-certs, mountPath: /app/config/all}
volumes:
  - {name: all-certs, emptyDir: {}}
  - {name: argocd-tls-certs, configMap: {name: argocd-tls-certs-cm, optional: true}}
init:
  - name: cap-app-proxy-init
    image: {{ include "gitops-runtime.image" (dict "image" $v.initContainer.image) | quote }}
    command: [sh, -c, "cat /app/config/*/*.crt > /app/config/all/all.cer 2>/dev/null || true"]
    resources: {requests: {cpu: 10m, memory: 32Mi}}
    volumeMounts:
      - {name: all-certs, mountPath: /app/config/all}
      - {name: argocd-tls-certs, mountPath: /app/config/argocd-tls-certs}
      {{- if $ca }}
      - {name: codefresh-tls-certs, mountPath: /app/config/codefresh-tls-certs, readOnly: true}
      {{- end }}
{{- if gt (int $v.replicaCount) 1 }}
sidecars:
  - name: leader-elector
    image: {{ include "gitops-runtime.image" (dict "image" (index $v "leader-elector" "image") "registry" .Values.global.imageRegistry) | quote }}
    args: [--election=cap-app-proxy, --election-namespace={{ .Release.Namespace }}, "--http=localhost:4040"]
    resources: {requests: {cpu: 10m, memory: 32Mi}}
{{- end }}
{{- end }}

{{/* Proxy settings, as a map. */}}
{{- define "gitops-runtime.proxy-env" -}}
{{- range $name, $key := dict "HTTP_PROXY" "httpProxy" "HTTPS_PROXY" "httpsProxy" "NO_PROXY" "noProxy" }}
{{- with index $.Values.global $key }}
{{ $name }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
