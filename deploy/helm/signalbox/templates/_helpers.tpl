{{- define "signalbox.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* The labels that Prometheus adds to the metrics of this release, as its ServiceMonitor makes them. */ -}}
{{- define "signalbox.targetLabels" -}}
{{- dict "namespace" .Release.Namespace "job" (include "signalbox.name" .) | toYaml -}}
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
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /* What the containers of every component share: root, component, secretName. */ -}}
{{- define "signalbox.container" -}}
{{- $tag := required "Set image.tag to the tag of the image that you pushed" .root.Values.image.tag }}
image: {{ printf "%s:%s" .root.Values.image.repository $tag | quote }}
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
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "signalbox.scheduling" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "signalbox.selector" $ | nindent 8 }}
  {{- end }}
{{- include "signalbox.placement" . }}
{{- end -}}

{{- /* Where the pods of a component may run, after a line break. */ -}}
{{- define "signalbox.placement" -}}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with get (get $.root.Values $.component) $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* How fast the number of workers changes, the same with each autoscaler. */ -}}
{{- define "signalbox.workerScaling" -}}
scaleUp:
  # At most twice as many workers in a minute: each one opens connections to PostgreSQL.
  policies:
    - { type: Percent, value: 100, periodSeconds: 60 }
scaleDown:
  stabilizationWindowSeconds: 300
{{- end -}}

{{- /* The connections to PostgreSQL at most (docs/guides/postgresql.md, Count the connections), during a rolling update. */ -}}
{{- define "signalbox.connections" -}}
{{- $pool := get .Values.settings "DATABASE_POOL_SIZE" | default "12" | int -}}
{{- $web := ternary .Values.web.autoscaling.maxReplicas .Values.web.replicas .Values.web.autoscaling.enabled | int -}}
{{- $worker := ternary .Values.worker.autoscaling.maxReplicas .Values.worker.replicas .Values.worker.autoscaling.enabled | int -}}
{{- $perWorker := add (mul (int .Values.worker.processes) (add (mul 2 $pool) 4)) 4 -}}
{{- add (mul (add $web 1) (add $pool 5)) (mul (add $worker 1) $perWorker) -}}
{{- end -}}
