{{/* Takes ctx, name, pdb, labels. */}}
{{- define "gitops-runtime.pdb" }}
{{- if .pdb.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  namespace: {{ .ctx.Release.Namespace }}
  labels: {{- toYaml .labels | nindent 4 }}
spec:
  {{- if .pdb.minAvailable }}
  minAvailable: {{ .pdb.minAvailable }}
  {{- else if .pdb.maxUnavailable }}
  maxUnavailable: {{ .pdb.maxUnavailable }}
  {{- else }}
  {{- fail "ERROR: pdb.minAvailable or pdb.maxUnavailable is required!" }}
  {{- end }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .name }}
      app.kubernetes.io/instance: {{ .ctx.Release.Name }}
{{- end }}
{{- end }}

{{/* Takes ctx, name, hpa, labels. */}}
{{- define "gitops-runtime.hpa" }}
{{- if .hpa.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  namespace: {{ .ctx.Release.Namespace }}
  labels: {{- toYaml .labels | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ .name }}
  minReplicas: {{ .hpa.minReplicas | default 1 }}
  maxReplicas: {{ .hpa.maxReplicas | default 5 }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .hpa.targetCPUUtilizationPercentage | default 70 }}
{{- end }}
{{- end }}
