{{/*
Role and binding. Takes ctx, name, cluster (bool), rules (none: only the binding), role {kind, name} for such a binding,
account, binding (its name, when another), labels, annotations.
*/}}
{{- define "gitops-runtime.rbac" -}}
{{- $prefix := ternary "Cluster" "" (.cluster | default false) }}
{{- $role := .role | default (dict "kind" (printf "%sRole" $prefix) "name" .name) }}
{{- $labels := .labels | default (include "codefresh-gitops-runtime.labels" .ctx | fromYaml) }}
{{- if .rules }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $prefix }}Role
metadata:
  name: {{ .name }}
  {{- if not .cluster }}
  namespace: {{ .ctx.Release.Namespace }}
  {{- end }}
  labels: {{- toYaml $labels | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
rules: {{- toYaml .rules | nindent 2 }}
{{- end }}
{{- if .account }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $prefix }}RoleBinding
metadata:
  name: {{ .binding | default .name }}
  {{- if not .cluster }}
  namespace: {{ .ctx.Release.Namespace }}
  {{- end }}
  labels: {{- toYaml $labels | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ $role.kind }}
  name: {{ $role.name }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .ctx.Release.Namespace }}
{{- end }}
{{- end }}

{{/* Takes ctx, name, labels, annotations. */}}
{{- define "gitops-runtime.account" }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  namespace: {{ .ctx.Release.Namespace }}
  labels: {{- toYaml (.labels | default (include "codefresh-gitops-runtime.labels" .ctx | fromYaml)) | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Takes ctx, name, data (map of strings), labels, annotations. */}}
{{- define "gitops-runtime.configmap" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}
  namespace: {{ .ctx.Release.Namespace }}
  labels: {{- toYaml (.labels | default (include "codefresh-gitops-runtime.labels" .ctx | fromYaml)) | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
data:
  {{- range $key, $value := .data }}
  {{ $key }}: {{ toString $value | quote }}
  {{- end }}
{{- end }}

{{/* A CRD without a schema. Takes group, version, kind, plural, scope, shortNames, labels, annotations. */}}
{{- define "gitops-runtime.crd" }}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {{ .plural }}.{{ .group }}
  {{- with .labels }}
  labels: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  group: {{ .group }}
  scope: {{ .scope | default "Namespaced" }}
  names:
    kind: {{ .kind }}
    listKind: {{ .kind }}List
    plural: {{ .plural }}
    singular: {{ lower .kind }}
    {{- with .shortNames }}
    shortNames: {{- toYaml . | nindent 6 }}
    {{- end }}
  versions:
    - name: {{ .version }}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-preserve-unknown-fields: true
{{- end }}
