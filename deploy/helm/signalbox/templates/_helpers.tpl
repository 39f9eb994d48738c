{{- define "signalbox.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* What selects the pods of a component. A Deployment cannot change it. */ -}}
{{- define "signalbox.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "signalbox.labels" -}}
{{ include "signalbox.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "signalbox.secretName" -}}
{{- .Values.secrets.existing | default (include "signalbox.name" .) -}}
{{- end -}}

{{- define "signalbox.secretData" -}}
{{- range $name := list "DATABASE_URL" "ENCRYPTION_KEYS" "NEXTAUTH_SECRET" }}
{{- $message := printf "Set secrets.existing, or secrets.values.%s" $name }}
{{- $_ := required $message (get $.Values.secrets.values $name) }}
{{- end }}
{{- toYaml .Values.secrets.values -}}
{{- end -}}

{{- /* Pods restart when the chart's secret changes. A secret of yours is not seen here. */ -}}
{{- define "signalbox.podMetadata" -}}
labels:
  {{- include "signalbox.labels" . | nindent 2 }}
{{- if not .root.Values.secrets.existing }}
annotations:
  checksum/secret: {{ toYaml .root.Values.secrets.values | sha256sum }}
{{- end }}
{{- end -}}

{{- define "signalbox.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir:
      sizeLimit: 64Mi
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
{{- end -}}

{{- /* What the containers of every component share: root, component, secretName. */ -}}
{{- define "signalbox.container" -}}
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ .secretName }}
env:
  - name: ROLE
    value: {{ .component }}
  - name: PUBLIC_BASE_URL
    value: {{ .root.Values.publicBaseUrl | quote }}
  {{- with .processes }}
  - name: WORKERS
    value: {{ . | quote }}
  {{- end }}
  {{- $name := include "signalbox.name" .root }}
  {{- $service := printf "%s.%s.svc" $name .root.Release.Namespace }}
  {{- if not (hasKey .root.Values.settings "ALLOWED_HOSTS") }}
  - name: ALLOWED_HOSTS
    value: {{ list $name $service (printf "%s.cluster.local" $service) | join "," | quote }}
  {{- end }}
  {{- range $setting, $value := .root.Values.settings }}
  - name: {{ $setting }}
    value: {{ $value | quote }}
  {{- end }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "signalbox.scheduling" -}}
{{- $values := get .root.Values .component -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "signalbox.selector" $ | nindent 8 }}
  {{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
