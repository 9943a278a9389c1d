{{/* Hook annotations. Takes event, weight (none: left out), policy: all, keep (on failure) or before. */}}
{{- define "gitops-runtime.hook" -}}
helm.sh/hook: {{ .event }}
{{- with .weight }}
helm.sh/hook-weight: {{ . | quote }}
{{- end }}
helm.sh/hook-delete-policy: {{ get (dict "all" "hook-succeeded,before-hook-creation,hook-failed" "keep" "hook-succeeded,before-hook-creation" "before" "before-hook-creation") .policy }}
{{- end }}

{{/*
A hook Job. Takes ctx, name, hook (annotations), v (values: image, nodeSelector, tolerations, affinity), image, backoff, ttl,
account or legacyAccount (the old field), env (map), script (shell), values (true: mounts the computed values), ca (true),
labels, pullSecrets.
*/}}
{{- define "gitops-runtime.job" }}
{{- $ca := ternary (include "gitops-runtime.ca" .ctx) "" (default false .ca) | default "{}" | fromJson }}
{{- $labels := .labels | default (include "codefresh-gitops-runtime.labels" .ctx | fromYaml) }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .name }}
  namespace: {{ .ctx.Release.Namespace }}
  labels: {{- toYaml $labels | nindent 4 }}
  annotations: {{- toYaml .hook | nindent 4 }}
spec:
  backoffLimit: {{ .backoff }}
  {{- with .ttl }}
  ttlSecondsAfterFinished: {{ . }}
  {{- end }}
  template:
    metadata:
      name: {{ .name }}
      labels: {{- toYaml (merge (dict "app.kubernetes.io/name" .name) $labels) | nindent 8 }}
    spec:
      restartPolicy: Never
      {{- with .account }}
      serviceAccountName: {{ . }}
      {{- end }}
      {{- with .legacyAccount }}
      serviceAccount: {{ . }}
      {{- end }}
      {{- with .pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "gitops-runtime.scheduling" (dict "v" .v "global" .ctx.Values.global) | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ .image | quote }}
          imagePullPolicy: {{ (.v.image | default dict).pullPolicy | default "IfNotPresent" }}
          command: [sh, -c]
          args:
            - |
              {{- .script | nindent 14 }}
          env: {{- include "gitops-runtime.env" .env | nindent 12 }}
          resources:
            requests: {cpu: 10m, memory: 32Mi}
          {{- if or .values $ca }}
          volumeMounts:
            {{- if .values }}
            - {name: values, mountPath: /job_tmp}
            {{- end }}
            {{- if $ca }}
            - {name: codefresh-tls-certs, mountPath: /app/config/codefresh-tls-certs, readOnly: true}
            {{- end }}
          {{- end }}
      {{- if or .values $ca }}
      volumes:
        {{- if .values }}
        - name: values
          configMap: {name: helm-values-config}
        {{- end }}
        {{- with $ca }}
        - name: codefresh-tls-certs
          secret: {secretName: {{ .name }}, items: [{key: {{ .key }}, path: ca-bundle.crt}]}
        {{- end }}
      {{- end }}
{{- end }}
