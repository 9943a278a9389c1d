{{/*
One workload with its ServiceAccount and Service. Takes ctx (the chart's context) and w:
  name, kind (Deployment), labels, replicas, image, pullPolicy, command, args, env (list), envFrom, ports [{name, port}],
  service {ports [{name, port, target}], headless}, account (name), createAccount, accountAnnotations, init, sidecars,
  volumes, mounts, resources, ready (HTTP path), podSecurity, security, and
  v: the component's values, read for nodeSelector, tolerations, affinity, podAnnotations, podLabels
  pullSecrets, noGlobalScheduling.
*/}}
{{- define "gitops-runtime.workload" -}}
{{- $w := .w }}
{{- $ctx := .ctx }}
{{- $v := $w.v | default dict }}
{{- $global := ternary dict $ctx.Values.global ($w.noGlobalScheduling | default false) }}
{{- $kind := $w.kind | default "Deployment" }}
{{- $selector := dict "app.kubernetes.io/name" $w.name "app.kubernetes.io/instance" $ctx.Release.Name }}
{{- $labels := merge (dict) $selector ($w.labels | default dict) }}
{{- if $w.createAccount }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $w.account }}
  namespace: {{ $ctx.Release.Namespace }}
  labels: {{- toYaml $labels | nindent 4 }}
  {{- with $w.accountAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- with $w.service }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name | default $w.name }}
  namespace: {{ $ctx.Release.Namespace }}
  labels: {{- toYaml $labels | nindent 4 }}
spec:
  type: ClusterIP
  {{- if .headless }}
  clusterIP: None
  {{- end }}
  selector: {{- toYaml $selector | nindent 4 }}
  ports:
    {{- range .ports }}
    - name: {{ .name }}
      port: {{ .port }}
      targetPort: {{ .target | default .name }}
    {{- end }}
{{- end }}
---
apiVersion: apps/v1
kind: {{ $kind }}
metadata:
  name: {{ $w.name }}
  namespace: {{ $ctx.Release.Namespace }}
  labels: {{- toYaml $labels | nindent 4 }}
spec:
  {{- if not $w.scaled }}
  replicas: {{ $w.replicas | default 1 }}
  {{- end }}
  {{- if eq $kind "StatefulSet" }}
  serviceName: {{ $w.serviceName | default $w.name }}
  {{- end }}
  selector:
    matchLabels: {{- toYaml $selector | nindent 6 }}
  template:
    metadata:
      labels: {{- toYaml (merge (dict) $labels ($v.podLabels | default dict)) | nindent 8 }}
      {{- with $v.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ $w.account | default "default" }}
      {{- with $w.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $w.podSecurity }}
      securityContext: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "gitops-runtime.scheduling" (dict "v" $v "global" $global) | nindent 6 }}
      {{- with $w.init }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ $w.name }}
          image: {{ $w.image | quote }}
          imagePullPolicy: {{ $w.pullPolicy | default "IfNotPresent" }}
          {{- range $field := list "command" "args" "envFrom" }}
          {{- with index $w $field }}
          {{ $field }}: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- end }}
          {{- with $w.env }}
          env: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with $w.ports }}
          ports:
            {{- range . }}
            - name: {{ .name }}
              containerPort: {{ .port }}
            {{- end }}
          {{- end }}
          {{- with $w.ready }}
          readinessProbe:
            httpGet:
              path: {{ . }}
              port: {{ (first $w.ports).name }}
          {{- end }}
          {{- with $w.security }}
          securityContext: {{- toYaml . | nindent 12 }}
          {{- end }}
          resources: {{- toYaml ($w.resources | default $v.resources | default dict) | nindent 12 }}
          {{- with $w.mounts }}
          volumeMounts: {{- toYaml . | nindent 12 }}
          {{- end }}
        {{- with $w.sidecars }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $w.volumes }}
      volumes: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}

{{/* A component's own settings replace the global ones. */}}
{{- define "gitops-runtime.scheduling" -}}
{{- with (.v.nodeSelector | default .global.nodeSelector) }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (.v.tolerations | default .global.tolerations) }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .v.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
