{{- define "base.labels" -}}
app.kubernetes.io/part-of: cluster-addons
acme.example/cluster: {{ required "cluster is set by the ApplicationSet" .Values.cluster }}
{{- end }}
