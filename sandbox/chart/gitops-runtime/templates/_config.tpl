{{/* What the runtime is made of, as a YAML list. */}}
{{- define "gitops-runtime.component-versions" -}}
{{- if index .Values "argo-cd" "enabled" }}
- name: argocd
  version: {{ (index .Subcharts "argo-cd").Chart.AppVersion }}
{{- end }}
{{- if index .Values "argo-workflows" "enabled" }}
- name: argo-workflows
  version: {{ (index .Subcharts "argo-workflows").Chart.AppVersion }}
{{- end }}
{{- if index .Values "sealed-secrets" "enabled" }}
- name: sealed-secrets
  version: {{ (index .Subcharts "sealed-secrets").Chart.AppVersion }}
{{- end }}
- name: app-proxy
  version: {{ index .Values "app-proxy" "image" "tag" }}
- name: internal-router
  version: {{ index .Values "internal-router" "image" "tag" }}
{{- if index .Values "gitops-operator" "enabled" }}
- name: codefresh-gitops-operator
  version: {{ index .Values "gitops-operator" "image" "tag" }}
{{- end }}
{{- if and (index .Values "tunnel-client" "enabled") (not .Values.global.runtime.ingress.enabled) }}
- name: codefresh-tunnel-client
  version: {{ (index .Subcharts "tunnel-client").Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* Configuration of the internal router. */}}
{{- define "gitops-runtime.nginx" -}}
{{- $v := index .Values "internal-router" -}}
map $http_upgrade $conn { default upgrade; '' close; }
server {
  listen 8080;
  resolver {{ $v.resolver | default (printf "%s.%s.svc.%s" $v.dnsService $v.dnsNamespace $v.clusterDomain) }};
  proxy_http_version 1.1;
  location = /healthz { return 200 'ok'; }
  location = /readyz { return 200 'ok'; }
  location /app-proxy {
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $conn;
    proxy_pass http://cap-app-proxy:3017;
  }
  {{- if index .Values "argo-workflows" "enabled" }}
  location /workflows/ { proxy_pass http://argo-server:2746; }
  {{- end }}
  location ~ ^/webhooks/([^/]+)/([^/]+)(.*)$ {
    proxy_pass http://$2-eventsource-svc.$1.svc.{{ $v.clusterDomain }}$3;
  }
}
{{- end }}
