{{/* Labels of the umbrella's own objects. */}}
{{- define "codefresh-gitops-runtime.labels" -}}
app: codefresh-gitops-runtime
app.kubernetes.io/part-of: codefresh-gitops-runtime
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The same, with the runtime's name. */}}
{{- define "codefresh-gitops-runtime.runtime-labels" -}}
{{ include "codefresh-gitops-runtime.labels" . }}
codefresh.io/runtime-name: {{ required "global.runtime.name is required" .Values.global.runtime.name | quote }}
{{- end }}

{{/* Image reference: image (map), registry (takes the place of the map's), tag (when the map has none). */}}
{{- define "gitops-runtime.image" -}}
{{- $registry := .registry | default .image.registry -}}
{{- with $registry }}{{ . }}/{{ end }}{{ .image.repository }}:{{ .image.tag | default .tag }}
{{- end }}

{{/* List of env entries out of a map of strings and maps. */}}
{{- define "gitops-runtime.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
{{- if kindIs "map" $value }}
{{ toYaml $value | indent 2 }}
{{- else if and (kindIs "string" $value) $value }}
  value: {{ $value | quote }}
{{- else }}
{{- fail "ERROR: Only maps and string are supported for environment variables" }}
{{- end }}
{{- end }}
{{- end }}

{{/* secretKeyRef of the user token, as JSON. */}}
{{- define "gitops-runtime.user-token" -}}
{{- $user := .Values.global.codefresh.userToken -}}
{{- if $user.token -}}
{{- dict "name" "codefresh-user-token" "key" "token" | toJson -}}
{{- else if $user.secretKeyRef -}}
{{- include "gitops-runtime.not-reserved" $user.secretKeyRef.name -}}
{{- toJson $user.secretKeyRef -}}
{{- else -}}
{{- fail "global.codefresh.userToken is mandatory. Set token or secretKeyRef!" -}}
{{- end -}}
{{- end }}

{{/* secretKeyRef of the Git password, as JSON; nothing when no password is given. */}}
{{- define "gitops-runtime.git-password" -}}
{{- $password := .Values.global.runtime.gitCredentials.password -}}
{{- if $password.value -}}
{{- dict "name" (printf "%s-git-password" .Values.global.runtime.name) "key" "password" "optional" true | toJson -}}
{{- else if $password.secretKeyRef -}}
{{- range $field := list "name" "key" }}
{{- if not (index $password.secretKeyRef $field) }}
{{- fail (printf "secretKeyRef for global.runtime.gitCredentials.password illegal - must have %s field" $field) }}
{{- end }}
{{- end }}
{{- include "gitops-runtime.not-reserved" $password.secretKeyRef.name -}}
{{- merge (dict "optional" true) $password.secretKeyRef | toJson -}}
{{- end -}}
{{- end }}

{{- define "gitops-runtime.not-reserved" -}}
{{- if eq (toString .) "codefresh-token" }}
{{- fail "codefresh-token is a reserved name and is not allowed. Please use a different secret name" }}
{{- end }}
{{- end }}

{{/* Secret and key of the custom CA bundle, as JSON; nothing without one. */}}
{{- define "gitops-runtime.ca" -}}
{{- $ca := .Values.global.codefresh.tls.caCerts -}}
{{- if $ca.secret.create -}}
{{- dict "name" "codefresh-tls-certs" "key" ($ca.secret.key | default "ca-bundle.crt") | toJson -}}
{{- else if $ca.secretKeyRef -}}
{{- toJson $ca.secretKeyRef -}}
{{- end -}}
{{- end }}

{{/* Where Argo CD answers, and how to log in, as JSON. */}}
{{- define "gitops-runtime.argo-cd" -}}
{{- $own := index .Values "argo-cd" -}}
{{- $out := dict -}}
{{- if $own.enabled -}}
{{- $name := $own.fullnameOverride | default (printf "%s-argo-cd" .Release.Name) -}}
{{- $_ := set $out "server" (printf "http://%s-server:80" $name) -}}
{{- $_ := set $out "repoServer" (printf "%s-repo-server:8081" $name) -}}
{{- $_ := set $out "username" "admin" -}}
{{- $_ := set $out "password" (dict "name" "argocd-initial-admin-secret" "key" "password") -}}
{{- else -}}
{{- $path := ".Values.global.integrations.argo-cd" -}}
{{- $argo := index .Values.global.integrations "argo-cd" -}}
{{- $svc := required (printf "%s.server.svc is not set" $path) $argo.server.svc -}}
{{- $_ := set $out "server" (printf "http://%s:%v%s" $svc $argo.server.port (toString ($argo.server.rootpath | default ""))) -}}
{{- $repo := required (printf "%s.repoServer.svc is not set" $path) $argo.repoServer.svc -}}
{{- $_ := set $out "repoServer" (printf "%s:%v" $repo $argo.repoServer.port) -}}
{{- $auth := $argo.server.auth -}}
{{- $allowed := list "password" "token" -}}
{{- if not (has $auth.type $allowed) -}}
{{- fail (printf "Invalid value for %s.server.auth.type: %v. Allowed values are: %v" $path $auth.type $allowed) -}}
{{- end -}}
{{- if eq $auth.type "password" -}}
{{- $_ := set $out "username" $auth.username -}}
{{- $_ := set $out "password" (ternary (dict "name" "gitops-runtime-argo-cd-password" "key" "token") $auth.passwordSecretKeyRef (not (empty $auth.password))) -}}
{{- else if $auth.token -}}
{{- $_ := set $out "token" (dict "name" "gitops-runtime-argo-cd-token" "key" "token") -}}
{{- else -}}
{{- range $field := list "name" "key" -}}
{{- if not (index ($auth.tokenSecretKeyRef | default dict) $field) -}}
{{- fail (printf "%s.server.auth.type is set to 'token' therefore %s.server.auth.tokenSecretKeyRef.%s is required" $path $path $field) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $out "token" $auth.tokenSecretKeyRef -}}
{{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end }}
