{{/* The tunnel client's objects. Takes ctx, v (its values) and subdomain. */}}
{{- define "codefresh-tunnel-client.objects" }}
{{- $name := "codefresh-tunnel-client" }}
{{- $labels := dict "app" $name "app.kubernetes.io/component" "tunnel-client" "app.kubernetes.io/part-of" "codefresh-gitops-runtime" "app.kubernetes.io/managed-by" .ctx.Release.Service }}
{{- $host := required "tunnelServer.host is required" .v.tunnelServer.host }}
{{- $ini := printf "[common]\nserver_addr = %s\nserver_port = %v\n\n[runtime]\ntype = http\nlocal_ip = internal-router\nlocal_port = 80\nsubdomain = %s\n" $host .v.tunnelServer.port .subdomain }}
{{- include "gitops-runtime.configmap" (dict "ctx" .ctx "name" (printf "%s-config" $name) "labels" $labels "data" (dict "frpc.ini" $ini)) }}
{{- $token := dict "valueFrom" (dict "secretKeyRef" (dict "name" "codefresh-token" "key" "token")) }}
{{ include "gitops-runtime.workload" (dict "ctx" .ctx "w" (dict
  "name" $name
  "v" .v
  "labels" $labels
  "image" (include "gitops-runtime.image" (dict "image" .v.image))
  "pullPolicy" .v.image.pullPolicy
  "account" $name "createAccount" true
  "args" (list "-c" "/etc/frp/frpc.ini")
  "env" (include "gitops-runtime.env" (dict "AUTHORIZATION_TOKEN" $token) | fromYamlArray)
  "mounts" (list (dict "name" "config" "mountPath" "/etc/frp"))
  "volumes" (list (dict "name" "config" "configMap" (dict "name" (printf "%s-config" $name))))
)) }}
{{- end }}
